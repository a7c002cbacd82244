-- Figures of each document's chunks: what the report and the checks over the corpus count.
create table chunk_figures (
    document_id    text primary key references source_documents (document_id) on delete cascade,
    made_from      text not null,     -- the versions of the tables that were read
    coverage       double precision not null,
    by_strategy    json not null,     -- as are by_type and anomalies: name -> number of chunks, in the order of the stamp
    by_type        json not null,
    anomalies      json not null,
    tokens         integer[] not null,  -- of each chunk
    over_limit     boolean not null,  -- a chunk has too many tokens and is not marked so
    repeats        boolean not null,  -- an id, or a path of one strategy, occurs twice
    chunk_hashes   bigint[] not null, -- of the chunks' ids
    points         integer not null,  -- that the document should have in a store
    prefixes       integer not null,  -- written by a language model
    wrong_prefixes text[] not null    -- those of them outside the limits: the chunk's id and the number of tokens
);
