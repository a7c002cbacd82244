-- Chunks that define a specific legal standard.
SELECT
    id,
    source_section,
    chunk_text,
    legal_standard
FROM legal_chunks
WHERE legal_standard = $1
  AND source_type IN ('regulation', 'precedent_case')
ORDER BY source_type, chunk_index
