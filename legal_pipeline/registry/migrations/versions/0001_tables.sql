-- The tables of the first version, as they were made before there were migrations: every statement can be run again, on any earlier state.
-- A change of the tables is a migration of its own beside this one.

-- One row per document. id to created_at have the names that queries of users know.
create table if not exists source_documents (
    id                uuid not null unique default gen_random_uuid(),
    filename          text not null default '',
    source_type       text not null generated always as (doc_type) stored,
    file_path         text,
    total_chunks      integer not null default 0,
    processed_at      timestamptz,
    processing_status text not null default 'pending'
        check (processing_status in ('pending', 'processing', 'completed', 'failed')),
    metadata          jsonb not null default '{}',
    created_at        timestamptz not null default now(),

    document_id       text primary key,
    work_uri          text,
    title             text,
    jurisdiction      text,
    doc_type          text not null default 'other',
    source_sha256     text not null default '',  -- of the raw bytes of all its items
    text_hash         text,                      -- of the normalised text: what a rebuild is gated on
    revision          integer not null default 1,
    attempt           integer not null default 0,
    last_error        text,
    tombstoned_at     timestamptz,
    updated_at        timestamptz not null default now()
);
-- Assets that runs of a part of the way have made of this revision; the last of them completes the document.
alter table source_documents add column if not exists made text[] not null default '{}';
create index if not exists source_documents_by_status on source_documents (processing_status);
create index if not exists source_documents_by_type on source_documents (source_type);
create index if not exists source_documents_by_work on source_documents (work_uri);

-- Which source items make up which document. An item may hold several documents (location tells them apart),
-- a document may have several items (parts, or expressions of different dates).
create table if not exists source_items (
    source        text not null,
    item_key      text not null,
    location      text not null default '',
    document_id   text references source_documents (document_id),  -- null: the item could not be read
    stamp         text not null default '',  -- size and times, or an ETag: tells only whether to fetch again
    sha256        text not null default '',
    part          integer,
    parts         integer,
    as_of_date    date,
    url           text,
    hints         jsonb not null default '{}',
    error         text,
    missing_since timestamptz,
    seen_at       timestamptz not null default now(),
    primary key (source, item_key, location)
);
create index if not exists source_items_by_document on source_items (document_id);

-- What the user said of the item on the command line; `hints` holds it together with what its sidecar says.
alter table source_items add column if not exists given jsonb not null default '{}';

-- Amending acts: read at query time, never chunked.
create table if not exists amendments (
    document_number  text primary key,
    title            text not null,
    base_law         text not null,
    markdown_content text not null,
    in_force_date    date
);
create index if not exists amendments_by_base_law on amendments (base_law);

-- What readers of a collection may see of a document: chunk id -> hash of its row.
create table if not exists published_manifest (
    document_id  text not null,
    collection   text not null,
    rows         jsonb not null,
    published_at timestamptz not null default now(),
    primary key (document_id, collection)
);
-- Higher than that of every manifest published before, in the order in which they could be seen.
create sequence if not exists published_versions;
alter table published_manifest add column if not exists version bigint not null default nextval('published_versions');
create index if not exists published_manifest_by_version on published_manifest (version);

-- Which collection searches read under the name that the pipeline has for it. The stores' own aliases say the same; manifests are of collections.
create table if not exists live_collections (
    alias      text primary key,
    collection text not null
);
create or replace function live_collection(name text) returns text language sql stable as
    'select coalesce((select collection from live_collections where alias = $1), $1)';

-- The journal of language model requests: written before an answer is used, so that none is paid twice. One row per request hash.
-- claimed: a worker is about to send it; submitting, submitted: it is on its way into a batch, in one; answered: paid and kept; failed: unpaid.
create table if not exists llm_requests (
    request_hash       text primary key,
    task               text not null,
    document_id        text not null,
    model              text not null,
    prompt_version     text not null,
    state              text not null check (state in ('claimed', 'submitting', 'submitted', 'answered', 'failed')),
    owner              integer not null,  -- the worker; it lives as long as it holds the advisory lock of this number
    run_id             text not null,
    mode               text,
    submission         uuid,              -- names one attempt to create a batch, before the batch has an id
    batch_id           text,
    reserved_usd       numeric(14, 8) not null default 0,
    answer             jsonb,             -- {text, stop_reason}
    input_tokens       bigint not null default 0,
    output_tokens      bigint not null default 0,
    cache_read_tokens  bigint not null default 0,
    cache_write_tokens bigint not null default 0,
    cost_usd           numeric(14, 8) not null default 0,
    error              text,
    requested_at       timestamptz not null default now(),
    answered_at        timestamptz
);
create index if not exists llm_requests_by_run on llm_requests (run_id);
create index if not exists llm_requests_by_day on llm_requests (requested_at);
create index if not exists llm_requests_by_batch on llm_requests (batch_id) where batch_id is not null;
create sequence if not exists llm_workers as integer cycle;

-- Where each judgment stands in the trees of the practice areas. Its node is for good: a new judgment joins the last one, or opens the next.
create table if not exists practice_area_leaves (
    document_id    text primary key references source_documents (document_id),
    area           text not null,
    jurisdiction   text not null,
    language       text not null,
    node           integer not null,     -- from 1, within area, jurisdiction and language
    leaf_hash      text not null,        -- of what is shown of the judgment to whoever summarises its node
    input_hash     text not null,        -- of what its area was asked with
    generator      text not null,
    prompt_version text not null,
    looked_at      timestamptz not null  -- `processed_at` of the state of the document that was looked at
);
create index if not exists practice_area_leaves_by_area on practice_area_leaves (area);

-- When the normalised text last changed: a new fetch of the same text leaves it.
alter table source_documents add column if not exists text_changed_at timestamptz;

-- When a source was last listed successfully, by where it was looked ('' for all of it).
create table if not exists source_looks (
    source    text not null,
    scope     text not null,
    looked_at timestamptz not null default now(),
    primary key (source, scope)
);
