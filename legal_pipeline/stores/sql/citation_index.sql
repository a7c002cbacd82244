-- What a search by citation asks for. One of all the payload would be larger than the table.
create index if not exists {idx_citations} on {table}
    using gin ((payload -> 'work_uris') jsonb_path_ops, (payload -> 'provisions') jsonb_path_ops);
