-- Documents that wait for a run: one row from the moment that they are registered, changed or to be tried again until their run has ended.
create table due_documents (
    document_id text primary key references source_documents (document_id) on delete cascade,
    asker       text,                                -- whose sensor asks for the run; null: that of any source that holds the document
    due_at      timestamptz not null default now(),
    asked_by    text,                                -- whose sensor asked, and at which of its looks; null: nobody yet
    asked_in    bigint,
    asked_at    timestamptz                          -- or was seen in a run
);
create index due_documents_by_asking on due_documents (asked_at nulls first);
create sequence due_asks;

insert into due_documents (document_id)
    select document_id from source_documents where processing_status in ('pending', 'processing') and tombstoned_at is null;

-- Stretches of a source's keys that were compared with the registry and agreed with it: from behind after_key to until_key.
create table source_pages (
    source      text not null,
    after_key   text collate "C" not null,
    until_key   text collate "C" not null,
    fingerprint text not null,  -- of the keys and stamps that were listed
    items       integer not null,
    compared_at timestamptz not null default now(),
    primary key (source, until_key)
);

-- Ranges of keys, in the order in which a folder is read.
create index source_items_by_key on source_items (source, item_key collate "C");
