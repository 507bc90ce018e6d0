-- A transfer of coins that a block holds counts from now on. Where a balance from then or later had
-- shown them, that payment brought the less, or nothing: then it has failed.
-- Rules: SETTLE-25
create or replace function take_from_balance(p_transfer chain_transfer, a wallet_addresses)
returns void language plpgsql as $$
declare t chain_transfer := p_transfer; p payments%rowtype; v_left numeric := t.amount; v_part numeric;
begin
  if t.asset <> 'native' or t.height is null or t.failed or t.output_key = 'balance'
     or t.height <= a.base_height then
    return;
  end if;
  for p in
    select * from payments
     where chain = t.chain and address = a.address and output_key = 'balance' and alive
       and block_height >= t.height
     order by block_height, id for update
  loop
    v_part := least(v_left, p.amount);
    v_left := v_left - v_part;
    if v_part = p.amount then
      update payments set failed = true where id = p.id;
    elsif v_part > 0 then
      perform change_payment_amount(p.id, p.amount - v_part, p.currency_id);
    end if;
  end loop;
end $$;
