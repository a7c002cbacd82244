-- Parameters of seed 004.
create index if not exists {index} on {table} using hnsw ({column} {operator_class}) with (m = 16, ef_construction = 64);
