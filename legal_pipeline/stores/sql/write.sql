-- From the rows just copied into the session's own table to the collection. A parent is named where it is there.
insert into {table} ({columns}, parent_section_id, words)
select {columns},
       case when exists (select from {pending} as parent where parent.id = pending.parent_section_id)
              or exists (select from {table} as parent
                         where parent.id = pending.parent_section_id and parent.document_id = pending.document_id)
            then pending.parent_section_id end,
       to_tsvector(words_configuration::regconfig, words_text)
from {pending} as pending
on conflict (id) do update set {assignments}, updated_at = now()
