-- Parameters of seed 004.
create index if not exists {idx_embedding_hnsw} on {table} using hnsw (embedding {operator_class}) with (m = 16, ef_construction = 64);
