-- The ledger: double entry, append-only. A posting is one thing that happened; its entries sum to 0 in each asset.

create table postings (
  id bigint generated always as identity primary key,
  kind text not null,
  order_id bigint references orders (id),
  approval integer,
  user_id bigint references users (id),
  reverses_id bigint references postings (id),
  operator_id bigint references operators (id),
  reason text,
  idempotency_key text,
  request_hash bytea,
  posted_at timestamptz not null default clock_timestamp(),
  constraint postings_kind check (kind in ('order_approved', 'order_reversed', 'grant', 'grant_reversed', 'refund_owed', 'refund_paid', 'refund_written_off')),
  constraint postings_of_an_approval_happen_once unique (order_id, kind, approval),
  constraint postings_are_reversed_once unique (reverses_id),
  constraint postings_idempotency unique (operator_id, idempotency_key)
);
create index postings_of_user on postings (user_id, id desc);
comment on column postings.approval is 'orders.approvals at the time: with the order and the kind it makes crediting twice impossible.';

create table entries (
  id bigint generated always as identity primary key,
  posting_id bigint not null references postings (id),
  account text not null,
  user_id bigint,
  stage_id integer,
  asset text not null,
  amount numeric(36, 6) not null,
  constraint entries_account check (account in (
    'sale_supply', 'bonus_supply', 'buyer_purchased', 'buyer_bonus', 'buyer_granted',
    'buyer_deposits', 'raised_on_chain', 'raised_by_operator', 'refunds_owed', 'refunds_paid', 'received'))
);
create index entries_of_posting on entries (posting_id);
create index entries_of_user on entries (user_id, id desc) where user_id is not null;
comment on table entries is 'Signed amounts; buyers'' tokens are positive in buyer_*, what the campaign gave stands negative in *_supply. '
  'Dollars: raised_* positive, buyer_deposits negative.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger entries_append_only before update or delete on entries for each row execute function refuse_change();
create trigger entries_no_truncate before truncate on entries for each statement execute function refuse_change();
create trigger postings_append_only before update or delete on postings for each row execute function refuse_change();
create trigger postings_no_truncate before truncate on postings for each statement execute function refuse_change();

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  operator_id bigint references operators (id),
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_log_of_subject on audit_log (subject_type, subject_id, id desc);
create index audit_log_of_operator on audit_log (operator_id, id desc);
comment on table audit_log is 'Every change that an operator makes: who, when, what, before and after, as references and never as personal data.';
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

create table holdings (
  user_id bigint primary key references users (id),
  purchased_tokens numeric(30, 6) not null default 0,
  bonus_tokens numeric(30, 6) not null default 0,
  granted_tokens numeric(30, 6) not null default 0,
  claimed_tokens numeric(30, 6) not null default 0,
  deposits_usd numeric(20, 2) not null default 0,
  constraint holdings_are_not_negative check (purchased_tokens >= 0 and bonus_tokens >= 0 and granted_tokens >= 0 and deposits_usd >= 0),
  constraint holdings_cover_claims check (purchased_tokens + bonus_tokens + granted_tokens >= claimed_tokens)
) with (fillfactor = 80);
create index holdings_by_deposits on holdings (deposits_usd desc, user_id) where deposits_usd > 0;
comment on table holdings is 'The fold of a buyer''s entries, kept in the same transaction; ledger:check proves that they agree.';

create table sale_totals (
  stage_id integer not null references stages (id),
  day date not null,
  slot integer not null,
  raised_on_chain_usd numeric(20, 2) not null default 0,
  raised_by_operator_usd numeric(20, 2) not null default 0,
  purchased_tokens numeric(30, 6) not null default 0,
  bonus_tokens numeric(30, 6) not null default 0,
  orders_on_chain integer not null default 0,
  orders_by_operator integer not null default 0,
  primary key (stage_id, day, slot)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table sale_totals is 'The fold of approved orders by stage, day (UTC) and connection slot, kept in the same transaction so that no row is hot.';

-- Adds p_sign (1 or -1) times an order to the totals, in this connection's slot and on today's day.
create function add_to_totals(p_order orders, p_via text, p_sign integer) returns void language plpgsql as $$
begin
  insert into sale_totals as t (stage_id, day, slot, raised_on_chain_usd, raised_by_operator_usd, purchased_tokens, bonus_tokens, orders_on_chain, orders_by_operator)
  values (p_order.stage_id, (clock_timestamp() at time zone 'UTC')::date, pg_backend_pid() % 64,
          case when p_via = 'chain' then p_sign * p_order.usd else 0 end, case when p_via = 'operator' then p_sign * p_order.usd else 0 end,
          p_sign * p_order.base_tokens, p_sign * p_order.bonus_tokens,
          case when p_via = 'chain' then p_sign else 0 end, case when p_via = 'operator' then p_sign else 0 end)
  on conflict (stage_id, day, slot) do update set
    raised_on_chain_usd = t.raised_on_chain_usd + excluded.raised_on_chain_usd,
    raised_by_operator_usd = t.raised_by_operator_usd + excluded.raised_by_operator_usd,
    purchased_tokens = t.purchased_tokens + excluded.purchased_tokens,
    bonus_tokens = t.bonus_tokens + excluded.bonus_tokens,
    orders_on_chain = t.orders_on_chain + excluded.orders_on_chain,
    orders_by_operator = t.orders_by_operator + excluded.orders_by_operator;
end $$;

-- Posts an approval (p_sign 1) or its reversal (p_sign -1) of an order: base and bonus tokens, and the dollars.
create function post_order(p_order orders, p_kind text, p_via text, p_sign integer, p_operator_id bigint, p_reason text, p_reverses_id bigint)
returns bigint language plpgsql as $$
declare v_posting bigint;
begin
  insert into postings (kind, order_id, approval, user_id, reverses_id, operator_id, reason)
  values (p_kind, p_order.id, p_order.approvals, p_order.user_id, p_reverses_id, p_operator_id, p_reason)
  returning id into v_posting;
  insert into entries (posting_id, account, user_id, stage_id, asset, amount) values
    (v_posting, 'sale_supply', null, p_order.stage_id, 'TOKEN', -p_sign * p_order.base_tokens),
    (v_posting, 'buyer_purchased', p_order.user_id, p_order.stage_id, 'TOKEN', p_sign * p_order.base_tokens),
    (v_posting, 'bonus_supply', null, p_order.stage_id, 'TOKEN', -p_sign * p_order.bonus_tokens),
    (v_posting, 'buyer_bonus', p_order.user_id, p_order.stage_id, 'TOKEN', p_sign * p_order.bonus_tokens),
    (v_posting, 'buyer_deposits', p_order.user_id, p_order.stage_id, 'USD', -p_sign * p_order.usd),
    (v_posting, case when p_via = 'chain' then 'raised_on_chain' else 'raised_by_operator' end, null, p_order.stage_id, 'USD', p_sign * p_order.usd);
  insert into holdings as h (user_id, purchased_tokens, bonus_tokens, deposits_usd)
  values (p_order.user_id, greatest(0, p_sign * p_order.base_tokens), greatest(0, p_sign * p_order.bonus_tokens), greatest(0, p_sign * p_order.usd))
  on conflict (user_id) do update set
    purchased_tokens = h.purchased_tokens + p_sign * p_order.base_tokens,
    bonus_tokens = h.bonus_tokens + p_sign * p_order.bonus_tokens,
    deposits_usd = h.deposits_usd + p_sign * p_order.usd;
  perform add_to_totals(p_order, p_via, p_sign);
  return v_posting;
end $$;

-- Approves an order and credits it, exactly once, in one statement: status, postings, entries, holdings, totals, audit and
-- outbox are one transaction. changed = false where it stood approved already. An order that holds nothing any more
-- (expired, rejected) holds again first. Refusals: order_unknown, order_state, cap_reached, supply_reached.
create function approve_order(p_order_id bigint, p_via text, p_operator_id bigint, p_reason text, p_request_id text,
  out refusal text, out changed boolean) language plpgsql as $$
declare v_order orders%rowtype; v_before text;
begin
  changed := false;
  select * into v_order from orders where id = p_order_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  if v_order.status = 'approved' then return; end if;
  if v_order.detail in ('refunded', 'refund_due') then refusal := 'order_state'; return; end if;
  if not v_order.held then
    refusal := take_capacity(v_order.stage_id, v_order.usd, v_order.base_tokens, v_order.bonus_tokens);
    if refusal is not null then return; end if;
  end if;
  v_before := v_order.status;
  update orders set status = 'approved', detail = case when p_via = 'chain' then 'credited' else 'approved_by_operator' end,
         held = false, approvals = approvals + 1, approved_via = p_via, approved_at = clock_timestamp(), updated_at = clock_timestamp()
   where id = p_order_id returning * into v_order;
  perform post_order(v_order, 'order_approved', p_via, 1, p_operator_id, p_reason, null);
  insert into order_events (order_id, kind, actor, operator_id, details)
  values (p_order_id, 'approved', case when p_operator_id is null then 'chain' else 'operator' end, p_operator_id, jsonb_strip_nulls(jsonb_build_object('reason', p_reason)));
  if p_operator_id is not null then
    insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
    values (p_operator_id, 'order.approve', 'order', p_order_id::text, jsonb_build_object('status', v_before),
            jsonb_strip_nulls(jsonb_build_object('status', 'approved', 'reason', p_reason)), p_request_id);
  end if;
  insert into outbox (kind, order_id, user_id) values ('order_approved', p_order_id, v_order.user_id);
  if exists (select 1 from campaign where first_approved_at is null) then
    update campaign set first_approved_at = clock_timestamp() where first_approved_at is null;
  end if;
  changed := true;
end $$;

-- Rejects an order. A pending one lets go what it holds; an approved one is debited exactly what was credited, in its own
-- stage, by entries of its own. One whose money goes back keeps saying so: it can't be approved again. Refusals: order_unknown, order_state, tokens_claimed (the balance would fall below what is claimed).
create function reject_order(p_order_id bigint, p_operator_id bigint, p_reason text, p_request_id text,
  out refusal text, out changed boolean) language plpgsql as $$
declare v_order orders%rowtype; v_holding holdings%rowtype; v_via text; v_before text; v_approval bigint;
begin
  changed := false;
  select * into v_order from orders where id = p_order_id for update;
  if not found then refusal := 'order_unknown'; return; end if;
  if v_order.status = 'rejected' then return; end if;
  v_before := v_order.status;
  if v_order.held or v_order.status = 'approved' then
    perform lock_pools();
  end if;
  if v_order.status = 'approved' then
    select * into v_holding from holdings where user_id = v_order.user_id for update;
    if v_holding.purchased_tokens + v_holding.bonus_tokens + v_holding.granted_tokens - v_order.base_tokens - v_order.bonus_tokens
       < v_holding.claimed_tokens then
      refusal := 'tokens_claimed'; return;
    end if;
    v_via := v_order.approved_via;
    select id into v_approval from postings where order_id = p_order_id and kind = 'order_approved' and approval = v_order.approvals;
    perform post_order(v_order, 'order_reversed', v_via, -1, p_operator_id, p_reason, v_approval);
  end if;
  update orders set status = 'rejected', held = false, approved_via = null, approved_at = null, updated_at = clock_timestamp(),
         detail = case when v_before = 'approved' then 'reversed' when v_order.detail in ('refund_due', 'refunded') then v_order.detail
                       else 'rejected_by_operator' end
   where id = p_order_id;
  if v_order.held or v_before = 'approved' then
    perform release_capacity(v_order.stage_id, v_order.usd, v_order.base_tokens, v_order.bonus_tokens);
  end if;
  insert into order_events (order_id, kind, actor, operator_id, details)
  values (p_order_id, case when v_before = 'approved' then 'reversed' else 'rejected' end,
          case when p_operator_id is null then 'system' else 'operator' end, p_operator_id, jsonb_strip_nulls(jsonb_build_object('reason', p_reason)));
  if p_operator_id is not null then
    insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
    values (p_operator_id, 'order.reject', 'order', p_order_id::text, jsonb_build_object('status', v_before),
            jsonb_strip_nulls(jsonb_build_object('status', 'rejected', 'reason', p_reason)), p_request_id);
  end if;
  insert into outbox (kind, order_id, user_id) values ('order_rejected', p_order_id, v_order.user_id);
  changed := true;
end $$;

-- Grants tokens out of the bonus share. Returns the posting's id, also for a repeat with the same key and hash.
-- Refusals: idempotency_key_reused, user_unknown, supply_reached. A grant of 0 writes nothing.
create function grant_tokens(p_user_id bigint, p_amount numeric, p_operator_id bigint, p_reason text, p_request_id text,
  p_idempotency_key text, p_request_hash bytea, out refusal text, out posting_id bigint) language plpgsql as $$
declare v_left numeric; v_known postings%rowtype;
begin
  perform lock_pools();
  if p_idempotency_key is not null then
    select * into v_known from postings p where p.operator_id = p_operator_id and p.idempotency_key = p_idempotency_key;
    if found then
      if v_known.request_hash is distinct from p_request_hash then refusal := 'idempotency_key_reused'; return; end if;
      posting_id := v_known.id;
      return;
    end if;
  end if;
  perform 1 from users where id = p_user_id and deleted_at is null;
  if not found then refusal := 'user_unknown'; return; end if;
  if p_amount = 0 then return; end if;
  select pool_bonus_tokens into v_left from campaign_capacity;
  if v_left < p_amount then
    perform call_in_slots();
    select pool_bonus_tokens into v_left from campaign_capacity;
    if v_left < p_amount then refusal := 'supply_reached'; return; end if;
  end if;
  update campaign_capacity set pool_bonus_tokens = pool_bonus_tokens - p_amount, granted_tokens = granted_tokens + p_amount;
  insert into postings (kind, user_id, operator_id, reason, idempotency_key, request_hash)
  values ('grant', p_user_id, p_operator_id, p_reason, p_idempotency_key, p_request_hash) returning id into posting_id;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (grant_tokens.posting_id, 'bonus_supply', null, 'TOKEN', -p_amount),
    (grant_tokens.posting_id, 'buyer_granted', p_user_id, 'TOKEN', p_amount);
  insert into holdings as h (user_id, granted_tokens) values (p_user_id, p_amount)
  on conflict (user_id) do update set granted_tokens = h.granted_tokens + p_amount;
  insert into audit_log (operator_id, action, subject_type, subject_id, after, request_id)
  values (p_operator_id, 'grant.add', 'user', p_user_id::text, jsonb_build_object('posting', grant_tokens.posting_id::text, 'amount', p_amount::text, 'reason', p_reason), p_request_id);
  insert into outbox (kind, user_id) values ('grant_added', p_user_id);
end $$;

-- Takes a grant back by entries of its own, never below 0. Refusals: grant_unknown, already_reversed, tokens_claimed.
create function reverse_grant(p_posting_id bigint, p_operator_id bigint, p_request_id text,
  out refusal text, out posting_id bigint) language plpgsql as $$
declare v_grant postings%rowtype; v_amount numeric; v_holding holdings%rowtype;
begin
  select * into v_grant from postings where id = p_posting_id and kind = 'grant';
  if not found then refusal := 'grant_unknown'; return; end if;
  perform lock_pools();
  if exists (select 1 from postings where reverses_id = p_posting_id) then refusal := 'already_reversed'; return; end if;
  select amount into v_amount from entries e where e.posting_id = p_posting_id and account = 'buyer_granted';
  select * into v_holding from holdings where user_id = v_grant.user_id for update;
  if v_holding.granted_tokens < v_amount
     or v_holding.purchased_tokens + v_holding.bonus_tokens + v_holding.granted_tokens - v_amount < v_holding.claimed_tokens then
    refusal := 'tokens_claimed'; return;
  end if;
  insert into postings (kind, user_id, operator_id, reverses_id) values ('grant_reversed', v_grant.user_id, p_operator_id, p_posting_id)
  returning id into posting_id;
  insert into entries (posting_id, account, user_id, asset, amount) values
    (reverse_grant.posting_id, 'buyer_granted', v_grant.user_id, 'TOKEN', -v_amount),
    (reverse_grant.posting_id, 'bonus_supply', null, 'TOKEN', v_amount);
  update holdings set granted_tokens = granted_tokens - v_amount where user_id = v_grant.user_id;
  update campaign_capacity set pool_bonus_tokens = pool_bonus_tokens + v_amount, granted_tokens = granted_tokens - v_amount;
  insert into audit_log (operator_id, action, subject_type, subject_id, before, after, request_id)
  values (p_operator_id, 'grant.reverse', 'user', v_grant.user_id::text, jsonb_build_object('posting', p_posting_id::text),
          jsonb_build_object('posting', reverse_grant.posting_id::text), p_request_id);
  insert into outbox (kind, user_id) values ('grant_reversed', v_grant.user_id);
end $$;

-- Puts goals, caps and shares in force: calls everything in and sets each pool to its limit less what orders and grants
-- hold. Refusals where less than that would be left: cap_reached, supply_reached. One transaction with the change itself.
create function set_capacity(p_hard_cap_usd numeric, p_sale_tokens numeric, p_bonus_tokens numeric)
returns text language plpgsql as $$
declare v_taken record; v_granted numeric; v_stage record;
begin
  insert into campaign_capacity (id, pool_usd, pool_sale_tokens, pool_bonus_tokens) values (1, 0, 0, 0) on conflict do nothing;
  insert into stage_capacity (stage_id, pool_usd) select id, 0 from stages on conflict do nothing;
  insert into capacity_slots (stage_id, slot) select s.id, n from stages s, generate_series(0, 63) n on conflict do nothing;
  perform lock_pools();
  perform call_in_slots();
  select granted_tokens into v_granted from campaign_capacity;
  for v_stage in
    select s.id, s.goal_usd - coalesce(sum(o.usd), 0) as left_usd
      from stages s left join orders o on o.stage_id = s.id and (o.held or o.status = 'approved') group by s.id
  loop
    if v_stage.left_usd < 0 then return 'cap_reached'; end if;
    update stage_capacity set pool_usd = v_stage.left_usd where stage_id = v_stage.id;
  end loop;
  select coalesce(sum(usd), 0) as usd, coalesce(sum(base_tokens), 0) as sale, coalesce(sum(bonus_tokens), 0) as bonus into v_taken
    from orders where held or status = 'approved';
  if p_hard_cap_usd < v_taken.usd then return 'cap_reached'; end if;
  if p_sale_tokens < v_taken.sale or p_bonus_tokens < v_taken.bonus + v_granted then return 'supply_reached'; end if;
  update campaign_capacity
     set pool_usd = p_hard_cap_usd - v_taken.usd, pool_sale_tokens = p_sale_tokens - v_taken.sale,
         pool_bonus_tokens = p_bonus_tokens - v_taken.bonus - v_granted;
  return null;
end $$;
