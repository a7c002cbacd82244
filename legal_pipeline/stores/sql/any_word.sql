-- The words of a text as a query for any of them, as each of the configurations inflects them; null where there are none. Beside it the
-- same of its rarest words alone: as many as the table's statistics expect in `most` rows together, and one at least.
with words as (
    select distinct word
    from unnest(%(configurations)s::regconfig[]) as configuration,
         unnest(tsvector_to_array(to_tsvector(configuration, %(text)s))) as word
),
-- a word that is not among the thousand most common ones counts as in no row
common as (
    select word, frequency * reltuples as rows
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_stats on schemaname = nspname and tablename = relname and attname = 'words',
         unnest(most_common_elems::text::text[], most_common_elem_freqs) as each (word, frequency)
    where pg_class.oid = %(table)s::regclass and word is not null
),
counted as (
    select '''' || replace(replace(word, '\', '\\'), '''', '''''') || '''' as quoted,
           sum(coalesce(rows, 0)) over rarest_first as together,
           row_number() over rarest_first as place
    from words left join common using (word)
    window rarest_first as (order by coalesce(rows, 0), word)
)
select string_agg(quoted, ' | ')::tsquery::text as query,
       (string_agg(quoted, ' | ') filter (where together <= %(most)s or place = 1))::tsquery::text as rare
from counted
