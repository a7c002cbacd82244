-- Chunks that might contain denial arguments. A basic check: it knows two turns of phrase.
SELECT id, source_section, chunk_text
FROM legal_chunks
WHERE source_type = 'appeal_decision'
  AND is_winning_argument = true
  AND (chunk_text ILIKE '%director denied%'
       OR chunk_text ILIKE '%director found insufficient%')
