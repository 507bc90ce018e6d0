-- Returns the Merkle proof of a leaf of a round's tree: the sibling of each node on the way to the root; null
-- if there is no such leaf. Leaves are the tree's last nodes, in descending order, so a binary search finds
-- one.
-- Rules: DELIVER-37
create or replace function proof_of_leaf(p_round integer, p_leaf bytea) returns bytea[]
language plpgsql stable as $$
declare v_count integer; v_low integer; v_high integer; v_at integer; v_proof bytea[] := '{}';
begin
  select row_count into v_count from delivery_round_files where round = p_round;
  if not found then return null; end if;
  v_low := v_count - 1;
  v_high := 2 * v_count - 2;
  while v_low < v_high loop
    v_at := (v_low + v_high) / 2;
    if tree_node(p_round, v_at) > p_leaf then v_low := v_at + 1; else v_high := v_at; end if;
  end loop;
  if tree_node(p_round, v_low) <> p_leaf then return null; end if;
  while v_low > 0 loop
    v_proof := v_proof || tree_node(p_round, case v_low % 2 when 1 then v_low + 1 else v_low - 1 end);
    v_low := (v_low - 1) / 2;
  end loop;
  return v_proof;
end $$;
