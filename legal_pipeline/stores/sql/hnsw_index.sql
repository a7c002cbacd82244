-- m and ef_construction are pgvector's defaults.
create index if not exists {index} on {table} using hnsw ({column} {operator_class}) with (m = 16, ef_construction = 64);
