-- Semantic similarity (0.7) combined with a metadata match (0.3), of the chunks that the first embedding model reads.
SELECT
    id,
    source_type,
    source_section,
    chunk_text,
    criterion_tag,
    (1 - (embedding <=> $1::vector)) * 0.7 +
    CASE WHEN criterion_tag = $2 THEN 0.3 ELSE 0 END AS combined_score
FROM legal_chunks
WHERE source_type IN ('appeal_decision', 'regulation')
  AND embedding IS NOT NULL
ORDER BY combined_score DESC
LIMIT $3
