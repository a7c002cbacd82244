-- Files and folders that the user's patterns left out at the last full poll.
alter table source_looks add column left_out integer not null default 0;
