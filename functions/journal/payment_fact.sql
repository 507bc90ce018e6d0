-- The log entry of a payment that is or was credited: its transfer on chain, and its order by the hash of the
-- order's token.
create or replace function payment_fact(p payments) returns jsonb language sql stable as $$
  select jsonb_build_object(
           'chain', p.chain, 'transaction', p.transaction_id, 'output', p.output_key, 'block', p.block_hash,
           'address', p.address, 'asset', p.asset, 'currency', k.code, 'amount', trim_scale(p.amount)::text,
           'credited', trim_scale(p.credited)::text,
           'order', encode(sha256(convert_to(o.token, 'UTF8')), 'hex'))
    from orders o join currencies k on k.id = o.currency_id where o.id = p.order_id
$$;
