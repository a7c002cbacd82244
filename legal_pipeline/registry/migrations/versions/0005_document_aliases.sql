-- Ids that documents had before. What is asked for under one of them is answered by the document's present id.
create table document_aliases (
    old_id               text primary key,
    document_id          text not null references source_documents (document_id),  -- the present id: chains of renamings are collapsed
    work_uri             text,                                -- that the document had under the old id
    takes_over           boolean not null,                    -- the present id was new: it goes on with `id` and `created_at` of the old one
    begun_at             timestamptz not null default now(),
    finished_at          timestamptz,                         -- from when on nothing stands under the old id
    partition_removed_at timestamptz                          -- from when on Dagster has no partition of the old id
);
create index document_aliases_by_document on document_aliases (document_id);
create index document_aliases_with_partition on document_aliases (old_id) where partition_removed_at is null;

-- Ids of chunks go with the id of their document.
create table chunk_aliases (
    old_id   text primary key,
    chunk_id text not null
);
create index chunk_aliases_by_chunk on chunk_aliases (chunk_id);
