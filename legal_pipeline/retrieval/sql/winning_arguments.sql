-- Winning arguments for a specific criterion.
SELECT
    id,
    source_section,
    chunk_text,
    1 - (embedding <=> $1::vector) AS similarity
FROM legal_chunks
WHERE criterion_tag = $2
  AND is_winning_argument = true
  AND source_type = 'appeal_decision'
ORDER BY embedding <=> $1::vector
LIMIT $3
