-- Returns, for each asset, what the escrow's live orders at the last reading had paid, and how much of it the
-- contract still held. The rest went to the treasury.
-- Rules: DELIVER-19
create or replace function money_in_escrow(p_escrow_id integer) returns jsonb language sql stable as $$
  with paid as (
    select split_part(a.address, ':', 6) as asset, max(k.code) as currency, sum(p.amount) as amount,
           -- Currency units for one smallest unit of the asset.
           min(p.amount / nullif(split_part(a.address, ':', 7), '')::numeric) as unit
      from escrow_looks l join wallet_addresses a on a.escrow_id = l.escrow_id
      join payments p on p.address = a.address and p.block_height <= l.height
      join currencies k on k.id = a.currency_id
     where l.escrow_id = p_escrow_id
       and not (p.failed or p.replaced_by is not null or p.orphaned_at is not null)
       and (p.returned_height is null or p.returned_height > l.height)
     group by 1)
  select coalesce(jsonb_agg(jsonb_build_object(
           'asset', p.asset, 'currency', p.currency, 'paid', trim_scale(p.amount)::text,
           'held', trim_scale(coalesce((
             select (l.raised ->> (x.place - 1)::integer)::numeric * p.unit
               from unnest(e.assets) with ordinality x(asset, place)
              where lower(x.asset) = p.asset), 0))::text) order by p.currency), '[]')
    from paid p join escrows e on e.id = p_escrow_id join escrow_looks l on l.escrow_id = e.id
$$;
