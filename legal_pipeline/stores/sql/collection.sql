-- A collection as a table. Names in braces are filled in by `stores.pgvector`; the indexes of `legal_chunks` have the names that queries of users know.

-- From id to updated_at: the columns that queries of users read. Strings have no length limit, or a long path of an Act would be refused;
-- times know their zone.
create table {table} (
    id                  uuid primary key default gen_random_uuid(),
    source_type         text not null,     -- doc_type: 'regulation', 'precedent_case', 'appeal_decision', 'act', …
    source_document     text not null,     -- the file it came from
    source_section      text,
    chunk_text          text not null,
    chunk_index         integer not null,  -- order within the document
    criterion_tag       text,
    legal_standard      text,
    is_winning_argument boolean not null default false,
    section_level       integer,
    -- deferred: a document's rows come in any order
    parent_section_id   uuid references {table} (id) on delete set null deferrable initially deferred,
    -- `embedding`, of the first embedding model, and a column for each other one: of a row, all but one are null
    {vectors}
    created_at          timestamptz not null default now(),
    updated_at          timestamptz not null default now(),

    document_id         text not null,
    chunk_id            text,
    parent_chunk_id     text,
    row_hash            text not null,     -- of all that the row was made of
    strategy            text,
    chunk_type          text,
    path                text,
    eid                 text,
    language            text,
    jurisdiction        text,
    valid_from          date,              -- null also where the payload has a condition in words
    valid_to            date,              -- the first day that it no longer applies
    date_decided        date,
    payload             jsonb not null,    -- what a hit shows; `chunk_text` is null in it where the column holds it
    words               tsvector not null  -- of what was embedded, inflections of its language folded
);

create index {idx_source_type} on {table} (source_type);
create index {idx_source_document} on {table} (source_document);
create index {idx_criterion_tag} on {table} (criterion_tag);
create index {idx_legal_standard} on {table} (legal_standard);
create index {idx_is_winning_argument} on {table} (is_winning_argument);
create index {idx_source_type_criterion} on {table} (source_type, criterion_tag);

create index {idx_document_id} on {table} (document_id);
create index {idx_chunk_id} on {table} (chunk_id);
create index {idx_parent_section_id} on {table} (parent_section_id) where parent_section_id is not null;
create index {idx_jurisdiction} on {table} (jurisdiction);
create index {idx_words} on {table} using gin (words);
