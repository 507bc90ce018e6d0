import { embedded, type Mutant } from './mutant.ts'

const moved = embedded('test/attacks/soft-cap-moved-out-of-the-way.test.ts')
const missed = embedded('test/attacks/soft-cap-missed-for-a-moment.test.ts')
const longer = embedded('test/attacks/rate-held-longer-by-one.test.ts')

/** The promises of a sale: its soft cap and its end, and how long a rate buys. */
export const campaignMutants: readonly Mutant[] = [
  {
    id: 'soft-cap-lowered',
    says: 'A soft cap below which the money goes back falls to what was raised.',
    edits: [
      [
        'src/server/campaign/change-rules.ts',
        'compare(after.softCapUsd, before.softCapUsd) < 0',
        'compare(after.softCapUsd, before.softCapUsd) < -1',
      ],
    ],
    killers: [moved],
  },
  {
    id: 'stage-behind-the-last',
    says: 'A sale that pays back ends later by another stage, as often as one is added.',
    edits: [
      [
        'src/server/campaign/change-rules.ts',
        'state.stages.every((known) => known.endsAt < stage.endsAt)',
        'false',
      ],
    ],
    killers: [moved],
  },
  {
    id: 'last-stage-removed',
    says: 'A sale that pays back sells less because a stage is removed.',
    edits: [
      [
        'src/server/campaign/change-rules.ts',
        "if (softCapPolicy === 'refund') locked('stages', 'a sale that pays back sells no less than it said')",
        '',
      ],
    ],
    killers: [moved],
  },
  {
    id: 'sale-ended-sooner-by-one',
    says: 'One owner alone ends a sale sooner, so that all of it is paid back.',
    edits: [
      [
        'src/server/campaign/stage-acts.ts',
        'before.pays_back ? showLess(name, stage, before) : null',
        'null as Waiting | null',
      ],
    ],
    killers: [moved],
  },
  {
    id: 'soft-cap-missed-by-what-is-held',
    says: 'A soft cap is missed for good whatever may still have been paid.',
    edits: [
      [
        'functions/ledger/note_missed_soft_cap.sql',
        'v_held := v_held + may_still_be_paid_usd();',
        'v_held := v_held;',
      ],
    ],
    killers: [missed],
  },
  {
    id: 'soft-cap-missed-in-a-reorganisation',
    says: 'A soft cap is missed for good while a payment is between two blocks.',
    edits: [
      [
        'functions/ledger/may_still_be_paid_usd.sql',
        'p.orphaned_at > clock_timestamp() - (settlement_rules()).forget_after',
        'false',
      ],
    ],
    killers: [missed],
  },
  {
    id: 'soft-cap-missed-unread',
    says: 'A soft cap is missed for good while blocks of before an order’s expiry are unread.',
    edits: [
      [
        'functions/ledger/may_still_be_paid_usd.sql',
        "or o.watched and o.detail = 'expired'",
        "or false and o.detail = 'expired'",
      ],
    ],
    killers: [missed],
  },
  {
    id: 'soft-cap-waits-for-ever',
    says: 'A node that is away keeps a sale from being paid back for ever.',
    edits: [
      [
        'functions/ledger/may_still_be_paid_usd.sql',
        '\n             and o.expires_at > clock_timestamp() - (settlement_rules()).confirm_within',
        '',
      ],
    ],
    killers: [missed],
  },
  {
    id: 'soft-cap-waits-for-what-was-read',
    says: 'An order that expired unpaid, by all its chain says, keeps a sale from being paid back.',
    edits: [
      [
        'functions/ledger/may_still_be_paid_usd.sql',
        'b.chain = k.network and b.mined_at > o.expires_at',
        'b.chain is null',
      ],
    ],
    killers: [missed],
  },
  {
    id: 'watched-rate-longer-by-one',
    says: 'One owner alone has orders at watched addresses keep their rate longer.',
    edits: [['src/server/campaign/change-rules.ts', 'after.expiryMinutes.watched > watched || ', '']],
    killers: [longer],
  },
  {
    id: 'fixed-rate-longer-by-one',
    says: 'One owner alone has orders at fixed addresses keep their rate longer.',
    edits: [['src/server/campaign/change-rules.ts', ' || after.expiryMinutes.fixed > fixed', '']],
    killers: [longer],
  },
  {
    id: 'feed-rate-longer-by-one',
    says: 'One owner alone has the rate of a silent feed buy longer.',
    edits: [
      [
        'src/server/campaign/change-rules.ts',
        'after.feedRateMaxMinutes > before.feedRateMaxMinutes',
        'false',
      ],
    ],
    killers: [longer],
  },
  {
    id: 'asset-moved-under-approved-orders',
    says: 'What was paid in one token is owed back in another that took its name.',
    edits: [
      [
        'src/server/currencies/currency-acts.ts',
        "(status = 'approved' or status = 'pending' and",
        "(status = 'pending' and",
      ],
    ],
    killers: [embedded('test/attacks/refund-in-another-token.test.ts')],
  },
  {
    id: 'goal-lowered-by-one',
    says: 'One owner alone lowers a goal, so that all of it is paid back.',
    edits: [
      ['src/server/campaign/stage-acts.ts', 'compare(stage.goalUsd, before.goal_usd) < 0 &&', 'false &&'],
    ],
    killers: [moved],
  },
  {
    id: 'stage-opened-later-by-one',
    says: 'One owner alone has a stage open just before its end, so that all of it is paid back.',
    edits: [
      [
        'src/server/campaign/stage-acts.ts',
        'Date.parse(stage.startsAt) > Date.parse(startsAt) &&',
        'false &&',
      ],
    ],
    killers: [moved],
  },
  {
    id: 'stage-ended-sooner-by-one',
    says: 'One owner alone ends a stage before the last one sooner, so that all of it is paid back.',
    edits: [
      ['src/server/campaign/stage-acts.ts', 'Date.parse(stage.endsAt) < Date.parse(endsAt) &&', 'false &&'],
    ],
    killers: [moved],
  },
  {
    id: 'less-behind-another-value',
    says: 'One owner alone leaves less to sell by changing the stage’s value a little with it.',
    edits: [['src/server/campaign/stage-acts.ts', 'const shown = far ?? less', 'const shown = far']],
    killers: [moved],
  },
  {
    id: 'less-untold-beside-a-value',
    says: 'Who confirms a far value of a stage is not shown that less is left to sell.',
    edits: [
      [
        'src/server/campaign/stage-acts.ts',
        'summary: { ...less?.summary, ...far?.summary }',
        'summary: { ...shown.summary }',
      ],
    ],
    killers: [moved],
  },
  {
    id: 'terms-before-untold',
    says: 'Who confirms terms for bringing buyers is not shown those that stand.',
    edits: [
      [
        'src/server/campaign/campaign-acts.ts',
        '[before, after].flatMap((terms)',
        '[null, after].flatMap((terms)',
      ],
    ],
    killers: [embedded('test/attacks/bonus-raised-by-one.test.ts')],
  },
  {
    id: 'country-opened-by-one',
    says: 'One owner alone opens rewards in a country that was left out.',
    edits: [
      [
        'src/server/campaign/change-rules.ts',
        '    before.countriesExcluded.some((country) => !after.countriesExcluded.includes(country))',
        '    before.countriesExcluded.length < after.countriesExcluded.length',
      ],
    ],
    killers: [embedded('test/attacks/bonus-raised-by-one.test.ts')],
  },
]
