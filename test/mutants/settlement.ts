import { always, never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const judged = embedded('src/server/payments/settlement.test.ts')
const settled = embedded('src/server/payments/settling.test.ts')
const parts = embedded('src/server/payments/settling-functions.test.ts')
const steps = embedded('src/server/payments/settling-steps.test.ts')
const takeBack = embedded('src/server/ledger/take-back.test.ts')
const facts = embedded('src/server/payments/payment-rules.test.ts')
const deleted = embedded(
  'test/security-regressions/paid-in-time-by-a-deleted-account.test.ts',
  'test/security-regressions/late-payment-of-a-deleted-account.test.ts',
)

export const settlementMutants = mutantsOf({
  // judge
  'above-maximum': {
    says: 'An overpayment buys more than the largest order.',
    edits: replace('judge', 'least(greatest(t.maximum_tokens, a.base_tokens), p_most)', 'p_most'),
    killers: judged,
  },
  'asked-above-maximum': {
    says: 'An order that was made above the largest order of its terms never gets what it asked for.',
    edits: replace('judge', 'greatest(t.maximum_tokens, a.base_tokens)', 't.maximum_tokens'),
    killers: judged,
  },
  'beyond-the-room': {
    says: 'Payments buy what has no room.',
    edits: replace(
      'judge',
      'least(greatest(t.maximum_tokens, a.base_tokens), p_most)',
      'greatest(t.maximum_tokens, a.base_tokens)',
    ),
    killers: judged,
  },
  'late-ones-complete': {
    says: 'What comes late has a payment that is too little complete the order.',
    edits: remove('judge', 'where seen_at <= o.expires_at'),
    killers: judged,
  },
  'nearly-full-is-full': {
    says: 'A payment that is too little buys beside less than what was asked.',
    edits: replace('judge', 'sum(amount)) >= a.base_tokens', 'sum(amount)) > 0'),
    killers: judged,
  },
  'full-but-for-what-is-owed': {
    says: 'What is too little and completed the order does so no more once a rest is owed.',
    edits: replace('judge', 'sum(amount)) >=', 'sum(amount - owed)) >='),
    killers: judged,
  },
  'rest-after-the-expiry': {
    says: 'What is paid after the expiry completes the order at its locked rate.',
    edits: replace('judge', 'v_is_late := p.seen_at > o.expires_at;', 'v_is_late := false;'),
    killers: judged,
  },
  'late-at-the-expiry': {
    says: 'What is first seen in the moment of the expiry is late.',
    edits: replace(
      'judge',
      'v_is_late := p.seen_at > o.expires_at;',
      'v_is_late := p.seen_at >= o.expires_at;',
    ),
    killers: judged,
  },
  'late-at-the-locked-rate': {
    says: 'A late payment buys at the rate that its order had.',
    edits: replace('judge', 'nullif(greatest(p.late_rate, 0), 0) else a.rate end', 'a.rate else a.rate end'),
    killers: judged,
  },
  'owed-and-bought': {
    says: 'What is owed back buys too.',
    edits: replace('judge', 'else p.amount - p.owed end', 'else p.amount end'),
    killers: judged,
  },
  'cut-off-downwards': {
    says: 'A payment is credited a little less coin than reaches the largest order, so that it buys less when it is judged again.',
    edits: replace('ceil_to', 'ceil(', 'trunc('),
    killers: judged,
  },
  'late-forgets-what-is-bought': {
    says: 'A late payment is credited as if nothing had been bought in time.',
    edits: replace('judge', 'ceil_to((v_most - j.base_tokens) / v_rate', 'ceil_to((v_most) / v_rate'),
    killers: judged,
  },
  'cut-by-what-is-left': {
    says: 'Of a second payment in time less is credited than what is left.',
    edits: replace(
      'judge',
      'when v_is_late then ceil_to((v_most - j.base_tokens) / v_rate, p_decimals) else ceil_to(v_most / v_rate, p_decimals) - v_sum end',
      'when v_is_late then ceil_to((v_most - j.base_tokens) / v_rate, p_decimals) else ceil_to((v_most - j.base_tokens) / v_rate, p_decimals) - v_sum end',
    ),
    killers: judged,
  },
  'late-less-what-came-in-time': {
    says: 'Of a late payment as much less is credited as came in time.',
    edits: replace(
      'judge',
      'when v_is_late then ceil_to((v_most - j.base_tokens) / v_rate, p_decimals) else ceil_to(v_most / v_rate, p_decimals) - v_sum end',
      'when v_is_late then ceil_to((v_most - j.base_tokens) / v_rate, p_decimals) - v_sum else ceil_to(v_most / v_rate, p_decimals) - v_sum end',
    ),
    killers: judged,
  },
  'too-little-buys': {
    says: 'What is worth less than sending it back buys tokens.',
    edits: replace(
      'judge',
      'v_is_cut or is_too_little(o, p.amount, p.late_rate) and (not v_needs_small or bought_in_time(o, v_sum) >= a.base_tokens)',
      'v_is_cut',
    ),
    killers: judged,
  },
  'too-little-never-buys': {
    says: 'A last little that completes the order buys nothing.',
    edits: remove('judge', 'and (not v_needs_small or bought_in_time(o, v_sum) >= a.base_tokens)'),
    killers: judged,
  },
  'too-little-buys-unneeded': {
    says: 'A little that came first buys where the order is complete without it.',
    edits: replace('judge', 'where not is_too_little(o, amount, late_rate)', 'where false'),
    killers: judged,
  },
  'too-little-of-what-is-left': {
    says: 'A payment of which little is left once the rest is owed is taken back as too little.',
    edits: replace(
      'judge',
      'is_too_little(o, p.amount, p.late_rate)',
      'is_too_little(o, p.amount - p.owed, p.late_rate)',
    ),
    killers: judged,
  },
  'tokens-beyond-the-most': {
    says: 'The last coin that is credited buys a little beyond the largest order.',
    edits: replace(
      'judge',
      'least(v_most - j.base_tokens, bought_in_time(o, v_sum + v_coins) - bought_in_time(o, v_sum))',
      'bought_in_time(o, v_sum + v_coins) - bought_in_time(o, v_sum)',
    ),
    killers: judged,
  },
  'cut-in-time-for-itself': {
    says: 'A payment in time that is cut has a tolerance for itself.',
    edits: replace(
      'judge',
      'least(v_most - j.base_tokens, bought_in_time(o, v_sum + v_coins) - bought_in_time(o, v_sum))',
      'least(v_most - j.base_tokens, bought_in_time(o, v_coins))',
    ),
    killers: judged,
  },
  'cut-more-than-it-brought': {
    says: 'A payment is credited with more than it brought, to reach the most.',
    edits: replace(
      'judge',
      'v_coins := least(v_coins, greatest(0, case … end));',
      'v_coins := least(greatest(0, case … end));',
    ),
    killers: judged,
  },
  'cut-below-nothing': {
    says: 'A payment is credited with less than nothing.',
    edits: replace(
      'judge',
      'v_coins := least(v_coins, greatest(0, case … end));',
      'v_coins := least(v_coins, greatest(case … end));',
    ),
    killers: judged,
  },
  'never-cut': {
    says: 'A payment that buys more than there is room for is credited whole.',
    edits: never('judge', 'v_tokens > v_most - j.base_tokens'),
    killers: judged,
  },
  'bought-after-the-cut': {
    says: 'What comes after a payment that was cut is credited.',
    edits: replace('judge', 'v_is_cut := true;', 'v_is_cut := false;'),
    killers: judged,
  },
  'late-rounded-down': {
    says: 'Tokens of a late payment are cut off instead of rounded.',
    edits: replace(
      'judge',
      'p.owed end; v_tokens := case when v_is_late then round(v_coins * v_rate, 6)',
      'p.owed end; v_tokens := case when v_is_late then trunc(v_coins * v_rate, 6)',
    ),
    killers: judged,
  },
  'each-in-time-for-itself': {
    says: 'Each payment in time is rounded, and has a tolerance, for itself.',
    edits: replace(
      'judge',
      'else bought_in_time(o, v_sum + v_coins) - bought_in_time(o, v_sum) end; if v_tokens',
      'else bought_in_time(o, v_coins) end; if v_tokens',
    ),
    killers: judged,
  },
  'nothing-bought-and-credited': {
    says: 'A late payment that has no rate is credited.',
    edits: never('judge', 'v_tokens is null'),
    killers: judged,
  },
  'sum-forgotten': {
    says: 'Each payment in time counts as the first one.',
    edits: remove('judge', 'v_sum := v_sum + v_coins;'),
    killers: judged,
  },
  'rate-of-the-last-payment': {
    says: 'An order that payments at two rates bought shows the rate of the last one.',
    edits: replace('judge', 'coalesce(j.rate, v_rate) = v_rate', 'true'),
    killers: judged,
  },
  'rate-of-none': {
    says: 'An order that payments at two rates bought shows no rate.',
    edits: never('judge', 'j.rate = 0'),
    killers: judged,
  },
  'bonus-of-the-level-held-forgotten': {
    says: 'An order that buys less than was asked loses the level that its buyer held.',
    edits: remove('judge', 'o.held_percent,'),
    killers: judged,
  },
  'just-a-level': {
    says: 'Who buys just what a level asks for does not reach it.',
    edits: replace(
      'judge',
      "(level ->> 'threshold')::numeric <= j.base_tokens",
      "(level ->> 'threshold')::numeric < j.base_tokens",
    ),
    killers: judged,
  },
  'bonus-of-the-level-reached-forgotten': {
    says: 'An order that buys more than was asked reaches no higher level.',
    edits: replace('judge', "(level ->> 'threshold')::numeric <= j.base_tokens", 'false'),
    killers: judged,
  },
  'bonus-promised-forgotten': {
    says: 'What was asked has another bonus than was promised.',
    edits: remove('judge', ', case when j.base_tokens >= a.base_tokens then a.bonus_percent end'),
    killers: judged,
  },
  'the-highest-bonus': {
    says: 'The bonus is that of the order, however little is bought.',
    edits: replace(
      'judge',
      'case when j.base_tokens >= a.base_tokens then a.bonus_percent end',
      'a.bonus_percent',
    ),
    killers: judged,
  },
  'bonus-truncated': {
    says: 'The bonus of what is bought is cut off instead of rounded.',
    edits: replace('judge', 'j.bonus_tokens := round(', 'j.bonus_tokens := trunc('),
    killers: judged,
  },
  'dollars-truncated': {
    says: 'The dollars of what is bought are cut off instead of rounded.',
    edits: replace('judge', 'j.usd := round(', 'j.usd := trunc('),
    killers: judged,
  },
  'coins-of-six-decimals': {
    says: 'The coins that an order shows are rounded to 6 decimals.',
    edits: replace('judge', 'greatest(6, scale(trim_scale(j.coins)))', '6'),
    killers: judged,
  },
  'rest-of-cents-is-owed': {
    says: 'Where the room ends, cents of a payment are owed back.',
    edits: remove(
      'judge',
      'elsif is_too_little(o, p.amount - p.owed - v_coins, p.late_rate) then v_coins := p.amount - p.owed;',
    ),
    killers: judged,
  },

  // bought_in_time, shortfall_allowed, ceil_to, is_too_little
  'no-tolerance-below': {
    says: 'A shortfall of a cent is not full.',
    edits: replace('bought_in_time', 'a.crypto_amount - v_lack', 'a.crypto_amount'),
    killers: judged,
  },
  'no-tolerance-above': {
    says: 'A cent more than was asked buys a little more.',
    edits: replace('bought_in_time', 'a.crypto_amount + v_lack', 'a.crypto_amount'),
    killers: judged,
  },
  'less-buys-more': {
    says: 'Less than was asked buys more than was asked, where the coin is rounded up.',
    edits: replace('bought_in_time', 'return least(a.base_tokens, v_tokens)', 'return v_tokens'),
    killers: judged,
  },
  'more-buys-less': {
    says: 'More than was asked buys less than was asked, where the coin is rounded down.',
    edits: replace('bought_in_time', 'return greatest(a.base_tokens, v_tokens)', 'return v_tokens'),
    killers: judged,
  },
  'in-time-rounded-down': {
    says: 'Tokens of payments in time are cut off instead of rounded.',
    edits: replace('bought_in_time', 'round(p_coins * a.rate, 6)', 'trunc(p_coins * a.rate, 6)'),
    killers: judged,
  },
  'tolerance-ten-times': {
    says: 'A shortfall of 5 % counts as full.',
    edits: replace('settlement_rules', 'select row(0.005, 0.50,', 'select row(0.05, 5.00,'),
    killers: judged,
  },
  'tolerance-the-larger': {
    says: 'The larger of the share and the dollars counts as full.',
    edits: replace('shortfall_allowed', 'least(', 'greatest('),
    killers: judged,
  },
  'tolerance-without-its-share': {
    says: 'A small order is full though more than 0.5 % of it lacks.',
    edits: remove('shortfall_allowed', 'p_asked * tolerance_share,'),
    killers: judged,
  },
  'finer-than-its-coin': {
    says: 'A cut has more decimals than its coin, so that the rest can never be paid back.',
    edits: replace('ceil_to', 'least(8, coalesce(p_decimals, 8))', '8'),
    killers: judged,
  },
  'finer-than-can-be-paid': {
    says: 'A cut of a coin of 18 decimals has all of them.',
    edits: replace('ceil_to', 'least(8, coalesce(p_decimals, 8))', 'coalesce(p_decimals, 8)'),
    killers: judged,
  },
  'no-decimals-known': {
    says: 'A coin whose decimals are unknown is never cut.',
    edits: replace('ceil_to', 'coalesce(p_decimals, 8)', 'coalesce(p_decimals, 0)'),
    killers: judged,
  },
  'too-little-at-a-dollar': {
    says: 'A payment of just a dollar is too little.',
    edits: replace('is_too_little', '< (settlement_rules()).least_usd', '<= (settlement_rules()).least_usd'),
    killers: judged,
  },
  'too-little-at-another-rate': {
    says: 'What is too little changes with the rate that an order was settled at.',
    edits: replace('is_too_little', '(asked_of(o)).rate', 'o.rate'),
    killers: judged,
  },

  // late_rate, payments_to_judge
  'late-in-ended-stage': {
    says: 'A late payment buys though its stage has ended.',
    edits: replace(
      'late_rate_of',
      'where id = o.stage_id and starts_at <= seen.at and ends_at > seen.at',
      'where id = o.stage_id',
    ),
    killers: parts,
  },
  'late-at-the-end-of-its-stage': {
    says: 'A late payment buys in the moment in which its stage ends.',
    edits: replace(
      'late_rate_of',
      'starts_at <= seen.at and ends_at > seen.at',
      'starts_at <= seen.at and ends_at >= seen.at',
    ),
    killers: parts,
  },
  'late-before-its-stage': {
    says: 'A payment of before its stage buys.',
    edits: remove('late_rate_of', 'starts_at <= seen.at and'),
    killers: parts,
  },
  'late-in-any-stage': {
    says: 'A late payment buys in its order’s stage while another one is open.',
    edits: remove('late_rate_of', 'id = o.stage_id and'),
    killers: settled,
  },
  'late-at-another-price': {
    says: 'A late payment buys at its order’s price though a token costs more by then.',
    edits: remove('late_rate_of', 'r.price_usd = o.price_usd and'),
    killers: settled,
  },
  'late-in-a-pause': {
    says: 'A late payment buys while the sale is paused.',
    edits: [
      remove('late_rate_of', 'and not exists (select from campaign where paused_at <= seen.at)'),
      never('late_rate_of', 'c.after is not null'),
    ],
    killers: settled,
  },
  'late-in-a-currency-that-is-off': {
    says: 'A late payment buys in a currency in which the sale takes no orders.',
    edits: never(
      'late_rate_of',
      'f.said @> \'{"isAccepted": false}\' or f.said @> \'{"isPaused": true}\' or f.said @> \'{"wallet": null, "address": ""}\'',
    ),
    killers: settled,
  },
  'late-by-the-switch-of-now': {
    says: 'A late payment goes by the switches of when it is judged.',
    edits: remove('late_rate_of', 'and f.at <= seen.at'),
    killers: settled,
  },
  'pause-of-now-forgotten': {
    says: 'A late payment buys in a pause that lasts.',
    edits: remove('late_rate_of', 'and not exists (select from campaign where paused_at <= seen.at)'),
    killers: steps,
  },
  'pause-of-then-forgotten': {
    says: 'What was paid late in a pause buys once the pause is over.',
    edits: never('late_rate_of', 'c.after is not null'),
    killers: settled,
  },
  'newest-credited-first': {
    says: 'Of several payments the newest is credited first, so that the oldest is owed back.',
    edits: replace('payments_to_judge', 'order by seen.at, p.id', 'order by seen.at desc, p.id desc'),
    killers: facts,
  },
  'gone-and-judged': {
    says: 'What the chain took away buys.',
    edits: remove('payments_to_judge', 'and (p.alive or is_in_round(p))'),
    killers: steps,
  },
  'unmined-takes-its-tokens': {
    says: 'An order takes its tokens by a payment that no block holds.',
    edits: remove('payments_to_judge', 'p.block_height is not null and'),
    killers: steps,
  },
  'room-taken-by-a-stranger': {
    says: 'What comes to an address besides takes the room from a payment that a block holds.',
    edits: remove('payments_to_judge', 'p.first_seen_at is not null or'),
    killers: embedded('test/security-regressions/room-taken-by-a-stranger.test.ts'),
  },
  'room-by-one-node': {
    says: 'A payment that one node shows takes room though it needs two.',
    edits: remove(
      'payments_to_judge',
      'and (p.first_seen_at is not null or not p.needs_second or p.verified_hash = p.block_hash)',
    ),
    killers: embedded('test/security-regressions/room-by-one-node.test.ts'),
  },

  // payments_to_judge
  'fewer-blocks-undo-a-purchase': {
    says: 'What was bought is taken back where fewer blocks lie above its payment for a while.',
    edits: remove('payments_to_judge', 'or (p.credited > 0 and p.block_height is not null)'),
    killers: embedded('src/server/payments/settling.test.ts'),
  },
  // why_closed
  'bought-for-nobody': {
    says: 'What comes for an order of a deleted account buys tokens.',
    edits: never('why_closed', 'not found'),
    killers: deleted,
  },
  'deleted-while-it-is-paid': {
    says: 'A payment that is settled while its account is deleted buys tokens for nobody.',
    edits: remove('why_closed', 'for key share'),
    killers: steps,
  },
  'bought-after-the-rejection': {
    says: 'What comes for a rejected order buys tokens.',
    edits: never('why_closed', "o.status = 'rejected'"),
    killers: steps,
  },
  'taken-back-said-as-rejected': {
    says: 'What is owed because its buyer took the order back is owed because an operator rejected it.',
    edits: replace('why_closed', "when 'buyer' then 'taken_back'", "when 'buyer' then null"),
    killers: takeBack,
  },
  'taken-back-after-its-days': {
    says: 'An order is taken back after its days.',
    edits: always('take_back_order', 'money_back_until(o) > clock_timestamp()'),
    killers: takeBack,
  },
  'taken-back-by-another': {
    says: 'A stranger takes somebody’s order back.',
    edits: remove('take_back_order', 'and user_id = p_user_id'),
    killers: takeBack,
  },
  'taken-back-twice-refused': {
    says: 'Who presses twice reads that it was too late.',
    edits: remove('take_back_order', "or why_closed(o) <> 'taken_back'"),
    killers: takeBack,
  },
  'days-from-the-last-payment': {
    says: 'Each payment makes the days longer.',
    edits: replace(
      'money_back_until',
      "when o.watched then o.expires_at + interval '1 day'",
      'when o.watched then o.approved_at',
    ),
    killers: takeBack,
  },
  'taken-back-after-the-sale': {
    says: 'An order is taken back after the end of the sale.',
    edits: remove('money_back_until', ', (select max(ends_at) from stages)'),
    killers: takeBack,
  },
  'terms-without-days': {
    says: 'An order has the days of orders with the same levels.',
    edits: replace('terms_of_now', 'levels = v_levels and money_back_days = v_days', 'levels = v_levels'),
    killers: takeBack,
  },
  'late-and-to-take-back': {
    says: 'A late payment buys what could be taken back for a shorter time.',
    edits: never('late_rate_of', 't.id = o.terms_id and t.money_back_days > 0'),
    killers: takeBack,
  },
  'listed-before-its-days-are-over': {
    says: 'A round lists what may still be taken back.',
    edits: remove('tokens_for_rounds', 'and o.id not in (select id from orders_to_take_back())'),
    killers: takeBack,
  },
  'rewarded-before-its-days-are-over': {
    says: 'What may still be taken back brings a reward.',
    edits: remove('base_for_reward', 'or money_back_until(o) > clock_timestamp()'),
    killers: embedded('src/server/referral/referral.test.ts'),
  },
  'rewarded-though-cancelled': {
    says: 'An order that its escrow cancelled brings a reward until the return is deep.',
    edits: remove(
      'base_for_reward',
      'or exists (select from payments p where p.order_id = o.id and p.returned_height is not null)',
    ),
    killers: embedded('src/server/escrows/escrow-orders.test.ts'),
  },
  'taken-back-by-the-system': {
    says: 'What its buyer took back is said to be a missed soft cap.',
    edits: remove('reject_order', "when p_reason = 'taken_back' then 'buyer'"),
    killers: takeBack,
  },
  'missed-said-as-rejected': {
    says: 'What is owed because the soft cap was missed is owed because an operator rejected the order.',
    edits: replace('why_closed', "when 'system' then 'soft_cap_missed'", "when 'system' then null"),
    killers: steps,
  },
  'missed-and-reversed-said-as-rejected': {
    says: 'What an approved order owes because the soft cap was missed is owed because an operator rejected it.',
    edits: replace('why_closed', "e.kind in ('rejected', 'reversed')", "e.kind in ('rejected')"),
    killers: steps,
  },
  'rejected-said-as-missed': {
    says: 'What is owed because an operator rejected the order is owed because the soft cap was missed.',
    edits: replace(
      'why_closed',
      "case e.actor when 'system' then 'soft_cap_missed' when 'buyer' then 'taken_back' end",
      "'soft_cap_missed'",
    ),
    killers: steps,
  },
  'bought-after-the-verdict': {
    says: 'What is paid after the soft cap was missed buys tokens.',
    edits: remove('why_closed', "when soft_cap_verdict_held() = 'missed' then 'soft_cap_missed'"),
    killers: embedded(
      'test/security-regressions/soft-cap-decided-once.test.ts',
      'src/server/ledger/pay-back.test.ts',
    ),
  },

  // settle_payments
  'deleted-and-taken-back': {
    says: 'What a buyer bought is taken back once the account is deleted.',
    edits: replace('settle_payments', 'v_closed is null or x.credited > 0', 'v_closed is null'),
    killers: steps,
  },
  'room-for-what-is-not-shown': {
    says: 'What no block holds takes room.',
    edits: replace(
      'settle_payments',
      'where x.is_shown); v_counted := array(',
      'where true); v_counted := array(',
    ),
    killers: steps,
  },
  'bought-uncounted': {
    says: 'A payment buys before it is confirmed.',
    edits: replace('settle_payments', 'where x.is_counted); w := judge', 'where true); w := judge'),
    killers: steps,
  },
  'signed-gives-its-room-back': {
    says: 'A signed order loses its tokens when it is settled, though the contract takes its payment without asking.',
    edits: never(
      'settle_payments',
      'o.escrow_id is not null and w.base_tokens = 0 and may_be_paid_in_escrow(o.id)',
    ),
    killers: embedded('src/server/escrows/escrow-orders.test.ts'),
  },
  'signed-for-ever': {
    says: 'An order that was signed keeps its tokens though no block can hold its payment any more.',
    edits: remove('settle_payments', 'and may_be_paid_in_escrow(o.id)'),
    killers: embedded('src/server/escrows/escrow-orders.test.ts'),
  },
  'all-or-nothing': {
    says: 'A payment for which there is too little room buys nothing of what is left.',
    edits: remove(
      'settle_payments',
      'w := judge(o, t, v_decimals, v_shown, room_left(o)); perform take_room(o, w.usd, w.base_tokens, w.bonus_tokens);',
    ),
    killers: steps,
  },
  'room-left-untaken': {
    says: 'What is left is counted with and not taken.',
    edits: replace(
      'settle_payments',
      'room_left(o)); perform take_room(o, w.usd, w.base_tokens, w.bonus_tokens); end if;',
      'room_left(o)); end if;',
    ),
    killers: steps,
  },
  'bought-without-room': {
    says: 'Counted payments buy though their order has no room.',
    edits: replace('settle_payments', 'v_most := o.room_base + case … end;', "v_most := 'infinity';"),
    killers: steps,
  },
  'bought-by-the-room-alone': {
    says: 'An order that stands approved loses what it bought when it is settled again.',
    edits: replace('settle_payments', "case when o.status = 'approved' then o.base_tokens else 0 end", '0'),
    killers: steps,
  },
  'kept-with-room': {
    says: 'An order that can buy no more keeps the room that it wanted.',
    edits: remove('settle_payments', "w := row(0, 0, null, 0, null, 0, '{}')::judgement;"),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'same-coins-bought-anew': {
    says: 'An order is approved anew for a few millionths though its coins are the same.',
    edits: replace('settle_payments', 'if not stands_as(o, v_counted, b) then', 'if true then'),
    killers: steps,
  },
  'room-taken-for-the-same-coins': {
    says: 'An order takes a few millionths of room for the coins that it stands on.',
    edits: replace('settle_payments', 'if stands_as(o, v_shown, w) or', 'if false or'),
    killers: steps,
  },
  'stands-as-other-coins': {
    says: 'An order stays as it is though other payments are credited.',
    edits: remove('stands_as', 'j.credited = array(select x.credited from unnest(p_payments) x) and'),
    killers: steps,
  },
  'stands-on-what-is-gone': {
    says: 'An order stays as it is though a payment that it stands on is gone.',
    edits: remove(
      'stands_as',
      'and j.coins = (select coalesce(sum(credited), 0) from payments where order_id = o.id)',
    ),
    killers: steps,
  },
  'stands-unapproved': {
    says: 'An order that is pending counts as one that stands.',
    edits: remove('stands_as', "o.status = 'approved' and"),
    killers: steps,
  },
  'bought-and-not-credited': {
    says: 'What buys is owed back too.',
    edits: remove('settle_payments', 'update payments p set credited = c.credited from … ;'),
    killers: steps,
  },
  'room-of-what-is-lost': {
    says: 'What the chain took away keeps its room.',
    edits: replace(
      'settle_payments',
      'end if; perform take_room(o, w.usd, w.base_tokens, w.bonus_tokens); perform owe_refund',
      'end if; perform owe_refund',
    ),
    killers: steps,
  },
  'owed-with-what-is-credited': {
    says: 'What is owed counts what is credited.',
    edits: replace('settle_payments', 'p.amount - p.credited - p.owed,', 'p.amount - p.owed,'),
    killers: steps,
  },
  'owed-again': {
    says: 'What is owed is owed again.',
    edits: replace('settle_payments', 'p.amount - p.credited - p.owed,', 'p.amount - p.credited,'),
    killers: steps,
  },
  'owed-and-not-said-why': {
    says: 'What a closed order owes is owed for another reason.',
    edits: remove('settle_payments', 'when v_closed is not null then v_closed'),
    killers: steps,
  },
  'overpaid-said-as-late': {
    says: 'What a late payment brings beyond the largest order is owed as too late.',
    edits: remove('settle_payments', 'and x.late_rate <= 0'),
    killers: steps,
  },
  'in-time-said-as-late': {
    says: 'What comes in time and has no room is owed as too late.',
    edits: replace('settle_payments', 'x.seen_at > o.expires_at and x.late_rate <= 0', 'x.late_rate is null'),
    killers: steps,
  },
  'kept-said-as-overpaid': {
    says: 'What comes for tokens that are delivered is owed as beyond the largest order.',
    edits: remove('settle_payments', "when v_is_kept then 'paid_after_approval'"),
    killers: steps,
  },
  'no-room-said-as-overpaid': {
    says: 'What had no room is owed as beyond the largest order.',
    edits: replace('settle_payments', "coalesce(v_refusal, 'overpaid')", "'overpaid'"),
    killers: steps,
  },
  'owed-uncounted': {
    says: 'A payment is owed back before it is confirmed.',
    edits: replace('settle_payments', 'where x.is_counted and p.amount', 'where p.amount'),
    killers: steps,
  },
  'rest-of-a-little-lost': {
    says: 'The rest of what completed an order is neither bought nor owed where it is little.',
    edits: remove('settle_payments', 'p.credited > 0 or'),
    killers: steps,
  },
  'too-little-owed': {
    says: 'What is worth less than sending it back is owed.',
    edits: replace('settle_payments', 'not is_too_little(o, x.amount, x.late_rate)', 'true'),
    killers: steps,
  },

  'little-of-a-cut': {
    says: 'A few cents of room are bought with, and a debt of the rest is written.',
    edits: never('judge', 'is_too_little(o, v_coins, p.late_rate)'),
    killers: embedded('test/security-regressions/what-a-stranger-adds.test.ts'),
  },
  'dust-hides-the-amount': {
    says: 'A stranger’s dust makes an unpaid order look paid.',
    edits: replace(
      'detail',
      'p.amount > p.owed and not is_too_little(o, p.amount, coalesce(p.late_rate, late_rate_of(p)))',
      'p.amount > p.owed',
    ),
    killers: embedded('test/security-regressions/what-a-stranger-adds.test.ts'),
  },
  'little-after-the-whole': {
    says: 'A little that comes after the whole is paid is credited, and buys nothing.',
    edits: remove('judge', 'or bought_in_time(o, v_came) >= a.base_tokens'),
    killers: judged,
  },
  'little-with-what-is-owed': {
    says: 'A little completes an order whose money is owed back.',
    edits: remove('judge', 'and owed < amount'),
    killers: embedded('test/security-regressions/what-a-stranger-adds.test.ts'),
  },
  'little-at-the-locked-rate': {
    says: 'A late payment is too little by what its coin cost when the order was made.',
    edits: replace(
      'is_too_little',
      'coalesce(nullif(abs(p_late_rate), 0), (asked_of(o)).rate)',
      '(asked_of(o)).rate',
    ),
    killers: embedded('test/security-regressions/what-a-stranger-adds.test.ts'),
  },
  'worth-of-what-can-not-buy': {
    says: 'What is late and can’t buy is worth what its coin cost when the order was made.',
    edits: replace('late_rate_of', 'round(-r.rate * r.price_usd / o.price_usd, 12)', '0'),
    killers: embedded('test/security-regressions/worth-of-a-late-payment.test.ts'),
  },
  'little-after-what-is-owed': {
    says: 'A little is credited after the whole came, of which a part is owed.',
    edits: replace('judge', '>= a.base_tokens) then 0', '>= a.base_tokens + 1e9) then 0'),
    killers: embedded('test/security-regressions/dust-after-the-whole.test.ts'),
  },
  'lost-beside-a-round': {
    says: 'What is lost stays bought beside what a round has, where another payment counts in the same reading.',
    edits: replace(
      'settle_payments',
      'unnest(v_counted) x where x.credited > 0',
      'unnest(v_counted) x where true',
    ),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'lost-with-what-a-round-has': {
    says: 'What a round lists is undone with its payment.',
    edits: replace('payments_to_judge', '(p.alive or is_in_round(p))', 'p.alive'),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'worth-more-once-lost': {
    says: 'What a round lists buys more once its payment is lost and its debt is written off.',
    edits: replace('payments_to_judge', 'then p.amount - p.credited', 'then p.owed'),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'owed-before-it-is-counted': {
    says: 'What a round does not list of a payment is owed as soon as a block holds it again.',
    edits: replace('settle_payments', 'p.alive and p.confirmed', 'p.alive and p.block_height is not null'),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'kept-though-bought-after-the-cut': {
    says: 'A round keeps what was bought after its cut.',
    edits: remove(
      'payments_of_part',
      'exit when j.base_tokens >= v_purchased and j.bonus_tokens >= v_bonus;',
    ),
    killers: embedded('test/security-regressions/lost-beside-what-a-round-has.test.ts'),
  },
  'taken-from-rounds': {
    says: 'What was seen first takes from a final payment what a round has of it.',
    edits: remove('settle_payments', 'v_is_kept := exists … ;'),
    killers: embedded('test/security-regressions/round-keeps-what-is-deep.test.ts'),
  },
  'late-rate-read-again': {
    says: 'What bought late is judged again by the settings of later.',
    edits: replace('payments_to_judge', 'coalesce(p.late_rate, late_rate_of(p))', 'late_rate_of(p)'),
    killers: embedded('src/server/payments/settling.test.ts'),
  },

  // change_purchase, settle_payments
  'rejected-waits-again': {
    says: 'A rejected order that had bought a part waits again once it is settled.',
    edits: remove('change_purchase', 'not v_is_approved and b.base_tokens = 0 or'),
    killers: embedded('src/server/payments/payment-rules.test.ts'),
  },
  'lost-said-of-more': {
    says: 'Who pays more is told that the chain took a payment away.',
    edits: replace('change_purchase', 'if not v_is_more then', 'if true then'),
    killers: steps,
  },
  'lost-unsaid': {
    says: 'An order whose payment the chain took away does not say so.',
    edits: replace('change_purchase', 'if not v_is_more then', 'if false then'),
    killers: steps,
  },
  'reversed-for-another-reason': {
    says: 'The ledger says of what was paid more that its payment is gone.',
    edits: replace(
      'change_purchase',
      "case when v_is_more then 'paid_more' else",
      'case when false then null else',
    ),
    killers: steps,
  },
  'lost-for-another-reason': {
    says: 'The ledger says of a payment that is gone that more was paid.',
    edits: replace('change_purchase', 'case when v_is_more then', 'case when true then'),
    killers: steps,
  },
  'undone-as-settled': {
    says: 'An order of which nothing stands waits for what it had bought instead of for what was asked.',
    edits: replace('change_purchase', 'if b.base_tokens = 0 then b := row', 'if false then b := row'),
    killers: steps,
  },
  'undone-and-approved': {
    says: 'An order of which nothing stands any more stays approved.',
    edits: replace('change_purchase', '(v_is_approved or (base_tokens', '(false or (base_tokens'),
    killers: steps,
  },
  'asked-forgotten': {
    says: 'An order that bought other amounts forgets what was asked.',
    edits: replace('change_purchase', 'asked = nullif(a, row(', 'asked = nullif(asked, row('),
    killers: steps,
  },
  'settled-unsaid': {
    says: 'An order does not say what it was credited with.',
    edits: remove('change_purchase', "perform note_order_event(o.id, 'settled', … );"),
    killers: steps,
  },
  'credited-for-ever': {
    says: 'A payment that buys no more stays credited.',
    edits: replace(
      'settle_payments',
      'select q.id, coalesce(x.credited, 0) as credited',
      'select q.id, coalesce(x.credited, q.credited) as credited',
    ),
    killers: steps,
  },

  // take_room, room_left, credit_orders
  'bought-takes-room-again': {
    says: 'What an order has bought takes room once more.',
    edits: replace('take_room', "(o.status = 'approved')::integer", '0'),
    killers: parts,
  },
  'room-never-given-back': {
    says: 'Room that an order wants no more is given back to nobody.',
    edits: replace(
      'take_room',
      'take_capacity(o.stage_id, v_usd, v_base, v_bonus)',
      'take_capacity(o.stage_id, greatest(0, v_usd), greatest(0, v_base), greatest(0, v_bonus))',
    ),
    killers: parts,
  },
  'room-of-dollars-free': {
    says: 'An order takes no dollars of the goal.',
    edits: replace('take_room', 'take_capacity(o.stage_id, v_usd,', 'take_capacity(o.stage_id, 0,'),
    killers: parts,
  },
  'room-of-dollars-alone-kept': {
    says: 'Dollars alone that an order lacks or has too many of stay as they are.',
    edits: replace('take_room', '(v_usd, v_base, v_bonus) = (0, 0, 0)', '(v_base, v_bonus) = (0, 0)'),
    killers: parts,
  },
  'room-of-tokens-alone-kept': {
    says: 'Tokens alone that an order lacks or has too many of stay as they are.',
    edits: replace('take_room', '(v_usd, v_base, v_bonus) = (0, 0, 0)', '(v_usd, v_bonus) = (0, 0)'),
    killers: parts,
  },
  'room-of-bonus-alone-kept': {
    says: 'Bonus tokens alone that an order lacks or has too many of stay as they are.',
    edits: replace('take_room', '(v_usd, v_base, v_bonus) = (0, 0, 0)', '(v_usd, v_base) = (0, 0)'),
    killers: parts,
  },
  'more-is-bought-than-wanted': {
    says: 'Where more dollars are bought than wanted, as much is missing of the room.',
    edits: replace(
      'take_room',
      'v_usd := greatest(0, p_usd - v_is_bought * o.usd)',
      'v_usd := (p_usd - v_is_bought * o.usd)',
    ),
    killers: parts,
  },
  'more-tokens-are-bought-than-wanted': {
    says: 'Where more tokens are bought than wanted, as much is missing of the room.',
    edits: replace(
      'take_room',
      'v_base := greatest(0, p_base - v_is_bought * o.base_tokens)',
      'v_base := (p_base - v_is_bought * o.base_tokens)',
    ),
    killers: parts,
  },
  'more-bonus-is-bought-than-wanted': {
    says: 'Where more bonus is bought than wanted, as much is missing of the room.',
    edits: replace(
      'take_room',
      'v_bonus := greatest(0, p_bonus - v_is_bought * o.bonus_tokens)',
      'v_bonus := (p_bonus - v_is_bought * o.bonus_tokens)',
    ),
    killers: parts,
  },
  'room-refused-unheard': {
    says: 'An order has room that is not left.',
    edits: remove('take_room', 'if v_refusal is not null then return v_refusal; end if;'),
    killers: parts,
  },
  'room-left-without-its-own': {
    says: 'An order that has room gets none of what is left beside it.',
    edits: replace('room_left', 'has.base + c.pool_sale_tokens', 'c.pool_sale_tokens'),
    killers: parts,
  },
  'room-left-of-the-stage-alone': {
    says: 'The hard cap does not bound what a payment buys of a stage.',
    edits: replace('room_left', 'least(s.pool_usd, c.pool_usd)', 's.pool_usd'),
    killers: parts,
  },
  'room-left-of-the-cap-alone': {
    says: 'The goal of a stage does not bound what a payment buys.',
    edits: replace('room_left', 'least(s.pool_usd, c.pool_usd)', 'c.pool_usd'),
    killers: parts,
  },
  'room-left-of-dollars-alone': {
    says: 'The tokens that are left do not bound what a payment buys.',
    edits: remove('room_left', 'has.base + c.pool_sale_tokens,'),
    killers: parts,
  },
  'room-left-rounded-up': {
    says: 'What is left of a goal is rounded up.',
    edits: replace('room_left', 'trunc((has', 'round((has'),
    killers: parts,
  },
  'room-left-takes-away': {
    says: 'An order whose dollars are rounded loses a little of what it has where nothing is left.',
    edits: replace('room_left', 'greatest(has.base, least(', 'least(least('),
    killers: parts,
  },
  'room-left-without-the-dollars-bought': {
    says: 'An order that has bought gets less of what is left by as much.',
    edits: replace(
      'room_left',
      "o.room_usd + case when o.status = 'approved' then o.usd else 0 end",
      'o.room_usd',
    ),
    killers: parts,
  },
  'room-left-without-the-tokens-bought': {
    says: 'An order that has bought gets less of the tokens that are left by as much.',
    edits: replace(
      'room_left',
      "o.room_base + case when o.status = 'approved' then o.base_tokens else 0 end",
      'o.room_base',
    ),
    killers: parts,
  },
  'bought-dollars-stay-room': {
    says: 'The dollars of what a chain approves are taken twice.',
    edits: replace('credit_orders', 'then room_usd - usd else', 'then room_usd else'),
    killers: steps,
  },
  'bought-tokens-stay-room': {
    says: 'The tokens of what a chain approves are taken twice.',
    edits: replace('credit_orders', 'then room_base - base_tokens else', 'then room_base else'),
    killers: steps,
  },
  'bought-bonus-stays-room': {
    says: 'The bonus of what a chain approves is taken twice.',
    edits: replace('credit_orders', 'then room_bonus - bonus_tokens else', 'then room_bonus else'),
    killers: steps,
  },
  'approved-by-hand-without-room': {
    says: 'An approval by an operator takes no room.',
    edits: remove(
      'approve_orders',
      "when p_via = 'operator' then take_capacity(v.stage_id, v.usd, v.base_tokens, v.bonus_tokens)",
    ),
    killers: embedded('src/server/orders/orders.test.ts'),
  },

  // detail
  'owed-of-a-rejected-order-unsaid': {
    says: 'A rejected order that owes money back does not say so.',
    edits: replace(
      'detail',
      "return case when v_refunds = 'open' then 'refund_due' when v_refunds = 'paid'",
      "return case when v_refunds = 'paid'",
    ),
    killers: parts,
  },
  'refunded-of-a-rejected-order-unsaid': {
    says: 'A rejected order whose money went back does not say so.',
    edits: replace(
      'detail',
      "when v_refunds = 'paid' then 'refunded' when o.approvals > 0 then 'reversed'",
      "when o.approvals > 0 then 'reversed'",
    ),
    killers: parts,
  },
  'reversed-said-as-rejected': {
    says: 'An order whose tokens were taken back says that it was never approved.',
    edits: replace('detail', "when o.approvals > 0 then 'reversed' else", 'else'),
    killers: parts,
  },
  'gone-and-shown-as-credited': {
    says: 'An order whose tokens are claimed is not looked at though its payment is gone.',
    edits: replace('detail', 'not p.alive or p.block_height is null', 'false'),
    killers: parts,
  },
  'gone-for-good-and-shown-as-credited': {
    says: 'An order whose tokens are claimed is not looked at though its payment is gone for good.',
    edits: replace('detail', 'not p.alive or p.block_height is null', 'p.block_height is null'),
    killers: parts,
  },
  'owed-payment-puts-under-review': {
    says: 'An order is under review because a payment is gone that it was not credited with.',
    edits: remove('detail', 'and p.credited > 0'),
    killers: parts,
  },
  'surplus-unsaid': {
    says: 'An approved order that owes a rest does not say so.',
    edits: remove('detail', "when v_refunds = 'open' then 'overpaid'"),
    killers: parts,
  },
  'operators-said-as-the-chain': {
    says: 'An order that operators approved says that its chain did.',
    edits: remove('detail', "when o.approved_via = 'operator' then 'approved_by_operator'"),
    killers: parts,
  },
  'underpaid-after-the-expiry': {
    says: 'The rest of an order is asked for though its time is over.',
    edits: replace('detail', "and p_now < o.expires_at then 'underpaid'", "then 'underpaid'"),
    killers: parts,
  },
  'stuck-at-the-expiry': {
    says: 'The rest of an order is asked for without a time where it is looked at in the moment of its expiry.',
    edits: replace(
      'detail',
      "p_now < o.expires_at then 'underpaid'",
      "p_now <= o.expires_at then 'underpaid'",
    ),
    killers: parts,
  },
  'underpaid-in-full': {
    says: 'The rest of an order is asked for though all of it is bought.',
    edits: replace('detail', 'o.base_tokens < (asked_of(o)).base_tokens and p_now', 'p_now'),
    killers: parts,
  },
  'rest-of-a-full-sale': {
    says: 'The rest of an order is asked for though what came had no room and is paid back.',
    edits: remove('detail', 'v_refunds is null and'),
    killers: embedded('test/security-regressions/what-a-stranger-adds.test.ts'),
  },
  'never-underpaid': {
    says: 'An order that bought a part does not say that the rest can come.',
    edits: remove(
      'detail',
      "when v_refunds is null and o.base_tokens < (asked_of(o)).base_tokens and p_now < o.expires_at then 'underpaid'",
    ),
    killers: parts,
  },
  'counted-and-shown-as-unpaid': {
    says: 'An order whose counted payment could not be settled yet is shown as unpaid.',
    edits: replace(
      'detail',
      'p.alive and p.amount > p.owed',
      'p.alive and not p.confirmed and p.amount > p.owed',
    ),
    killers: embedded('src/server/payments/settling.test.ts'),
  },
  'gone-and-shown-as-seen': {
    says: 'A payment that is gone is shown as seen.',
    edits: remove('detail', 'and p.alive'),
    killers: parts,
  },
  'owed-and-shown-as-confirming': {
    says: 'A payment that an operator gave back is shown as confirming.',
    edits: remove('detail', 'and p.amount > p.owed'),
    killers: parts,
  },
  'confirming-for-three-hours': {
    says: 'An order whose payment lies in a block is shown as expired once that takes three hours.',
    edits: replace('detail', '(p.block_height is not null or p.seen_at', '(p.seen_at'),
    killers: parts,
  },
  'seen-for-ever': {
    says: 'An order is shown as paid for ever by what never comes into a block.',
    edits: replace('detail', 'p.seen_at + (settlement_rules()).confirm_within > p_now', 'true'),
    killers: parts,
  },
  'seen-to-the-moment': {
    says: 'What no block holds is shown in the moment in which its three hours are over.',
    edits: replace('detail', 'confirm_within > p_now', 'confirm_within >= p_now'),
    killers: parts,
  },
  'mined-and-shown-as-seen': {
    says: 'A payment in a block is shown as if none held it.',
    edits: replace('detail', "case when v_is_mined then 'confirming' when", 'case when'),
    killers: parts,
  },
  'seen-and-shown-as-confirming': {
    says: 'A payment that no block holds is shown as confirming.',
    edits: replace('detail', 'bool_or(p.block_height is not null)', 'bool_or(true)'),
    killers: parts,
  },
  'seen-and-shown-as-unpaid': {
    says: 'A payment that no block holds is not shown.',
    edits: remove('detail', "when v_is_mined is not null then 'seen'"),
    killers: parts,
  },
  'owed-and-shown-as-awaited': {
    says: 'A pending order that owes money back does not say so.',
    edits: replace(
      'detail',
      "when v_is_mined is not null then 'seen' when v_refunds = 'open' then 'refund_due'",
      "when v_is_mined is not null then 'seen'",
    ),
    killers: parts,
  },
  'refunded-and-shown-as-awaited': {
    says: 'A pending order whose money went back does not say so.',
    edits: replace(
      'detail',
      "then 'refund_due' when v_refunds = 'paid' then 'refunded' when exists (",
      "then 'refund_due' when exists (",
    ),
    killers: parts,
  },
  'lost-and-shown-as-expired': {
    says: 'An order that the chain took everything from is shown as one that was never paid.',
    edits: replace('detail', "'refunded' when exists (", "'refunded' when false and exists ("),
    killers: parts,
  },
  'lost-dust-under-review': {
    says: 'A stranger’s dust that lost its block asks the buyer not to pay.',
    edits: replace(
      'detail',
      'p.replaced_by is null and not is_too_little(o, p.amount, coalesce(p.late_rate, late_rate_of(p)))',
      'p.replaced_by is null',
    ),
    killers: parts,
  },
  'approved-again-for-webhooks': {
    says: 'Webhooks are told of an approval again whenever the order buys more or less.',
    edits: remove('change_purchase', "when v_is_approved then 'order_adjusted'"),
    killers: settled,
  },
  'gone-for-good-and-under-review': {
    says: 'An order whose payment was spent elsewhere for good stays under review.',
    edits: remove('detail', 'and p.replaced_by is null'),
    killers: parts,
  },
  'rewards-go-back-whole': {
    says: 'Where an order buys less, all that it brought its referrer goes back.',
    edits: replace(
      'change_purchase',
      'take_back_referral(o, null, b.base_tokens)',
      'take_back_referral(o, null, 0)',
    ),
    killers: embedded('src/server/payments/settling-steps.test.ts'),
  },
  'expired-in-its-time': {
    says: 'An order of which a payment is gone is shown as expired though it may still be paid.',
    edits: replace(
      'detail',
      "when p_now < o.expires_at then 'awaiting_payment'",
      "when false then 'awaiting_payment'",
    ),
    killers: parts,
  },
  'awaited-for-ever': {
    says: 'An order of which a payment is gone is never shown as expired.',
    edits: replace(
      'detail',
      "when p_now < o.expires_at then 'awaiting_payment'",
      "when true then 'awaiting_payment'",
    ),
    killers: parts,
  },
  'awaited-at-the-expiry': {
    says: 'An order is not expired in the moment of its expiry.',
    edits: replace(
      'detail',
      "when p_now < o.expires_at then 'awaiting_payment'",
      "when p_now <= o.expires_at then 'awaiting_payment'",
    ),
    killers: parts,
  },
  'signed-and-shown-as-expired': {
    says: 'A signed order whose payment is gone is shown as expired though its contract still takes it.',
    edits: remove(
      'detail',
      "when o.escrow_id is not null and may_be_paid_in_escrow(o.id) then 'awaiting_payment'",
    ),
    killers: embedded('src/server/escrows/escrow-orders.test.ts'),
  },

  // settle_order, terms_of_now
  'paid-and-unheard': {
    says: 'Operators never hear of an order that was paid without a word of its buyer.',
    edits: never('settle_order', 'o.sent_at is null and not is_too_little(…)'),
    killers: steps,
  },
  'missed-and-kept': {
    says: 'An order of a sale that missed its soft cap buys more when it is settled before it is paid back.',
    edits: never('settle_order', "o.status = 'approved' and soft_cap_verdict_held() = 'missed'"),
    killers: steps,
  },
  'one-order-stops-a-reading': {
    says: 'What the commit refuses of one order ends the whole reading of its chain.',
    edits: replace(
      'settle_or_put_off',
      'perform settle_order(p_order_id); set constraints holdings_cover_allocations immediate;',
      'perform settle_order(p_order_id);',
    ),
    killers: embedded('test/security-regressions/one-order-stops-no-reading.test.ts'),
  },
  'put-off-for-ever': {
    says: 'An order that failed to settle once keeps its error.',
    edits: replace(
      'settle_order',
      'settle_failures = 0, settle_error = null',
      'settle_failures = settle_failures',
    ),
    killers: settled,
  },
  'owed-for-what-is-gone': {
    says: 'What is owed for a payment that is gone stays owed.',
    edits: remove('settle_order', 'perform write_off_refunds(o.id);'),
    killers: facts,
  },
  'rejected-not-owed': {
    says: 'An operator rejects an order that was paid, and nothing is owed back.',
    edits: remove('reject_order', 'perform settle_order(p_order_id);'),
    killers: facts,
  },
  'rejected-and-credited': {
    says: 'What a rejected order bought is not owed back.',
    edits: remove('reject_order', 'update payments set credited = 0 where id = p.id;'),
    killers: steps,
  },
  'rejected-for-what-is-gone': {
    says: 'A rejected order owes a payment that its chain took back.',
    edits: always('reject_order', 'p.alive and p.confirmed'),
    killers: settled,
  },
  'rejected-keeps-its-room': {
    says: 'The room of a rejected order is given back to nobody.',
    edits: remove('reject_order', 'perform take_room(o, 0, 0, 0);'),
    killers: steps,
  },
  'terms-of-another-maximum': {
    says: 'An order has the largest order of others with the same levels.',
    edits: replace('terms_of_now', 'maximum_tokens = v_maximum and levels = v_levels', 'levels = v_levels'),
    killers: parts,
  },
  'terms-of-other-levels': {
    says: 'An order has the levels of others with the same largest order.',
    edits: replace(
      'terms_of_now',
      'maximum_tokens = v_maximum and levels = v_levels',
      'maximum_tokens = v_maximum',
    ),
    killers: parts,
  },
  'terms-at-once': {
    says: 'Two orders at once under new terms fail.',
    edits: remove(
      'terms_of_now',
      'on conflict on constraint order_terms_once do update set levels = excluded.levels',
    ),
    killers: parts,
  },
  'too-little-unsaid': {
    says: 'What is too little is shown as confirming for ever.',
    edits: never(
      'payment_state',
      'p.confirmed and p.owed = 0 and (select is_too_little(o, p.amount, p.late_rate) from orders o where o.id = p.order_id)',
    ),
    killers: parts,
  },
  'too-little-before-it-counts': {
    says: 'A little is called too little before it is confirmed.',
    edits: replace('payment_state', 'p.confirmed and p.owed = 0', 'p.owed = 0'),
    killers: parts,
  },
  'owed-and-too-little': {
    says: 'A little that is owed is called too little.',
    edits: remove('payment_state', 'and p.owed = 0'),
    killers: parts,
  },
  'credited-and-too-little': {
    says: 'A little that completes an order is called too little.',
    edits: remove('payment_state', "when p.credited > 0 then 'credited'"),
    killers: parts,
  },
})
