-- Rows that were written before their parent came.
update {table} as child set parent_section_id = parent.id
from {table} as parent
where child.document_id = any(%s) and child.parent_section_id is null and child.parent_chunk_id is not null
  and parent.document_id = child.document_id and parent.chunk_id = child.parent_chunk_id
