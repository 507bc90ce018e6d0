import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const orders = 'src/server/orders/orders.test.ts'
const rules = 'src/server/orders/order-rules.test.ts'
const states = 'src/server/orders/order-states.test.ts'
const refusals = 'src/server/orders/order-refusals.test.ts'
const quotes = 'src/server/orders/quotes.test.ts'
const holding = 'src/server/orders/holding.test.ts'

/** Orders, quotes and the room that they take. */
export const orderMutants = mutantsOf({
  'order-risks-version': {
    says: 'An order is made though the risk notice has changed since it was read.',
    edits: remove('draft_orders', "or (r.declarations ->> 'risksVersion')::integer <> sale.risks"),
    killers: embedded(refusals),
  },
  'order-key-other-body': {
    says: 'A key that comes again with another body answers the order of the first.',
    edits: replace(
      'draft_orders',
      "case when o.request_hash is distinct from r.request_hash then 'idempotency_key_reused' end",
      'null',
    ),
    killers: embedded(rules),
  },
  'slot-lacks-bonus': {
    says: 'A slot that lacks bonus tokens serves an order.',
    edits: remove('take_capacity', 'and bonus_tokens >= p_bonus'),
    killers: embedded(refusals),
  },
  'refill-unlocked': {
    says: 'A slot is refilled without the locks of the pools.',
    edits: [
      replace(
        'refill_and_take',
        'where stage_id = p_stage for update; select',
        'where stage_id = p_stage; select',
      ),
      replace('refill_and_take', 'from campaign_capacity for update;', 'from campaign_capacity;'),
    ],
    killers: embedded(orders),
  },
  'expiry-of-paid': {
    says: 'Orders expire whose payment is seen or confirming.',
    edits: [
      replace(
        'expire_orders',
        "if not exists (select 1 from orders where status = 'pending' and detail = 'awaiting_payment'",
        "if not exists (select 1 from orders where status = 'pending' and held",
      ),
      replace(
        'expire_orders',
        "where status = 'pending' and detail = 'awaiting_payment' and expires_at <= clock_timestamp() and not may_be_paid_in_escrow(quote_id) order by",
        "where status = 'pending' and held and expires_at <= clock_timestamp() and not may_be_paid_in_escrow(quote_id) order by",
      ),
    ],
    killers: embedded(states),
  },
  'unpaid-orders-take-the-stage': {
    says: 'Unpaid orders hold as much of a stage as they like.',
    edits: replace(
      'hold_drafts',
      "case when places_are_scarce(d.stage_id, 0) then 'place_not_held' else",
      'case when true then',
    ),
    killers: embedded(holding),
  },
  'promised-places-without-limit': {
    says: 'Quotes that were asked for before make one buyer hold any sum.',
    edits: replace('draft_orders', 'q.usd > most_held_usd(', 'q.usd > 1000 * most_held_usd('),
    killers: embedded(holding),
  },
  'dust-takes-the-place': {
    says: 'A little of a payment takes the place of an order that holds nothing.',
    edits: replace(
      'settlement_waits',
      'or ((f.now >= f.expires_at or not f.holds_unpaid) and not v_is_covered); s.takes_place := v_is_covered and',
      'or (f.now >= f.expires_at and not v_is_covered); s.takes_place := f.in_time + f.expected_in_time > 0 and',
    ),
    killers: embedded('src/server/payments/settling.test.ts'),
  },
  'cancel-paid': {
    says: 'A buyer cancels an order that is paid.',
    edits: replace(
      'order_allows',
      "when 'cancel' then p_status = 'pending' and p_detail in ('awaiting_payment', 'expired')",
      "when 'cancel' then p_status = 'pending'",
    ),
    killers: embedded(states),
  },
  'cancel-unlocked': {
    says: 'An order is cancelled without its lock, while it is approved or cancelled by another.',
    edits: remove('cancel_order', 'for update'),
    killers: embedded(refusals),
  },
  'orders-of-one-buyer-unqueued': {
    says: 'Orders of one buyer are made side by side, so that more than 20 stay open.',
    edits: remove(
      'create_orders',
      'perform queue_up(r.user_id) from (select user_id from unnest(p_requests) order by user_id) r;',
    ),
    killers: embedded(orders),
  },
  'order-of-expired-quote': {
    says: 'An expired quote makes an order.',
    edits: [
      remove('draft_orders', "when q.expires_at <= p_now then 'quote_expired'"),
      remove('create_orders', 'and q.expires_at > v_now'),
    ],
    killers: embedded(orders),
  },
  'stage-end-inclusive': {
    says: 'A stage takes an order in the microsecond of its end.',
    edits: replace('draft_orders', 'p_now >= s.ends_at', 'p_now > s.ends_at'),
    killers: embedded(rules),
  },
  'order-currency-off': {
    says: 'A currency that was switched off after the quote takes an order.',
    edits: remove('draft_orders', "when k.switched_off_at is not null then 'currency_off'"),
    killers: embedded(rules),
  },
  'order-without-texts': {
    says: 'An order is made without terms and risks in force.',
    edits: remove('draft_orders', "when sale.terms is null or sale.risks is null then 'sale_not_ready'"),
    killers: embedded(refusals),
  },
  'supply-unchecked': {
    says: 'Where pools are nearly dry, the sold share and the bonus share are not looked at.',
    edits: remove(
      'refill_and_take',
      "if p_sale > v_sale or p_bonus > v_bonus then return 'supply_reached'; end if;",
    ),
    killers: embedded(refusals),
  },
  'order-while-paused': {
    says: 'A paused sale takes orders.',
    edits: remove('draft_orders', "when sale.paused_at is not null then 'sale_paused'"),
    killers: embedded(rules),
  },
  'hard-cap-unchecked': {
    says: 'Where pools are nearly dry, the hard cap is not looked at.',
    edits: replace(
      'refill_and_take',
      'if p_usd > least(v_goal, v_cap) then return',
      'if p_usd > v_goal then return',
    ),
    killers: embedded(refusals),
  },
  'fixed-address-expiry': {
    says: 'An order at a fixed address expires after the time of watched ones.',
    edits: replace(
      'draft_orders',
      'case when q.watched then sale.expiry_minutes_watched else sale.expiry_minutes_fixed end',
      'sale.expiry_minutes_watched',
    ),
    killers: embedded(refusals),
  },
  'quote-without-balance': {
    says: 'A quote ignores the level that its buyer holds.',
    edits: replace(
      'src/server/orders/quote-basis.ts:readBasis',
      'coalesce(h.purchased_tokens + h.bonus_tokens + h.granted_tokens, 0) as balance',
      "'0' as balance",
    ),
    killers: embedded(quotes),
  },
  'quote-without-grants': {
    says: 'Granted tokens do not count for the level of a quote.',
    edits: remove('src/server/orders/quote-basis.ts:readBasis', '+ h.granted_tokens'),
    killers: embedded(quotes),
  },
  'phone-not-required': {
    says: 'A sale that requires a phone number quotes to a buyer without one.',
    edits: remove(
      'src/server/orders/quotes.ts:prepare',
      "if (row.settings.buyers.phone === 'required' && !row.has_phone) refuse('phone_required')",
    ),
    killers: embedded(quotes),
  },
  'quote-holds-ten-times': {
    says: 'A quote holds its rate ten times as long as the campaign says.',
    edits: replace(
      'src/server/orders/quote-rows.ts:writeQuote',
      'make_interval(mins => ${row.settings.quoteMinutes})',
      'make_interval(mins => 10 * ${row.settings.quoteMinutes})',
    ),
    killers: embedded(quotes),
  },
  'quote-above-hard-cap': {
    says: 'A quote is given beyond the hard cap.',
    edits: replace(
      'src/server/orders/quotes.ts:amountsOf',
      'divide(smaller(row.left_stage_usd, row.left_usd), row.price_usd)',
      'divide(row.left_stage_usd, row.price_usd)',
    ),
    killers: embedded(quotes),
  },
  'quote-replaced-wallet': {
    says: 'A quote names the wallet that was replaced while it was made.',
    edits: remove('src/server/orders/quote-rows.ts:writeQuote', 'and (k.watched or k.address = ${address})'),
    killers: embedded(rules),
  },
  'country-left-out': {
    says: 'Where countries are refused, an order may leave its country out.',
    edits: remove(
      'src/server/orders/orders.ts:checkDeclarations',
      "if (rules.countriesRefused.length > 0 && !input.country) refuse('declaration_missing', { field: 'country' })",
    ),
    killers: embedded(refusals),
  },
  'order-of-another-buyer': {
    says: 'A buyer reads another buyer’s order.',
    edits: replace(
      'src/server/orders/orders.ts:readOrder',
      'where o.token = ${token} and o.user_id = ${userId}`',
      'where o.token = ${token} and ${userId}::bigint > 0`',
    ),
    killers: embedded('src/server/http/orders.test.ts'),
  },
  'transaction-id-unguarded': {
    says: 'The statement that names a transaction does not ask the order’s state again under its lock.',
    edits: remove(
      'src/server/orders/orders.ts:nameTransaction',
      "and order_allows('enter_transaction_id', status, detail, hidden, watched)",
    ),
    killers: embedded(refusals),
  },
  'goal-reached-shown-open': {
    says: 'A stage whose goal is reached shows as open.',
    edits: replace('src/server/campaign/read-campaign.ts:stageState', 'if (compare(… >= 0)', 'if (false)'),
    killers: embedded(refusals),
  },
  'rate-of-the-stage-before': {
    says: 'A quote is bound to the value of a stage that is over.',
    edits: replace(
      'src/server/orders/quotes.ts:ratesInForce',
      'where s.starts_at > since and s.starts_at <=',
      'where s.id < 0 and s.starts_at > since and s.starts_at <=',
    ),
    killers: embedded(quotes),
  },
  'transaction-moved-under-an-approval': {
    says: 'An approval that waits is confirmed though its buyer names another transaction by then.',
    edits: never(
      'src/server/ledger/ledger-actions.ts:approveOrder',
      'order && order.transaction_id !== named',
    ),
    killers: embedded('test/security-regressions/transaction-moved-under-an-approval.test.ts'),
  },
  'transaction-of-what-is-owed': {
    says: 'A transaction whose money is owed back approves another order.',
    edits: replace('transaction_is_taken', "r.state <> 'written_off'", 'false'),
    killers: embedded('test/security-regressions/said-later-of-a-fixed-address.test.ts'),
  },
  'said-paid-and-rejected-by-one': {
    says: 'One of two operators rejects an order at a fixed address whose buyer says that it is paid.',
    edits: replace('src/server/ledger/ledger-actions.ts:approvalForTakingBack', '|| isSaidPaid ||', '||'),
    killers: embedded('test/security-regressions/said-later-of-a-fixed-address.test.ts'),
  },
})
