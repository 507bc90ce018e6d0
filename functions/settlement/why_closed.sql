-- Returns why an order's payments buy nothing more, or null: the order is rejected or taken back, its account
-- is deleted, or the soft cap was missed. Until the transaction ends, the account can't be deleted and no
-- verdict written.
-- Rules: SETTLE-12, REFUND-10, BACK-2
create or replace function why_closed(o orders) returns text language plpgsql as $$
begin
  if o.status = 'rejected' then
    return coalesce((select case e.actor when 'system' then 'soft_cap_missed'
                                         when 'buyer' then 'taken_back' end from order_events e
                      where e.order_id = o.id and e.kind in ('rejected', 'reversed')
                      -- Later events of these kinds report more money.
                      order by e.id limit 1), 'order_rejected');
  end if;
  perform from users where id = o.user_id and deleted_at is null for key share;
  return case when not found then 'account_deleted'
              when soft_cap_verdict_held() = 'missed' then 'soft_cap_missed' end;
end $$;
