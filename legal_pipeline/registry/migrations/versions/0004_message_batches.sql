-- A document whose requests are in a Message Batch that has not ended waits for a run that goes on with the answers.
alter table source_documents drop constraint if exists source_documents_processing_status_check;
alter table source_documents add constraint source_documents_processing_status_check
    check (processing_status in ('pending', 'processing', 'waiting', 'completed', 'failed'));

create index llm_requests_in_batches on llm_requests (document_id) where state in ('submitting', 'submitted');

-- Dollars spent or reserved, by run (`run <id>`) and by day of the request in UTC (`day 2026-11-22`): a claim reads two rows, however
-- many requests the day has seen.
create table llm_spending (
    period text primary key,
    usd    numeric(16, 8) not null default 0
);

create function llm_spending_of(run_id text, requested_at timestamptz) returns setof text language sql stable as $$
    values ('run ' || run_id), ('day ' || to_char(requested_at at time zone 'UTC', 'YYYY-MM-DD'))
$$;

insert into llm_spending (period, usd)
    select period, sum(cost_usd + reserved_usd) from llm_requests, llm_spending_of(run_id, requested_at) as period
    group by period having sum(cost_usd + reserved_usd) <> 0;

-- In the order of the periods, so that two workers lock their rows in the same order.
create function add_up_new_llm_requests() returns trigger language plpgsql as $$
begin
    insert into llm_spending as known (period, usd)
        select period, sum(cost_usd + reserved_usd) from after_rows, llm_spending_of(run_id, requested_at) as period
        group by period having sum(cost_usd + reserved_usd) <> 0 order by period
    on conflict (period) do update set usd = known.usd + excluded.usd;
    return null;
end $$;

create function add_up_changed_llm_requests() returns trigger language plpgsql as $$
begin
    insert into llm_spending as known (period, usd)
        select period, sum(usd) from (
            select period, cost_usd + reserved_usd as usd from after_rows, llm_spending_of(run_id, requested_at) as period
            union all
            select period, -(cost_usd + reserved_usd) from before_rows, llm_spending_of(run_id, requested_at) as period
        ) as changes
        group by period having sum(usd) <> 0 order by period
    on conflict (period) do update set usd = known.usd + excluded.usd;
    return null;
end $$;

create function add_up_deleted_llm_requests() returns trigger language plpgsql as $$
begin
    insert into llm_spending as known (period, usd)
        select period, -sum(cost_usd + reserved_usd) from before_rows, llm_spending_of(run_id, requested_at) as period
        group by period having sum(cost_usd + reserved_usd) <> 0 order by period
    on conflict (period) do update set usd = known.usd + excluded.usd;
    return null;
end $$;

create function forget_llm_spending() returns trigger language plpgsql as $$
begin
    delete from llm_spending;
    return null;
end $$;

create trigger add_up_new after insert on llm_requests
    referencing new table as after_rows for each statement execute function add_up_new_llm_requests();
create trigger add_up_changed after update on llm_requests
    referencing old table as before_rows new table as after_rows for each statement execute function add_up_changed_llm_requests();
create trigger add_up_deleted after delete on llm_requests
    referencing old table as before_rows for each statement execute function add_up_deleted_llm_requests();
create trigger forget_all after truncate on llm_requests for each statement execute function forget_llm_spending();
