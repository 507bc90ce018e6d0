-- Returns whether what a payment brought stays although the chain lost it: a round lists its tokens, or a
-- chain showed the transfer of its refund.
-- Rules: DELIVER-29, REFUND-12
create or replace function is_bound(p payments) returns boolean language sql stable as $$
  select is_in_round(p) or exists (
    select from refunds r
     where r.payment_id = p.id
       and (r.state = 'paid'
            or r.state = 'sent' and (r.output_key is not null or r.block_height is not null)))
$$;
