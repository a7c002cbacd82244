-- Chunks of any source that are semantically similar to a query.
SELECT
    id,
    source_type,
    source_document,
    source_section,
    chunk_text,
    criterion_tag,
    legal_standard,
    1 - (embedding <=> $1::vector) AS similarity
FROM legal_chunks
ORDER BY embedding <=> $1::vector
LIMIT $2
