import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const orders = 'src/server/orders/orders.test.ts'
const rules = 'src/server/orders/order-rules.test.ts'
const refusals = 'src/server/orders/order-refusals.test.ts'
const pricing = 'src/server/orders/pricing.test.ts'
const http = 'src/server/http/orders.test.ts'
const deleted = 'test/security-regressions/paid-in-time-by-a-deleted-account.test.ts'
const signed = 'src/server/escrows/escrow-orders.test.ts'

export const orderMutants = mutantsOf({
  'order-risks-version': {
    says: 'An order is made though the risk notice has changed since it was read.',
    edits: remove('draft_orders', "or (r.declarations ->> 'risksVersion')::integer <> sale.risks"),
    killers: embedded(refusals),
  },
  'orders-of-the-unproved': {
    says: 'Buyers with an unconfirmed address make as many orders as others.',
    edits: never('src/server/orders/orders.ts:create', '!purchase.row.is_confirmed'),
    killers: embedded('test/security-regressions/unpaid-orders-in-the-queue.test.ts'),
  },
  'named-without-end': {
    says: 'A buyer changes the transaction of an order as often as requests are allowed, and each change is kept for ever.',
    edits: never('src/server/orders/orders.ts:nameTransaction', 'count >= NAMED_MOST'),
    killers: embedded('src/server/orders/order-rules.test.ts'),
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
  'bonus-share-unchecked': {
    says: 'A purchase without bonus tokens left is made.',
    edits: remove('take_capacity', 'and p_bonus <= pool_bonus_tokens'),
    killers: embedded(refusals),
  },
  'pools-unlocked': {
    says: 'What is left is read without its lock.',
    edits: replace('lock_pools', 'for update', ''),
    killers: embedded(orders),
  },
  'signed-orders-take-the-stage': {
    says: 'What is signed for an escrow takes as much of a stage as it likes.',
    edits: never('too_much_is_signed', 'v_signed_usd + o.usd > (v_left_usd + o.room_usd + v_signed_usd) / 2'),
    killers: embedded(signed),
  },
  'signed-orders-take-the-tokens': {
    says: 'What is signed for an escrow takes as many of the tokens that are left as it likes.',
    edits: never(
      'too_much_is_signed',
      'v_signed_tokens + o.base_tokens > (v_left_tokens + o.room_base + v_signed_tokens) / 2',
    ),
    killers: embedded('test/security-regressions/signed-in-two-escrows.test.ts'),
  },
  'signed-orders-take-what-they-ask': {
    says: 'What is signed for an escrow counts as what its orders ask for, whatever room they have.',
    edits: replace('too_much_is_signed', 'sum(room_usd)', 'sum(usd)'),
    killers: embedded('test/security-regressions/signed-in-two-escrows.test.ts'),
  },
  'signatures-of-two-escrows-at-once': {
    says: 'Two escrows of a stage are signed for at once without waiting for each other.',
    edits: remove(
      'sign_escrow_quote',
      "perform pg_advisory_xact_lock(hashtextextended('signatures of a stage', o.stage_id));",
    ),
    killers: embedded('test/security-regressions/signed-in-two-escrows.test.ts'),
  },
  'signature-without-its-tokens': {
    says: 'A signature that lives is given again though its tokens were let go.',
    edits: replace('sign_escrow_quote', 'if o.held and valid_until', 'if valid_until'),
    killers: embedded('test/security-regressions/signed-again-while-it-is-let-go.test.ts'),
  },
  'price-of-another-moment': {
    says: 'An order is made at a main value that is over.',
    edits: remove('draft_orders', "when r.price_usd <> sale.price_usd then 'price_changed'"),
    killers: embedded('test/security-regressions/price-of-the-stage-before.test.ts'),
  },
  'verdict-of-no-sale': {
    says: 'A sale in which nobody ordered gets a verdict.',
    edits: remove('decide_soft_cap', 'if not exists (select from orders) then return; end if;'),
    killers: embedded('test/security-regressions/verdict-of-no-sale.test.ts'),
  },
  'two-signed-of-one-buyer': {
    says: 'A buyer has several orders signed at a time.',
    edits: never('sign_escrow_quote', 'other.user_id = o.user_id and other.id <> o.id'),
    killers: embedded(signed),
  },
  'signed-for-an-unconfirmed-address': {
    says: 'A buyer whose e-mail address is not confirmed has tokens kept by a signature.',
    edits: remove(
      'sign_escrow_quote',
      "when (select confirmed_at from users where id = o.user_id for key share) is null then 'email_unconfirmed'",
    ),
    killers: embedded(signed),
  },
  'signed-in-vain-for-ever': {
    says: 'A buyer who pays nothing has tokens kept by one signature after the other.',
    edits: replace('sign_escrow_quote', 'p.alive)) >= 6', 'p.alive)) < 0'),
    killers: embedded('test/security-regressions/signed-in-two-escrows.test.ts'),
  },
  'signed-for-an-hour': {
    says: 'A signature lives for an hour.',
    edits: replace('sign_escrow_quote', "interval '10 minutes'", "interval '1 hour'"),
    killers: embedded(signed),
  },
  'signed-takes-nothing': {
    says: 'A signature takes no tokens, though the contract takes its payment without asking.',
    edits: replace('sign_escrow_quote', 'if not o.held then', 'if o.held then'),
    killers: embedded(signed),
  },
  'signed-kept-for-ever': {
    says: 'What a signature took stays taken.',
    edits: replace('ended_signatures', 'where o.held', 'where false'),
    killers: embedded(signed),
  },
  'sent-again': {
    says: 'Each time that a buyer says that the payment is sent, operators are told.',
    edits: replace('note_order_sent', 'and sent_at is null returning', 'returning'),
    killers: embedded(http),
  },
  'unsent-told': {
    says: 'Webhooks are told of an order that nobody has said to be paid.',
    edits: replace('create_orders', 'from made m where m.sent_at is not null', 'from made m where true'),
    killers: embedded(http),
  },
  'approved-as-unsent': {
    says: 'An order that an operator approves is on no list, because nobody has said it to be paid.',
    edits: never('approve_orders', 'v.sent_at is null'),
    killers: embedded(http),
  },
  'signed-in-its-last-second': {
    says: 'An order that is asked to be signed in the last second of its signature fails.',
    edits: remove('sign_escrow_quote', 'on conflict do nothing'),
    killers: embedded(signed),
  },
  'unsent-listed': {
    says: 'Operators’ lists are full of orders that nobody has said to be paid.',
    edits: replace(
      'src/server/orders/operator-order-list.ts:filterConditions',
      "!view && user === undefined && !search && 'o.sent_at is not null'",
      "!view && user === undefined && !search && 'true'",
    ),
    killers: embedded(http),
  },
  'approved-for-nobody': {
    says: 'An operator approves an order of a deleted account.',
    edits: replace('approve_orders', 'and v.deleted_at is not null', 'and false'),
    killers: embedded(deleted),
  },
  'orders-of-one-buyer-unqueued': {
    says: 'Orders of one buyer are made side by side, so that two with one key fail.',
    edits: remove(
      'create_orders',
      "perform pg_advisory_xact_lock(hashtextextended('orders of a buyer', r.user_id)) from (select user_id from unnest(p_requests) order by user_id) r;",
    ),
    killers: embedded(orders),
  },
  'order-at-another-price': {
    says: 'An order is made at another price than its buyer was shown.',
    edits: never(
      'src/server/orders/orders.ts:checkPurchase',
      'compare(shown.priceUsd, amounts.priceUsd) !== 0',
    ),
    killers: embedded(refusals),
  },
  'order-at-another-rate': {
    says: 'An order is made at another rate than its buyer was shown.',
    edits: never('src/server/orders/orders.ts:checkPurchase', 'compare(shown.rate, amounts.rate) !== 0'),
    killers: embedded(refusals),
  },
  'repeat-judged-again': {
    says: 'A repeat of a request that made an order is refused by what has changed since.',
    edits: replace('src/server/orders/orders.ts:place', 'if (made) {', 'if (made && false) {'),
    killers: embedded(http),
  },
  'order-past-its-stage': {
    says: 'An order may be paid at its price after its stage has ended.',
    edits: replace(
      'draft_orders',
      'coalesce(o.expires_at, least(s.ends_at, p_now + make_interval(…)))',
      'coalesce(o.expires_at, least(p_now + make_interval(…)))',
    ),
    killers: embedded(orders),
  },
  'stage-end-inclusive': {
    says: 'A stage takes an order in the microsecond of its end.',
    edits: replace('draft_orders', 'p_now >= s.ends_at', 'p_now > s.ends_at'),
    killers: embedded(rules),
  },
  'order-currency-off': {
    says: 'A currency that was switched off while an order was made takes it.',
    edits: remove('draft_orders', "when k.switched_off_at is not null then 'currency_off'"),
    killers: embedded(rules),
  },
  'order-without-texts': {
    says: 'An order is made without terms and risks in force.',
    edits: remove('draft_orders', "when sale.terms is null or sale.risks is null then 'sale_not_ready'"),
    killers: embedded(refusals),
  },
  'supply-unchecked': {
    says: 'A purchase without tokens left to sell is made.',
    edits: remove('take_capacity', 'p_sale <= pool_sale_tokens and'),
    killers: embedded(refusals),
  },
  'order-while-paused': {
    says: 'A paused sale takes orders.',
    edits: remove('draft_orders', "when sale.paused_at is not null then 'sale_paused'"),
    killers: embedded(rules),
  },
  'hard-cap-unchecked': {
    says: 'The hard cap is not looked at.',
    edits: replace('take_capacity', 'least(s.pool_usd, c.pool_usd)', 's.pool_usd'),
    killers: embedded(refusals),
  },
  'price-without-balance': {
    says: 'A purchase ignores the level that its buyer holds.',
    edits: replace(
      'src/server/orders/sale-basis.ts:readBasis',
      'coalesce(h.purchased_tokens + h.bonus_tokens + h.granted_tokens, 0) - ${takeableTokens} as balance',
      "'0' as balance",
    ),
    killers: embedded(pricing),
  },
  'price-without-grants': {
    says: 'Granted tokens do not count for the level of a purchase.',
    edits: remove('src/server/orders/sale-basis.ts:readBasis', '+ h.granted_tokens'),
    killers: embedded(pricing),
  },
  'phone-not-required': {
    says: 'A sale that requires a phone number takes the order of a buyer without one.',
    edits: remove(
      'src/server/orders/orders.ts:checkPurchase',
      "if (row.settings.buyers.phone === 'required' && !row.has_phone) refuse('phone_required')",
    ),
    killers: embedded(pricing),
  },
  'price-above-hard-cap': {
    says: 'A purchase is offered beyond the hard cap.',
    edits: replace(
      'src/server/orders/pricing.ts:amountsOf',
      'divide(smaller(row.left_stage_usd, row.left_usd), row.price_usd)',
      'divide(row.left_stage_usd, row.price_usd)',
    ),
    killers: embedded(pricing),
  },
  'order-to-replaced-address': {
    says: 'An order names the fixed address that was replaced while it was made.',
    edits: remove('draft_orders', 'or (not k.watched and k.address <> r.place)'),
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
    killers: embedded(http),
  },
  'transaction-id-unguarded': {
    says: 'The statement that names a transaction does not ask the order’s state again under its lock.',
    edits: remove(
      'src/server/orders/orders.ts:nameTransaction',
      "and order_allows('enter_transaction_id', o.status, o.detail, o.hidden, o.watched)",
    ),
    killers: embedded(refusals),
  },
  'goal-reached-shown-open': {
    says: 'A stage whose goal is reached shows as open.',
    edits: replace('src/server/campaign/read-campaign.ts:stageState', 'if (compare(… >= 0)', 'if (false)'),
    killers: embedded(refusals),
  },
  'rate-of-the-stage-before': {
    says: 'A purchase is made at the value of a stage that is over.',
    edits: replace(
      'src/server/orders/pricing.ts:ratesInForce',
      'where s.starts_at <=',
      'where s.id < 0 and s.starts_at <=',
    ),
    killers: embedded(pricing),
  },
  'transaction-moved-under-an-approval': {
    says: 'An approval that waits is confirmed though its buyer names another transaction by then.',
    edits: never(
      'src/server/ledger/ledger-actions.ts:lockAsShown',
      'order && order.transaction_id !== named',
    ),
    killers: embedded('test/security-regressions/transaction-moved-under-an-approval.test.ts'),
  },
  'owed-for-anothers-transaction': {
    says: 'What came is owed for an order though its transaction belongs to another one.',
    edits: never('reject_order', 'transaction_is_taken(o.id, o.transaction_id)'),
    killers: embedded('test/security-regressions/one-transaction-for-two-orders.test.ts'),
  },
  'transaction-of-what-is-owed': {
    says: 'A transaction whose money is owed back approves another order.',
    edits: replace('transaction_is_taken', "r.state <> 'written_off'", 'false'),
    killers: embedded('test/security-regressions/said-later-of-a-fixed-address.test.ts'),
  },
  'transaction-of-a-watched-order-bought-again': {
    says: 'What a chain shows for one order is bought or owed for another one on the word of an operator.',
    edits: replace('transaction_is_taken', 'p.order_id <> p_order_id and not p.failed', 'false'),
    killers: embedded('test/security-regressions/bought-by-its-chain-and-by-word.test.ts'),
  },
  'said-paid-and-rejected-by-one': {
    says: 'One of two operators rejects an order at a fixed address whose buyer says that it is paid.',
    edits: replace('src/server/ledger/ledger-actions.ts:approvalForTakingBack', '|| isSaidPaid ||', '||'),
    killers: embedded('test/security-regressions/said-later-of-a-fixed-address.test.ts'),
  },
})
