-- The words of a text as a query for any of them, as each of the configurations inflects them; null where there are none.
select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery::text as query
from (select distinct word
      from unnest(%(configurations)s::regconfig[]) as configuration,
           unnest(tsvector_to_array(to_tsvector(configuration, %(text)s))) as word) as words
