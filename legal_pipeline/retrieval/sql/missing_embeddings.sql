-- Missing embeddings. With several embedding models a chunk has one in the column of its language's model.
SELECT COUNT(*)
FROM legal_chunks
WHERE embedding IS NULL
  AND NOT EXISTS (
    SELECT
    FROM jsonb_each(to_jsonb(legal_chunks)) AS each (name, value)
    WHERE name LIKE 'embedding\_%' AND value <> 'null'
  )
