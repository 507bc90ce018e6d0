import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addBuyer, addOperator, brokenRules, buy, endSale, withSale } from '../support/campaign.ts'
import { withTestDatabase } from '../support/database.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function open(sale: Parameters<Parameters<typeof withSale>[0]>[0]) {
  const { db, campaign } = sale
  const actor = operatorActor(await addOperator(db, 'owner'), 'owner')
  const actions = actionsOf(db, campaign.actions)
  const change = async (settings: object) => {
    const { revision, settings: standing } = await campaign.show()
    return actions.execute(campaign.actions['campaign.update'], actor, {
      revision,
      settings: { ...standing, ...settings },
    })
  }
  const addStage = () =>
    actions.execute(campaign.actions['stage.add'], actor, {
      name: { en: 'The real one' },
      goalUsd: '1000',
      priceUsd: '4.5',
      startsAt: new Date(Date.now() - 60_000).toISOString(),
      endsAt: inDays(10),
    })
  return { actor, change, addStage }
}

// A draft stage's dates passed (or a first attempt sold nothing) before anybody ordered.
test('no verdict is written about a sale in which nobody ordered, that goes on', () =>
  withSale(async (sale) => {
    const { db } = sale
    const { actor, change, addStage } = await open(sale)
    await change({ softCapPolicy: 'refund', softCapUsd: '100', hardCapUsd: '400000000' })
    await endSale(db, '8 days')
    const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
    await ledger.payBackMissedSale()
    await addStage()
    const order = await buy(sale, await addBuyer(db), '40')
    await sale.ledger.approve(String(order.number), { operatorId: actor.operatorId })
  }))

test('the check of the ledger finds a verdict about a sale in which nobody ordered [REFUND-10]', () =>
  withTestDatabase(
    async ({ db }) => {
      await db.query(
        sql`update campaign set settings = settings || '{"softCapPolicy": "refund", "softCapUsd": "100"}', soft_cap_verdict = 'missed',
                 soft_cap_decided_at = clock_timestamp(), soft_cap_raised_usd = 0, soft_cap_raised_on_chain_usd = 0, soft_cap_posting_id = 0`,
      )
      await db.query(
        sql`update stages set starts_at = now() - interval '90 days', ends_at = now() - interval '30 days'`,
      )
      const broken = await brokenRules(db)
      expect(broken.map(({ rule }) => rule)).toEqual(['soft_cap_verdict_follows_the_ledger'])
    },
    { holds: 'demo' },
  ))

test('a verdict that was written holds no longer where the sale no longer pays back', () =>
  withSale(async (sale) => {
    const { db } = sale
    const { actor, change, addStage } = await open(sale)
    await change({ softCapPolicy: 'refund', softCapUsd: '100', hardCapUsd: '400000000' })
    await endSale(db, '8 days')
    const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
    await ledger.payBackMissedSale()
    const shown = await change({ softCapPolicy: 'none' }).catch(() => change({ softCapPolicy: 'shown' }))
    expect(shown).toBeDefined()
    await addStage()
    const order = await buy(sale, await addBuyer(db), '40')
    await sale.ledger.approve(String(order.number), { operatorId: actor.operatorId })
  }))
