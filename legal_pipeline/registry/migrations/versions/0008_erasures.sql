-- Documents that were erased, so that no look at a source brings them back. Hashes: an id may name the parties of a judgment.
create table erasures (
    document_sha256 text primary key,
    reason          text not null,
    erased_at       timestamptz not null default now()
);

-- Items of sources that held nothing else: their keys are not listed any more; and the bytes of all its items, under whatever key.
create table erased_items (
    item_sha256     text primary key,
    document_sha256 text not null references erasures (document_sha256) on delete cascade
);
