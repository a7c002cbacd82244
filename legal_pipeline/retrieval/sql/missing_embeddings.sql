-- Seed 004, 7.2: missing embeddings.
SELECT COUNT(*)
FROM legal_chunks
WHERE embedding IS NULL
