import { always, never, remove, replace } from '../test/mutants/edit.ts'
import { bugsOf } from '../test/mutants/mutant.ts'

/** The simulation must find them: `npm run simulate:proof`. */
export const seededBugs = bugsOf({
  'a-block-read-again-for-nothing': {
    says: 'What a node left out at first stays unknown when its block is read again.',
    edits: replace(
      'src/server/payments/chain-store.ts:#recordAgain',
      'await this.#recordAll(tx, block, block)',
      '[]',
    ),
  },
  'a-browser-of-two': {
    says: 'Two accounts of one browser are two persons.',
    edits: replace(
      'src/server/referral/referral.ts:noteDevice',
      "${userId}, mark from unnest(${this.#secrets.macs('device', value)}::bytea[])",
      "${userId}, mark from unnest(${this.#secrets.macs('device', `${userId} ${value}`)}::bytea[])",
    ),
  },
  'a-confirmation-too-early': {
    says: 'A payment is confirmed one block too early.',
    edits: replace('payment_lacks', 'p_confirmations < p', 'p_confirmations + 1 < p'),
  },
  'a-country-that-was-closed-later': {
    says: 'A country that is excluded after a friend came still brings a reward.',
    edits: remove(
      'referral_refusal',
      '|| coalesce((select "countriesExcluded" from referral_terms()), \'{}\')',
    ),
  },
  'a-grant-given-twice': {
    says: 'A grant that is asked for again is given again.',
    edits: [
      replace('grant_tokens', 'if found then', 'if false then'),
      replace(
        'post_grant',
        'p_by.reason, p_by.key',
        'p_by.reason, case when not exists (select from postings x where x.idempotency_key = p_by.key) then p_by.key end',
      ),
    ],
  },
  'a-late-payment-in-another-stage': {
    says: 'A late payment buys in whatever stage is open.',
    edits: remove('late_rate_of', 'id = o.stage_id and'),
  },
  'a-late-payment-at-another-price': {
    says: 'A late payment buys at its order’s price though a token costs more by then.',
    edits: remove('late_rate_of', 'r.price_usd = o.price_usd and'),
  },
  'a-late-payment-at-the-locked-rate': {
    says: 'A late payment buys at the rate that its order had.',
    edits: replace('judge', 'nullif(greatest(p.late_rate, 0), 0) else a.rate end', 'a.rate else a.rate end'),
  },
  'a-late-rest-at-the-locked-rate': {
    says: 'What comes late completes an order at its locked rate, where something came in time.',
    edits: replace(
      'judge',
      'v_sum numeric := 0; v_coins numeric; … v_is_late := p.seen_at > o.expires_at;',
      'v_sum numeric := 0; v_coins numeric; … v_is_late := p.seen_at > o.expires_at and v_sum = 0;',
    ),
  },
  'a-look-that-finds-nothing': {
    says: 'Rewards that stand are not looked at again.',
    edits: replace('look_at_referrals', 'where one_person(r) is not null;', 'where false;'),
  },
  'a-lost-payment-stays-credited': {
    says: 'What a reorg took away stays credited.',
    edits: [
      replace('payments_to_judge', '(p.alive or is_in_round(p))', '(p.alive or p.credited > 0)'),
      remove('payments_to_judge', 'and p.block_height is not null'),
    ],
  },
  'a-later-payment-buys-nothing': {
    says: 'What is paid in time after the approval is owed back, though there is room.',
    edits: replace(
      'settle_payments',
      'p_order orders, … where x.is_counted); w := judge',
      "p_order orders, … where x.is_counted and (p_order.status <> 'approved' or x.credited > 0)); w := judge",
    ),
  },
  'a-mailbox-of-two': {
    says: 'Who has both accounts at one mailbox is not recognised.',
    edits: replace('same_person', "then 'same_mailbox'", 'then null'),
  },
  'a-payment-without-a-block-takes-a-place': {
    says: 'A payment that no block holds takes a place.',
    edits: remove('payments_to_judge', 'p.block_height is not null and'),
  },
  'a-place-that-nothing-covers': {
    says: 'An order keeps its place once no block holds its payment any more.',
    edits: [
      replace(
        'take_room',
        'greatest(0, p_usd - v_is_bought * o.usd) - o.room_usd',
        'greatest(0, p_usd - v_is_bought * o.usd - o.room_usd)',
      ),
      replace(
        'take_room',
        'greatest(0, p_base - v_is_bought * o.base_tokens) - o.room_base',
        'greatest(0, p_base - v_is_bought * o.base_tokens - o.room_base)',
      ),
      replace(
        'take_room',
        'greatest(0, p_bonus - v_is_bought * o.bonus_tokens) - o.room_bonus',
        'greatest(0, p_bonus - v_is_bought * o.bonus_tokens - o.room_bonus)',
      ),
    ],
  },
  'a-price-that-was-not-shown': {
    says: 'An order is made at another price than its buyer was shown.',
    edits: never(
      'src/server/orders/orders.ts:checkPurchase',
      'shown && (compare(shown.rate, amounts.rate) !== 0 || compare(shown.priceUsd, amounts.priceUsd) !== 0)',
    ),
  },
  'a-refund-paid-by-less': {
    says: 'A refund stays sent though its block brings another amount.',
    edits: remove('record_refund_sending', 'and (t.height is null or amount = t.amount)'),
  },
  'a-refund-paid-by-more': {
    says: 'A refund is paid by any larger transfer.',
    edits: replace('refund_of_transfer', 'r.amount = t.amount', 'r.amount <= t.amount'),
  },
  'a-reorg-leaves-a-refund-paid': {
    says: 'A reorg leaves a refund paid that its chain has lost.',
    edits: remove('undo_blocks', ", 'paid'"),
  },
  'a-reorg-leaves-money-back': {
    says: 'A reorg leaves what an escrow gave back in a block that is gone.',
    edits: replace('undo_blocks', 'returned_height > p_height', 'returned_height > p_height + 1000000'),
  },
  'a-replaced-payment-that-stays': {
    says: 'A replaced transaction stays a payment.',
    edits: replace('record_spend', 'and transaction_id <> p_by', 'and transaction_id = p_by'),
  },
  'a-revert-that-pays': {
    says: 'A waiting transfer that reverts stays a payment.',
    edits: replace('record_spend', 'p_height is not null', 'p_height is null'),
  },
  'a-reward-before-its-payment-is-final': {
    says: 'A friend’s order brings its share before its payments are final.',
    edits: replace(
      'base_for_reward',
      'least(o.base_tokens, (final_purchase(o)).base_tokens)',
      'o.base_tokens',
    ),
  },
  'a-reward-by-hand-at-once': {
    says: 'An approval by hand brings its share at once.',
    edits: remove('base_for_reward', '- make_interval(days => p_hand_days)'),
  },
  'a-reward-for-the-first-approval-only': {
    says: 'An order that is approved again brings nothing.',
    edits: never('decided_base', 'v.reverses_id = d.posting_id'),
  },
  'a-reward-decided-again': {
    says: 'What was taken back from one person with two accounts is decided again and again.',
    edits: remove(
      'decided_base',
      'or exists (select from orders o join referrals_found f on f.friend_id = o.user_id where o.id = d.order_id)',
    ),
  },
  'a-reward-of-twice-its-share': {
    says: 'A reward is twice its share.',
    edits: replace('decide_referral', 'v_base * r.percent', '(v_base + v_base) * r.percent'),
  },
  'a-reward-that-stays': {
    says: 'What an order brought stays when the order is taken back.',
    edits: remove('reject_order', 'perform take_back_referral(o, p_operator_id, 0);'),
  },
  'a-round-by-what-is-not-final': {
    says: 'A round lists what a payment bought that is not final.',
    edits: remove('final_purchase', 'and (p.final_at is not null or is_in_round(p))'),
  },
  'a-round-has-what-came-after-its-cut': {
    says: 'A round lists what an order has more than at its cut.',
    edits: never('tokens_for_rounds', 'p.posted_at > p_cut_at'),
  },
  'a-round-has-what-another-has': {
    says: 'A round lists again what an earlier one has of an order.',
    edits: replace('tokens_for_rounds', 'sum(d.purchased_tokens)', '0'),
  },
  'a-rejection-of-what-a-round-has': {
    says: 'An order is rejected though a round has its tokens.',
    edits: replace(
      'debit_order',
      'having sum(purchased_tokens) > p_base or sum(bonus_tokens) > p_bonus',
      'having false',
    ),
  },
  'a-signature-without-a-place': {
    says: 'What is signed takes no place.',
    edits: replace('sign_escrow_quote', 'if not o.held then', 'if false then'),
  },
  'a-signature-with-another': {
    says: 'A buyer has several signatures at once.',
    edits: never('sign_escrow_quote', 'may_be_paid_in_escrow(other.id)'),
  },
  'a-signed-order-expires': {
    says: 'An order whose signed payment nobody has seen yet loses its place at the next block.',
    edits: [
      remove('ended_signatures', 'and not may_be_paid_in_escrow(o.id)'),
      replace('settle_payments', 'and may_be_paid_in_escrow(o.id) then', 'and false then'),
    ],
  },
  'a-surplus-back-makes-it-the-chains': {
    says: "An order that an operator approved becomes the chain's once its surplus is paid back.",
    edits: remove('detail', "when o.approved_via = 'operator' then 'approved_by_operator'"),
  },
  'a-wide-tolerance': {
    says: 'A shortfall of 5 % counts as full.',
    edits: replace('settlement_rules', 'select row(0.005, 0.50,', 'select row(0.05, 5.00,'),
  },
  'an-amount-that-stays': {
    says: 'A transaction that is executed again keeps its first amount.',
    edits: replace('note_payment_place', 'is not null then', 'is null then'),
  },
  'an-approval-credits-twice': {
    says: 'An order that is approved again is credited again.',
    edits: remove('approve_orders', "v.status = 'approved' or"),
  },
  'an-old-leader-writes': {
    says: 'A watcher that leads no more still writes.',
    edits: [
      replace(
        'src/server/payments/chain-store.ts:readPosition',
        '${this.#chain} and epoch = ${epoch}',
        '${this.#chain} and ${epoch} > 0',
      ),
      replace(
        'src/server/payments/chain-store.ts:#hold',
        'and epoch = ${epoch} for update',
        'and ${epoch} > 0 for update',
      ),
    ],
  },
  'the-soft-cap-waits-for-no-approval': {
    says: 'A sale misses its soft cap before the 24 hours for approvals are over.',
    edits: remove('soft_cap_waits_for', 'p_now >= approvals_until and'),
  },
  'the-soft-cap-waits-for-no-block': {
    says: 'A sale misses its soft cap while a payment lies in a block.',
    edits: remove('soft_cap_waits_for', 'and payments = 0'),
  },
  'an-operator-approves-too-late': {
    says: 'An operator approves an order more than 3 days after it expired, or after the verdict.',
    edits: [
      remove(
        'approve_orders',
        "when not v.watched and approval_is_over(v.expires_at, clock_timestamp()) then 'approval_over'",
      ),
      remove(
        'src/server/ledger/ledger-actions.ts:approvalForPayment',
        "if (order.approval_over) refuse('approval_over')",
      ),
    ],
  },
  'an-order-beyond-its-stage': {
    says: 'An order locks its terms beyond the end of its stage.',
    edits: replace('draft_orders', 'least(s.ends_at, p_now', 'greatest(p_now, p_now'),
  },
  'an-operator-approves-what-a-chain-confirms': {
    says: 'An operator approves an order that its chain confirms.',
    edits: [
      remove('approve_orders', "when v.watched and p_via <> 'chain' then 'order_on_chain'"),
      remove(
        'src/server/ledger/ledger-actions.ts:approvalForPayment',
        "if (order.watched) refuse('order_on_chain')",
      ),
    ],
  },
  'an-operator-rejects-what-an-escrow-holds': {
    says: 'An operator rejects an order whose money lies in its escrow.',
    edits: remove('reject_order', "when is_in_escrow(o.id) then 'order_in_escrow'"),
  },
  'any-block-frees-a-signed-order': {
    says: 'A block that is not final yet frees what was signed.',
    edits: replace('may_be_paid_in_escrow', 'height <= c.finalized_height', 'height <= c.height'),
  },
  'any-network-will-do': {
    says: 'A node of another network is believed.',
    edits: replace(
      'src/server/payments/watcher.ts:#identify',
      '(this.#config, identity)',
      "(this.#config, identity) && identity === ''",
    ),
  },
  'blocks-read-once': {
    says: 'Blocks are not read again.',
    edits: replace(
      'src/server/payments/chain-follower.ts:#readAgain',
      'height - depth && height',
      'height && height',
    ),
  },
  'holds-that-stay': {
    says: 'What was signed and never paid is not given back.',
    edits: replace('ended_signatures', 'where o.held', 'where false'),
  },
  'late-tokens-in-a-pause': {
    says: 'A late payment buys while the sale is paused.',
    edits: [
      remove('late_rate_of', 'and not exists (select from campaign where paused_at <= seen.at)'),
      never('late_rate_of', 'c.after is not null'),
    ],
  },
  'late-tokens-in-a-stopped-currency': {
    says: 'A late payment buys in a currency that is paused or switched off.',
    edits: never(
      'late_rate_of',
      'f.said @> \'{"isAccepted": false}\' or f.said @> \'{"isPaused": true}\' or f.said @> \'{"wallet": null, "address": ""}\'',
    ),
  },
  'money-back-at-once': {
    says: 'What an escrow gives back counts in the first block that says so.',
    edits: replace('count_returns', 'returned_height + 1 >= p_final_depth', 'returned_height + 1 >= 1'),
  },
  'money-back-that-never-counts': {
    says: 'What an escrow gave back leaves the tokens with the buyer.',
    edits: replace('count_returns', 'p.fault is null', 'p.fault is null and p.final_at is null'),
  },
  'no-largest-order': {
    says: 'The largest order does not bound what is bought.',
    edits: replace('judge', 'least(greatest(t.maximum_tokens, a.base_tokens), p_most)', 'p_most'),
  },
  'one-address-for-money-back': {
    says: 'Who wants the money of both accounts back at one address is not recognised.',
    edits: remove('same_person', 'e.address_mark = d.address_mark or'),
  },
  'approved-after-its-rejection': {
    says: 'An order at a fixed address is approved after its rejection.',
    edits: replace(
      'order_allows',
      "'approve' then p_status = 'pending' and",
      "'approve' then p_status <> 'approved' and",
    ),
  },
  'no-word-once-it-is-taken-back': {
    says: 'Nothing is owed of an approval by hand that is rejected without a word about what came.',
    edits: replace(
      'reject_order',
      'case when v_was_approved then o.crypto_amount',
      'case when false then o.crypto_amount',
    ),
  },
  'owed-in-a-block-that-is-gone': {
    says: 'What became owed in a block that is gone is paid by no block of the other branch below it.',
    edits: remove(
      'undo_blocks',
      'update refunds set from_height = p_height where chain = p_chain and from_height > p_height;',
    ),
  },
  'parts-escape-their-sum': {
    says: 'Parts of a payment need no more than each of them alone.',
    edits: replace('raise_payment_needs', 'sum(usd_of_payment(', 'max(usd_of_payment('),
  },
  'rates-stay-at-a-new-price': {
    says: 'A new price leaves the rates as they were.',
    edits: replace(
      'src/server/currencies/change-price.ts:changePrice',
      'previous !== null) await rescaleRates(change, previous, priceUsd',
      'previous === null) await rescaleRates(change, priceUsd, priceUsd',
    ),
  },
  'read-again-afterwards': {
    says: 'What is read again comes after what is new.',
    edits: replace(
      'src/server/payments/chain-follower.ts:#readEvents',
      "events.push(...(await this.#readAgain(cursor, ancestor, last, watched))) for (const block of blocks) events.push({ kind: 'block', ...block })",
      "for (const block of blocks) events.push({ kind: 'block', ...block }); events.push(...(await this.#readAgain(cursor, ancestor, last, watched)))",
    ),
  },
  'rewards-beyond-one-persons-limit': {
    says: 'One person is credited beyond the limit of one person.',
    edits: replace(
      'decide_referral',
      'into o from orders … where e.user_id = r.referrer_id',
      'into o from orders … where e.user_id = o.user_id',
    ),
  },
  'rewards-beyond-the-limit-of-all': {
    says: 'All together are credited beyond the limit of all.',
    edits: replace('decide_referral', 'r.most_tokens - coalesce(sum(', 'r.most_tokens - coalesce(max('),
  },
  'rewards-by-todays-terms': {
    says: 'Friends get the terms of the day on which their order is decided.',
    edits: replace(
      'decide_referral',
      'v_base * r.percent /',
      'v_base * (select percent from referral_terms()) /',
    ),
  },
  'rewards-out-of-nothing': {
    says: 'A reward leaves the share for bonuses and grants as it was.',
    edits: remove('post_grant', 'pool_bonus_tokens = pool_bonus_tokens - p_tokens,'),
  },
  'rounding-down': {
    says: 'Tokens are cut instead of rounded half up.',
    edits: replace('bought_in_time', 'round(p_coins * a.rate, 6)', 'trunc(p_coins * a.rate, 6)'),
  },
  'seen-is-enough': {
    says: 'A payment counts from when it was seen, whenever it is mined.',
    edits: replace(
      'first_seen_of',
      'p.seen_at + (settlement_rules()).confirm_within',
      "p.seen_at + interval '90 days'",
    ),
  },
  'silence-for-a-fact': {
    says: 'What a block lacks in one reading has failed.',
    edits: replace('lacks_for_good', "interval '1 hour'", "interval '0'"),
  },
  'stuck-at-the-expiry': {
    says: 'What was bought in part is waited for without an end.',
    edits: replace('detail', "p_now < o.expires_at then 'underpaid'", "true then 'underpaid'"),
  },
  'taken-back-rewards-use-the-limit-up': {
    says: 'What was taken back still counts for the limits.',
    edits: replace('decide_referral', "p.kind in ('referral', 'referral_reversed')", "p.kind = 'referral'"),
  },
  'the-highest-bonus': {
    says: 'The bonus is that of the order, however little is bought.',
    edits: replace(
      'judge',
      'case when j.base_tokens >= a.base_tokens then a.bonus_percent end',
      'a.bonus_percent',
    ),
  },
  'the-same-request-refused': {
    says: 'The request of an order that stands is judged again.',
    edits: replace('src/server/orders/orders.ts:place', 'if (made) {', 'if (made && false) {'),
  },
  'the-second-node-ignored': {
    says: 'The word of the second node is not waited for.',
    edits: never('payment_lacks', 'p.verified_hash is distinct from p.block_hash'),
  },
  'the-second-nodes-height-ignored': {
    says: 'Blocks that the first node alone shows confirm what needs the word of both.',
    edits: never(
      'payment_lacks',
      'coalesce(c.second_height, -1) - p.block_height + 1 < p.confirmations_needed',
    ),
  },
  'a-return-by-the-first-node': {
    says: 'What an escrow gave back counts by the word of the first node alone.',
    edits: always('count_returns', 'not p.needs_second'),
  },
  'lost-with-what-a-round-has': {
    says: 'What a round lists is undone with its payment.',
    edits: replace('payments_to_judge', '(p.alive or is_in_round(p))', 'p.alive'),
  },
  'final-by-the-first-node': {
    says: 'What needs the word of both nodes is final by the height of the first one.',
    edits: replace('refresh_payments', 'least(p_height, coalesce(c.second_height, -1))', 'p_height'),
  },
})
