-- A node of a round's Merkle tree; p_at 0 is the root.
create or replace function tree_node(p_round integer, p_at integer) returns bytea language sql stable as $$
  select substring(tree from 32 * p_at + 1 for 32) from delivery_round_files where round = p_round
$$;
