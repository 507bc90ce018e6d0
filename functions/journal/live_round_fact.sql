-- The log entry of a live round: the contract where its tokens are claimed.
create or replace function live_round_fact(d delivery_distributors) returns jsonb language sql stable as $$
  select jsonb_build_object('round', d.round, 'chainId', d.chain_id, 'contract', d.address, 'token', r.token,
                            'codeHash', d.code_hash, 'height', d.height, 'blockHash', d.block_hash)
    from delivery_rounds r where r.number = d.round
$$;
