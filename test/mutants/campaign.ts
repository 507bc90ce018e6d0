import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const moved = embedded('test/security-regressions/soft-cap-moved-out-of-the-way.test.ts')
const missed = embedded('test/security-regressions/soft-cap-missed-for-a-moment.test.ts')
const longer = embedded('test/security-regressions/rate-held-longer-by-one.test.ts')

/** The promises of a sale: its soft cap and its end, and how long a rate buys. */
export const campaignMutants = mutantsOf({
  'soft-cap-lowered': {
    says: 'A soft cap below which the money goes back falls to what was raised.',
    edits: replace(
      'src/server/campaign/change-rules.ts:refuseSettingsChange',
      'compare(after.softCapUsd, before.softCapUsd) < 0',
      'compare(after.softCapUsd, before.softCapUsd) < -1',
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
      "if (softCapPolicy === 'refund') locked('stages', 'a sale that pays back sells no less than it said')",
    ),
    killers: moved,
  },
  'sale-ended-sooner-by-one': {
    says: 'One owner alone ends a sale sooner, so that all of it is paid back.',
    edits: remove(
      'src/server/campaign/stage-actions.ts:approvalForPriceOrLess',
      'before.pays_back ? showLess(name, stage, before) :',
    ),
    killers: moved,
  },
  'soft-cap-asked-again': {
    says: 'A sale that had reached its soft cap misses it by an order that is taken back later.',
    edits: [
      remove('note_missed_soft_cap', 'c.soft_cap_reached_at is not null or'),
      replace(
        'note_missed_soft_cap',
        'where soft_cap_missed_at is null and soft_cap_reached_at is null',
        'where soft_cap_missed_at is null',
      ),
    ],
    killers: embedded('test/security-regressions/soft-cap-decided-once.test.ts'),
  },
  'soft-cap-over-blocks': {
    says: 'The soft cap is missed while a payment that reaches it lies in a block.',
    edits: replace('note_missed_soft_cap', 'p.amount > p.owed', 'p.amount < p.owed'),
    killers: embedded('test/security-regressions/soft-cap-decided-once.test.ts'),
  },
  'soft-cap-never-decided': {
    says: 'A payment that is never confirmed keeps the soft cap from being decided.',
    edits: remove('note_missed_soft_cap', "v_ended_at > clock_timestamp() - interval '7 days' and"),
    killers: embedded('test/security-regressions/soft-cap-decided-once.test.ts'),
  },
  'soft-cap-missed-by-what-is-held': {
    says: 'A soft cap is missed for good whatever may still have been paid.',
    edits: remove('note_missed_soft_cap', '+ may_still_be_paid_usd()'),
    killers: missed,
  },
  'soft-cap-missed-in-a-reorganisation': {
    says: 'A soft cap is missed for good while a payment is between two blocks.',
    edits: never(
      'may_still_be_paid_usd',
      'p.orphaned_at > clock_timestamp() - (settlement_rules()).forget_after',
    ),
    killers: missed,
  },
  'soft-cap-missed-unread': {
    says: 'A soft cap is missed for good while blocks of before an order’s expiry are unread.',
    edits: never('may_still_be_paid_usd', 'o.watched'),
    killers: missed,
  },
  'soft-cap-waits-for-ever': {
    says: 'A node that is away keeps a sale from being paid back for ever.',
    edits: remove(
      'may_still_be_paid_usd',
      'and o.expires_at > clock_timestamp() - (settlement_rules()).confirm_within',
    ),
    killers: missed,
  },
  'soft-cap-waits-for-what-was-read': {
    says: 'An order that expired unpaid, by all its chain says, keeps a sale from being paid back.',
    edits: replace(
      'may_still_be_paid_usd',
      'b.chain = k.network and b.mined_at > o.expires_at',
      'b.chain is null',
    ),
    killers: missed,
  },
  'watched-rate-longer-by-one': {
    says: 'One owner alone has orders at watched addresses keep their rate longer.',
    edits: remove(
      'src/server/campaign/change-rules.ts:longerRates',
      'after.expiryMinutes.watched > watched ||',
    ),
    killers: longer,
  },
  'fixed-rate-longer-by-one': {
    says: 'One owner alone has orders at fixed addresses keep their rate longer.',
    edits: remove('src/server/campaign/change-rules.ts:longerRates', '|| after.expiryMinutes.fixed > fixed'),
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
  'goal-lowered-by-one': {
    says: 'One owner alone lowers a goal, so that all of it is paid back.',
    edits: never(
      'src/server/campaign/stage-actions.ts:showLess',
      'compare(stage.goalUsd, before.goal_usd) < 0',
    ),
    killers: moved,
  },
  'stage-opened-later-by-one': {
    says: 'One owner alone has a stage open just before its end, so that all of it is paid back.',
    edits: never(
      'src/server/campaign/stage-actions.ts:showLess',
      'Date.parse(stage.startsAt) > Date.parse(startsAt)',
    ),
    killers: moved,
  },
  'stage-ended-sooner-by-one': {
    says: 'One owner alone ends a stage before the last one sooner, so that all of it is paid back.',
    edits: never(
      'src/server/campaign/stage-actions.ts:showLess',
      'Date.parse(stage.endsAt) < Date.parse(endsAt)',
    ),
    killers: moved,
  },
  'less-behind-another-value': {
    says: 'One owner alone leaves less to sell by changing the stage’s value a little with it.',
    edits: replace(
      'src/server/campaign/stage-actions.ts:approvalForPriceOrLess',
      'const shown = far ?? less',
      'const shown = far',
    ),
    killers: moved,
  },
  'less-untold-beside-a-value': {
    says: 'Who confirms a far value of a stage is not shown that less is left to sell.',
    edits: replace(
      'src/server/campaign/stage-actions.ts:approvalForPriceOrLess',
      'const shown = far ?? less … summary: { ...less?.summary, ...far?.summary }',
      'const shown = far ?? less … summary: { ...shown.summary }',
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
