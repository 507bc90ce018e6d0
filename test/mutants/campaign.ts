import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const moved = embedded('test/security-regressions/soft-cap-moved-out-of-the-way.test.ts')
const bounds = embedded('src/server/ledger/soft-cap.test.ts')
const decided = embedded('test/security-regressions/soft-cap-decided-once.test.ts')
const paidBack = embedded('src/server/ledger/pay-back.test.ts')
const late = embedded('test/security-regressions/approved-too-late.test.ts')
const longer = embedded('test/security-regressions/rate-held-longer-by-one.test.ts')

export const campaignMutants = mutantsOf({
  'soft-cap-lowered': {
    says: 'A soft cap below which the money goes back falls to what was raised.',
    edits: replace(
      'src/server/campaign/change-rules.ts:refuseLockedChange',
      'compare(before[name], after[name]) !== 0',
      'compare(before[name], after[name]) < 0',
    ),
    killers: moved,
  },
  'stage-behind-the-last': {
    says: 'A sale that pays back ends later by another stage, as often as one is added.',
    edits: never(
      'src/server/campaign/change-rules.ts:refuseStageAdded',
      'state.stages.every((known) => known.endsAt < stage.endsAt)',
    ),
    killers: moved,
  },
  'last-stage-removed': {
    says: 'A sale that pays back sells less because a stage is removed.',
    edits: remove(
      'src/server/campaign/change-rules.ts:refuseStageRemoved',
      "if (givesMoneyBack(settings)) locked('stages', 'a sale that pays back sells no less than it said')",
    ),
    killers: moved,
  },
  'sale-put-off-by-one': {
    says: 'One owner alone ends a sale that pays back later.',
    edits: remove(
      'src/server/campaign/stage-actions.ts:approvalForPriceOrDelay',
      'before.pays_back ? showDelay(name, stage, before) :',
    ),
    killers: moved,
  },
  'soft-cap-before-the-approvals': {
    says: 'The soft cap is missed before the 24 hours for approvals are over.',
    edits: remove('soft_cap_waits_for', 'p_now >= approvals_until and'),
    killers: [bounds, paidBack],
  },
  'soft-cap-approvals-shorter': {
    says: 'Operators have an hour less than 24 for approvals before the soft cap is decided.',
    edits: replace('soft_cap_waits_for', "interval '24 hours'", "interval '23 hours'"),
    killers: bounds,
  },
  'soft-cap-a-moment-after-the-approvals': {
    says: 'The soft cap is not decided in the moment in which the 24 hours for approvals are over.',
    edits: replace('soft_cap_waits_for', 'p_now >= approvals_until and', 'p_now > approvals_until and'),
    killers: bounds,
  },
  'soft-cap-waits-longer': {
    says: 'A chain or a payment keeps the soft cap open for longer than 7 days.',
    edits: replace('soft_cap_waits_for', "interval '7 days'", "interval '8 days'"),
    killers: bounds,
  },
  'soft-cap-waits-shorter': {
    says: 'The soft cap is decided less than 7 days after the end, though payments are open.',
    edits: replace('soft_cap_waits_for', "interval '7 days'", "interval '6 days 23 hours'"),
    killers: bounds,
  },
  'soft-cap-never-decided': {
    says: 'A payment that is never confirmed keeps the soft cap from being decided.',
    edits: remove('soft_cap_waits_for', 'p_now >= latest_at or'),
    killers: bounds,
  },
  'soft-cap-a-moment-after-the-last': {
    says: 'The soft cap is not decided in the moment in which the 7 days are over.',
    edits: replace('soft_cap_waits_for', 'p_now >= latest_at or', 'p_now > latest_at or'),
    killers: bounds,
  },
  'soft-cap-before-the-end': {
    says: 'The soft cap is asked about before the last stage is over.',
    edits: replace(
      'soft_cap_waits_for',
      'v_ended_at > p_now',
      "v_ended_at > p_now + interval '1 microsecond'",
    ),
    killers: bounds,
  },
  'soft-cap-a-moment-after-the-end': {
    says: 'A sale that ends in this moment is not over yet.',
    edits: replace('soft_cap_waits_for', 'v_ended_at > p_now', 'v_ended_at >= p_now'),
    killers: bounds,
  },
  'soft-cap-blocks-shorter': {
    says: 'Blocks count for the soft cap for less than 3 hours after the end.',
    edits: replace('soft_cap_waits_for', "interval '3 hours'", "interval '2 hours'"),
    killers: bounds,
  },
  'soft-cap-blocks-longer': {
    says: 'Blocks count for the soft cap for more than 3 hours after the end.',
    edits: replace('soft_cap_waits_for', "interval '3 hours'", "interval '4 hours'"),
    killers: bounds,
  },
  'soft-cap-read-up-to-the-moment': {
    says: 'A chain that is read up to the end and 3 hours counts as read past it.',
    edits: replace('soft_cap_waits_for', 'b.mined_at > v_blocks_until', 'b.mined_at >= v_blocks_until'),
    killers: bounds,
  },
  'soft-cap-read-by-another-chain': {
    says: 'The block of one chain stands for all of them.',
    edits: remove('soft_cap_waits_for', 'b.chain = c.name and'),
    killers: bounds,
  },
  'soft-cap-missed-unread': {
    says: 'The soft cap is missed for good while blocks of a chain in use are unread.',
    edits: remove('soft_cap_waits_for', "chains = '{}' and"),
    killers: bounds,
  },
  'soft-cap-over-balances': {
    says: 'The soft cap is missed for good while coins that contracts sent have not been looked for.',
    edits: never('soft_cap_waits_for', 'coalesce(c.balances_read_to <= v_blocks_until, true)'),
    killers: bounds,
  },
  'soft-cap-balances-of-blocks-undone': {
    says: 'Balances that were known in blocks which are gone count as known in those that took their place.',
    edits: replace('undo_blocks', 'least(balances_read_to, b.mined_at)', 'balances_read_to'),
    killers: bounds,
  },
  'soft-cap-forgets-an-unwatched-chain': {
    says: 'A chain whose wallet was taken off is not waited for, though its addresses are paid.',
    edits: remove(
      'soft_cap_waits_for',
      'or exists (select from wallet_addresses a join currencies k on k.id = a.currency_id where k.network = c.name)',
    ),
    killers: bounds,
  },
  'soft-cap-waits-for-unused-chains': {
    says: 'A chain that nobody pays on keeps the soft cap from being decided.',
    edits: replace('soft_cap_waits_for', 'k.network = c.name and k.watched', 'k.network = c.name'),
    killers: bounds,
  },
  'soft-cap-over-blocks': {
    says: 'The soft cap is missed while a payment that reaches it lies in a block.',
    edits: remove('soft_cap_waits_for', 'and payments = 0'),
    killers: bounds,
  },
  'soft-cap-in-time-to-the-moment': {
    says: 'A payment in a block of just 3 hours after the end is not waited for.',
    edits: replace(
      'soft_cap_waits_for',
      '(least(p.mined_at, p.first_seen_at) <= v_blocks_until',
      '(least(p.mined_at, p.first_seen_at) < v_blocks_until',
    ),
    killers: bounds,
  },
  'soft-cap-waits-for-late-blocks': {
    says: 'A payment in a block of long after the end keeps the soft cap from being decided.',
    edits: replace(
      'soft_cap_waits_for',
      '(least(p.mined_at, p.first_seen_at) <= v_blocks_until',
      '(p.mined_at is not null',
    ),
    killers: bounds,
  },
  'soft-cap-missed-in-a-reorganisation': {
    says: 'A soft cap is missed for good while a payment is between two blocks.',
    edits: replace('soft_cap_waits_for', 'p.orphaned_at is not null and', 'false and'),
    killers: bounds,
  },
  'soft-cap-waits-for-what-no-block-held': {
    says: 'A payment that no block ever held keeps the soft cap from being decided.',
    edits: replace('soft_cap_waits_for', 'p.orphaned_at is not null and p.seen_at', 'p.seen_at'),
    killers: bounds,
  },
  'soft-cap-orphan-to-the-moment': {
    says: 'A payment out of its block, seen just 3 hours after the end, is not waited for.',
    edits: replace('soft_cap_waits_for', 'p.seen_at <= v_blocks_until', 'p.seen_at < v_blocks_until'),
    killers: bounds,
  },
  'soft-cap-orphan-seen-late': {
    says: 'A payment out of its block, seen long after the end, is waited for.',
    edits: remove('soft_cap_waits_for', 'and p.seen_at <= v_blocks_until'),
    killers: bounds,
  },
  'soft-cap-waits-for-the-failed': {
    says: 'A payment that failed keeps the soft cap from being decided.',
    edits: replace('soft_cap_waits_for', 'and not p.failed and', 'and'),
    killers: bounds,
  },
  'soft-cap-waits-for-the-replaced': {
    says: 'A payment that was replaced keeps the soft cap from being decided.',
    edits: remove('soft_cap_waits_for', 'and p.replaced_by is null'),
    killers: bounds,
  },
  'soft-cap-waits-for-another-coin': {
    says: 'A payment in another coin keeps the soft cap from being decided.',
    edits: remove('soft_cap_waits_for', 'and p.fault is null'),
    killers: bounds,
  },
  'soft-cap-waits-for-the-counted': {
    says: 'A counted payment of a settled order keeps the soft cap from being decided.',
    edits: remove('soft_cap_waits_for', 'and not p.confirmed'),
    killers: bounds,
  },
  'soft-cap-missed-unsettled': {
    says: 'The soft cap is missed while a counted payment waits for its order to be settled.',
    edits: replace(
      'soft_cap_waits_for',
      "o.settle_error is not null and o.status <> 'rejected'",
      "o.status = 'rejected'",
    ),
    killers: bounds,
  },
  'soft-cap-settled-to-the-moment': {
    says: 'A counted payment in a block of just 3 hours after the end is not waited for until its order is settled.',
    edits: replace(
      'soft_cap_waits_for',
      'and least(p.mined_at, p.first_seen_at) <= v_blocks_until',
      'and least(p.mined_at, p.first_seen_at) < v_blocks_until',
    ),
    killers: bounds,
  },
  'soft-cap-forgets-an-approved-order': {
    says: 'What an approved order is paid more is not waited for until it is settled.',
    edits: replace('soft_cap_waits_for', "o.status <> 'rejected'", "o.status = 'pending'"),
    killers: embedded('test/security-regressions/verdict-waits-for-what-counts.test.ts'),
  },
  'soft-cap-missed-at-it': {
    says: 'A sale that raised just its soft cap misses it.',
    edits: replace('decide_soft_cap', 'v_raised >= ', 'v_raised > '),
    killers: bounds,
  },
  'soft-cap-lower-by-a-cent': {
    says: 'A sale that raised a cent less than its soft cap reaches it.',
    edits: replace('decide_soft_cap', 'v_raised >= ', 'v_raised + 0.01 >= '),
    killers: bounds,
  },
  'soft-cap-decided-beside-an-approval': {
    says: 'The soft cap is missed while an approval that reaches it is under way.',
    edits: remove('decide_soft_cap', 'perform from campaign for update;'),
    killers: paidBack,
  },
  'soft-cap-approval-beside-the-verdict': {
    says: 'An approval credits an order while the soft cap is being missed.',
    edits: replace('soft_cap_verdict_held', 'from campaign for share', 'from campaign'),
    killers: paidBack,
  },
  'soft-cap-approval-without-the-verdict': {
    says: 'An order is approved though the sale missed its soft cap.',
    edits: remove('approve_orders', "when v_soft_cap = 'missed' then 'soft_cap_missed'"),
    killers: [paidBack, decided],
  },
  'soft-cap-round-before-the-verdict': {
    says: 'A round gives tokens whose money may still go back.',
    edits: replace('round_refusal', "v_soft_cap is distinct from 'reached'", "v_soft_cap = 'missed'"),
    killers: embedded('src/server/delivery/rounds.test.ts'),
  },
  'approved-for-longer': {
    says: 'Operators approve an order more than 3 days after it expired.',
    edits: replace('approval_is_over', "interval '3 days'", "interval '4 days'"),
    killers: bounds,
  },
  'approved-for-shorter': {
    says: 'Operators can approve an order for less than 3 days after it expired.',
    edits: replace('approval_is_over', "interval '3 days'", "interval '2 days'"),
    killers: bounds,
  },
  'approved-to-the-moment': {
    says: 'Operators can not approve an order just 3 days after it expired.',
    edits: replace('approval_is_over', 'p_now > p_expires_at', 'p_now >= p_expires_at'),
    killers: bounds,
  },
  'approved-after-the-verdict': {
    says: 'Operators approve orders once the soft cap is decided.',
    edits: replace(
      'approval_is_over',
      'return exists (select from campaign where soft_cap_verdict is not null)',
      'return false',
    ),
    killers: bounds,
  },
  'approved-too-late': {
    says: 'A waiting approval is executed however late.',
    edits: remove(
      'approve_orders',
      "when not v.watched and approval_is_over(v.expires_at, clock_timestamp()) then 'approval_over'",
    ),
    killers: late,
  },
  'asked-too-late': {
    says: 'A second operator is asked for an approval that is refused.',
    edits: remove(
      'src/server/ledger/ledger-actions.ts:approvalForPayment',
      "if (order.approval_over) refuse('approval_over')",
    ),
    killers: late,
  },
  'offered-too-late': {
    says: 'The page of operators offers an approval that is refused.',
    edits: replace(
      'src/server/orders/operator-orders.ts:approvalWithheldBy',
      "return row.status === 'pending' && row.approval_over ? 'approval_over' : null",
      'return null',
    ),
    killers: late,
  },
  'rate-longer-by-one': {
    says: 'One owner alone has orders keep their rate longer.',
    edits: never(
      'src/server/campaign/change-rules.ts:longerRates',
      'after.expiryMinutes > before.expiryMinutes',
    ),
    killers: longer,
  },
  'feed-rate-longer-by-one': {
    says: 'One owner alone has the rate of a silent feed buy longer.',
    edits: never(
      'src/server/campaign/change-rules.ts:longerRates',
      'after.feedRateMaxMinutes > before.feedRateMaxMinutes',
    ),
    killers: longer,
  },
  'asset-moved-under-approved-orders': {
    says: 'What was paid in one token is owed back in another that took its name.',
    edits: replace(
      'src/server/currencies/currency-actions.ts:refuseWhileInUse',
      'exists (select 1 from orders where currency_id = ${currencyId})',
      'false',
    ),
    killers: embedded('test/security-regressions/refund-in-another-token.test.ts'),
  },
  'goal-lowered': {
    says: 'A goal falls, so that all of it is paid back.',
    edits: replace(
      'src/server/campaign/change-rules.ts:refuseStageChange',
      'compare(after.goalUsd, before.goalUsd) !== 0',
      'compare(after.goalUsd, before.goalUsd) > 0',
    ),
    killers: moved,
  },
  'stage-opened-later': {
    says: 'A stage opens just before its end, so that all of it is paid back.',
    edits: never('src/server/campaign/change-rules.ts:refuseStageChange', 'after.startsAt > before.startsAt'),
    killers: moved,
  },
  'stage-ended-sooner': {
    says: 'A stage ends sooner, so that the soft cap is decided early and all of it is paid back.',
    edits: never('src/server/campaign/change-rules.ts:refuseStageChange', 'after.endsAt < before.endsAt'),
    killers: moved,
  },
  'delay-behind-another-value': {
    says: 'One owner alone puts an end off by changing the stage’s value a little with it.',
    edits: replace(
      'src/server/campaign/stage-actions.ts:approvalForPriceOrDelay',
      'const shown = far ?? delay',
      'const shown = far',
    ),
    killers: moved,
  },
  'delay-untold-beside-a-value': {
    says: 'Who confirms a far value of a stage is not shown that it ends later.',
    edits: replace(
      'src/server/campaign/stage-actions.ts:approvalForPriceOrDelay',
      'const shown = far ?? delay … summary: { ...delay?.summary, ...far?.summary }',
      'const shown = far ?? delay … summary: { ...shown.summary }',
    ),
    killers: moved,
  },
  'terms-before-untold': {
    says: 'Who confirms terms for bringing buyers is not shown those that stand.',
    edits: replace(
      'src/server/campaign/campaign-actions.ts:rewardOf',
      '[before, after].flatMap((terms)',
      '[null, after].flatMap((terms)',
    ),
    killers: embedded('test/security-regressions/bonus-raised-by-one.test.ts'),
  },
  'country-opened-by-one': {
    says: 'One owner alone opens rewards in a country that was left out.',
    edits: replace(
      'src/server/campaign/change-rules.ts:isReferralMoreGenerous',
      'before.countriesExcluded.some((country) => !after.countriesExcluded.includes(country))',
      'before.countriesExcluded.length < after.countriesExcluded.length',
    ),
    killers: embedded('test/security-regressions/bonus-raised-by-one.test.ts'),
  },
})
