-- The source that brought the document first; it never changes, so that the document stays in its partition.
alter table source_documents add column source text not null default 'unknown';
update source_documents d set source = coalesce((select min(source) from source_items i where i.document_id = d.document_id), 'unknown');

-- The first 32 bits of the hash of the id: a bucket is a range of them.
alter table source_documents
    add column id_hash text collate "C" not null generated always as (left(encode(sha256(document_id::bytea), 'hex'), 8)) stored;
create index source_documents_by_hash on source_documents (source, id_hash);

-- Data version of each asset that was made of a document, by the asset's name.
create table document_versions (
    document_id text primary key references source_documents (document_id) on delete cascade,
    versions    jsonb not null
);
-- Made before versions were recorded: what is known is the revision.
insert into document_versions
    select document_id, (select jsonb_object_agg(asset, 'revision:' || revision) from unnest(made) as asset)
    from source_documents where cardinality(made) > 0;

-- The partitioning of the home: one row, none before the first document. buckets is null for partitions of one document.
create table partitioning (
    is_present boolean primary key default true check (is_present),
    buckets    integer check (buckets > 0)
);
