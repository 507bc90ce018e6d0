import { describe, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addBuyer, addOperator, buy, endSale, type Sale, withSale } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A sale that pays back below $1,000,000, of which $180 are sold, with its seller's only owner. */
async function soldBelowItsSoftCap(sale: Sale) {
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
  await change({ softCapPolicy: 'refund', softCapUsd: '1000000', hardCapUsd: '400000000' })
  const order = await buy(sale, await addBuyer(db), '40')
  await sale.ledger.approve(String(order.number), { operatorId: actor.operatorId })
  const addStage = (startsAt: string, endsAt: string) =>
    actions.execute(campaign.actions['stage.add'], actor, {
      name: { en: 'One more' },
      goalUsd: '1',
      priceUsd: '4.5',
      startsAt,
      endsAt,
    })
  return { actions, actor, change, addStage }
}

describe('a seller who would have to pay back', () => {
  test('can’t lower the soft cap to what was raised [OPEN-7]', () =>
    withSale(async (sale) => {
      const { change } = await soldBelowItsSoftCap(sale)
      for (const softCapUsd of ['999999.99', '180'])
        await expect(change({ softCapUsd })).rejects.toEqual(refused('setting_locked'))
      await endSale(sale.db)
      const ledger = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false })
      expect(await ledger.payBackMissedSale()).toBe(1)
    }))

  test('can’t put the end of the sale off by another stage behind the last one [OPEN-7]', () =>
    withSale(async (sale) => {
      const { addStage } = await soldBelowItsSoftCap(sale)
      const [stage] = (await sale.campaign.show()).stages
      const last = Math.ceil((Date.parse(stage?.endsAt ?? '') - Date.now()) / 86_400_000)
      await expect(addStage(inDays(last + 1), inDays(20_000))).rejects.toEqual(refused('setting_locked'))
    }))
})

describe('one owner who wants all of it paid back', () => {
  type Stages = Awaited<ReturnType<Sale['campaign']['show']>>['stages']

  /** Two owners, of whom two are needed, a stage that is open, and one behind it; `change` is one owner's of the first or the last stage. */
  async function withTwoOwners(sale: Sale) {
    const { actions, actor, change, addStage } = await soldBelowItsSoftCap(sale)
    const [{ endsAt = '' } = {}] = (await sale.campaign.show()).stages
    await sale.db.query(sql`update campaign set first_approved_at = null`)
    await addStage(endsAt, new Date(Date.parse(endsAt) + 9 * 86_400_000).toISOString())
    await sale.db.query(sql`update campaign set first_approved_at = clock_timestamp()`)
    await addOperator(sale.db, 'owner')
    await sale.db.query(sql`update operators set password_hash = 'x'`)
    await change({ secondOperator: true })
    return async (which: 0 | -1, changes: Partial<Stages[number]>) => {
      const { stages, revision } = await sale.campaign.show()
      const stage = stages.at(which)
      const input = { id: stage?.id ?? 0, revision, stage: { ...stage, ...changes } }
      return actions.execute(sale.campaign.actions['stage.update'], actor, input)
    }
  }
  const SOON = new Date(Date.now() + 60_000).toISOString()

  test.each([
    [
      'end the sale sooner',
      -1,
      ({ startsAt }) => ({ endsAt: new Date(Date.parse(startsAt) + 1_000).toISOString() }),
    ],
    ['end a stage before the last one sooner', 0, () => ({ endsAt: SOON })],
    [
      'let the last stage open only just before its end',
      -1,
      ({ endsAt }) => ({ startsAt: new Date(Date.parse(endsAt) - 1_000).toISOString() }),
    ],
    ['lower a goal, which never rises again, to what is sold', 0, () => ({ goalUsd: '180' })],
    ['lower one with another value', -1, () => ({ goalUsd: '0.5', priceUsd: '4.6' })],
  ] satisfies [string, 0 | -1, (stage: Stages[number]) => Partial<Stages[number]>][])(
    'can’t %s alone [TWO-13]',
    (_, which, less) =>
      withSale(async (sale) => {
        const change = await withTwoOwners(sale)
        const stage = (await sale.campaign.show()).stages.at(which)
        if (!stage) throw new Error('the sale has two stages')
        await expect(change(which, less(stage))).rejects.toEqual(refused('second_operator_required'))
        await change(which, { name: 'Another name' })
      }),
  )

  test('nor have the other one confirm a far value and not see what it leaves, or of which stage', () =>
    withSale(async (sale) => {
      const change = await withTwoOwners(sale)
      const far = change(-1, { name: 'Some other', goalUsd: '0.5', priceUsd: '9' })
      await expect(far).rejects.toEqual(refused('second_operator_required'))
      const [{ summary } = {}] = await sale.db.query<{ summary: object }>(
        sql`select summary from approval_requests order by id desc limit 1`,
      )
      const stage = 'One more → Some other'
      expect(summary).toMatchObject({ stage, usd: '9', goalUsd: '1 → 0.5' })
    }))

  test('nor by removing a stage that is still to come, whichever [TWO-13]', () =>
    withSale(async (sale) => {
      const { actions, actor, addStage } = await soldBelowItsSoftCap(sale)
      const [{ endsAt = '' } = {}] = (await sale.campaign.show()).stages
      await sale.db.query(sql`update campaign set first_approved_at = null`)
      const day = (days: number) => new Date(Date.parse(endsAt) + days * 86_400_000).toISOString()
      await addStage(endsAt, day(1))
      await sale.db.query(sql`update stages set name = 'Between', names = null where name = 'One more'`)
      const { stages, revision } = await addStage(day(1), day(2))
      await sale.db.query(sql`update campaign set first_approved_at = clock_timestamp()`)
      for (const stage of stages.slice(1))
        await expect(
          actions.execute(sale.campaign.actions['stage.remove'], actor, { id: stage.id, revision }),
        ).rejects.toEqual(refused('setting_locked'))
    }))
})
