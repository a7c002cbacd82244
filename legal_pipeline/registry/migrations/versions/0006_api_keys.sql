-- Keys of the service. The secret itself is not kept.
create table api_keys (
    key_id              text primary key,
    name                text not null,
    secret_sha256       text not null,
    scopes              text[] not null,                      -- read, admin
    audiences           text[] not null default '{}',         -- see `metadata.audience`
    requests_per_minute integer not null,
    created_at          timestamptz not null default now(),
    revoked_at          timestamptz
);

-- Who may see a document is asked with every question of a key.
create index source_items_with_audience on source_items (document_id) where hints->'metadata' ? 'audience';
