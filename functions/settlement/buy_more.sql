-- More was paid in time for an approved order: reverses what it bought and approves it for the whole, in one
-- write. Answers false and leaves the order as it is where there is no room for more, where tokens of it are
-- in a delivery round, or where it earned somebody a reward: no stranger's payment takes a reward back.
-- Rules: SETTLE-10, SETTLE-12, REFER-6
create or replace function buy_more(o orders) returns boolean language plpgsql as $$
declare v_again orders%rowtype; s settlement;
begin
  if exists (select from referral_decisions
              where order_id = o.id and approval = o.approvals and posting_id is not null) then
    return false;
  end if;
  -- A refusal undoes what this block wrote.
  begin
    if take_back_credit(o, 'paid_more') is null then
      select * into v_again from orders where id = o.id;
      s := settlement_of(facts_of_order(v_again));
      if s.act = 'approve' and approve_settled(v_again, s) is null then
        perform credit_payments(o.id, s.credited);
        return true;
      end if;
    end if;
    raise exception 'refused' using errcode = 'PS001';
  exception when sqlstate 'PS001' then return false;
  end;
end $$;
