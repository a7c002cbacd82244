-- Documents that a reconciliation compared in full, without a difference.
create table verified_documents (
    document_id text primary key references source_documents (document_id) on delete cascade,
    fingerprint text not null,         -- of everything that the comparison read
    format      text not null,         -- that the document was parsed from
    number      text,                  -- of the act: amending acts in `amendments` name it
    verified_at timestamptz not null default now()
);

-- A poll asks for waiting documents in the order of their ids, for those asked for since a number, and for texts whose day was reached.
create index due_documents_waiting on due_documents (document_id collate "C") where asked_at is null;
create index due_documents_by_ask on due_documents (asked_by, asked_in);
create index coming_expressions_by_day on coming_expressions (is_reached, day);
