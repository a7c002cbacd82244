-- By what the chunks of an exported document are compared with others: near duplicates share a band.
create table chunk_sketches (
    document_id text primary key references source_documents (document_id) on delete cascade,
    made_from   text not null,    -- the version of the chunk table that was read
    chunk_ids   text[] not null,
    bands       bigint[] not null, -- of all these chunks, as many of each
    signs       bytea not null    -- a byte of each value of their MinHashes, by which a similarity is estimated
);
create index chunk_sketches_by_band on chunk_sketches using gin (bands);

-- The earliest chunk that each near duplicate repeats.
create table chunk_repeats (
    document_id         text not null references chunk_sketches (document_id) on delete cascade,
    chunk_id            text not null,
    earlier_document_id text not null,
    earlier_chunk_id    text not null,
    primary key (document_id, chunk_id)
);
create index chunk_repeats_by_earlier on chunk_repeats (earlier_document_id);
