-- Who is told of which changes of the law, and at which address. An empty list of jurisdictions means all.
create table subscriptions (
    subscription_id text primary key,
    key_id          text references api_keys (key_id),    -- null: of the owner, who needs no key
    address         text not null,
    secret          text not null,                        -- each message is signed with it, so a hash would not do
    jurisdictions   text[] not null default '{}',
    document_id     text,
    eid             text,
    since           timestamptz not null default now(),   -- changes before it are not told
    created_at      timestamptz not null default now(),
    attempts        integer not null default 0,           -- in vain, to send the message that is due
    failing_since   timestamptz,
    next_attempt_at timestamptz not null default now(),
    last_error      text,
    delivered_at    timestamptz,
    disabled_at     timestamptz
);

-- One row per subscription and change, sent in the order of their numbers. What is sent is made when it is sent: no text is kept here.
create table subscription_messages (
    message_id      bigint generated always as identity primary key,
    subscription_id text not null references subscriptions (subscription_id) on delete cascade,
    document_id     text not null,
    change          text not null,                        -- which one of the document; '' where none of them concerns the subscription
    changed_at      timestamptz not null,                 -- of the state of the document that was looked at
    settled_at      timestamptz,                          -- when it was delivered, or turned out not to be sent
    unique (subscription_id, document_id, change)
);
create index subscription_messages_due on subscription_messages (subscription_id, message_id) where settled_at is null;

-- Changes are asked for every few seconds.
create index source_documents_by_change on source_documents ((coalesce(tombstoned_at, text_changed_at, created_at)));
