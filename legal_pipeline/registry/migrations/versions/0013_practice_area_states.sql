-- The leaves of each practice area: their number, and the sum of their hashes. Kept by the database with every change of a leaf, so that
-- nobody reads all judgments to learn which area changed.
create table practice_area_states (
    area   text primary key,
    leaves bigint not null,
    state  numeric not null
);
create function practice_area_leaf_hash(leaf practice_area_leaves) returns numeric language sql stable as $$
    select hashtextextended(concat_ws(' ', leaf.jurisdiction, leaf.language, leaf.node, leaf.document_id, leaf.leaf_hash), 0)::numeric
$$;
insert into practice_area_states (area, leaves, state)
    select area, count(*), sum(practice_area_leaf_hash(leaf)) from practice_area_leaves as leaf group by area;
create function count_practice_area_leaf() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        update practice_area_states set leaves = leaves - 1, state = state - practice_area_leaf_hash(old) where area = old.area;
    end if;
    if tg_op <> 'DELETE' then
        insert into practice_area_states as known (area, leaves, state) values (new.area, 1, practice_area_leaf_hash(new))
            on conflict (area) do update set leaves = known.leaves + 1, state = known.state + excluded.state;
    end if;
    return null;
end
$$;
create trigger practice_area_leaves_counted after insert or update or delete on practice_area_leaves
    for each row execute function count_practice_area_leaf();
