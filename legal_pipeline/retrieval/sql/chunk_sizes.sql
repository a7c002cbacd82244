-- Whether chunk sizes are reasonable, in characters.
SELECT
    source_type,
    AVG(LENGTH(chunk_text)) AS avg_length,
    MIN(LENGTH(chunk_text)) AS min_length,
    MAX(LENGTH(chunk_text)) AS max_length
FROM legal_chunks
GROUP BY source_type
