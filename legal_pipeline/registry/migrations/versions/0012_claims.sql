-- The worker that processes the document; its claim counts while the worker lives. Null: no run has claimed it.
alter table due_documents add column claimed_by integer;
create index due_documents_claimed on due_documents (claimed_by) where claimed_by is not null;
