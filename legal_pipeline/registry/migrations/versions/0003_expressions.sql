-- What an item says that it is (title, number, jurisdiction, format), and the hash of the content that a user confirmed although it says
-- something else than the document holds.
alter table source_items add column said jsonb;
alter table source_items add column accepted text;

-- What the document holds: the same of the text that was made last, and the item that it came from.
alter table source_documents add column holds jsonb;

-- Texts of a day to come. `is_reached` once the day was reached and the document became due for it.
create table coming_expressions (
    document_id text not null references source_documents (document_id) on delete cascade,
    day         date not null,
    is_reached  boolean not null default false,
    primary key (document_id, day)
);

-- When the document left the stores after its source had removed it.
alter table source_documents add column purged_at timestamptz;
