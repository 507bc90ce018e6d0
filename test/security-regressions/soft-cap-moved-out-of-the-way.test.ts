import { describe, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addBuyer, addOperator, buy, type Sale, withSale } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

type Stages = Awaited<ReturnType<Sale['campaign']['show']>>['stages']

/** A sale that pays back below $1,000,000, of which somebody ordered $180 (approved or not), with another stage behind the first, and its seller's only owner. */
async function soldBelowItsSoftCap(sale: Sale, isApproved = true) {
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
  const addStage = (startsAt: string, endsAt: string, name = 'One more') =>
    actions.execute(campaign.actions['stage.add'], actor, {
      name: { en: name },
      goalUsd: '1',
      priceUsd: '4.5',
      startsAt,
      endsAt,
    })
  const changeStage = async (which: 0 | -1, changes: Partial<Stages[number]>) => {
    const { stages, revision } = await campaign.show()
    const stage = stages.at(which)
    const input = { id: stage?.id ?? 0, revision, stage: { ...stage, ...changes } }
    return actions.execute(campaign.actions['stage.update'], actor, input)
  }
  await change({ softCapPolicy: 'refund', softCapUsd: '1000000', hardCapUsd: '400000000' })
  const [{ endsAt = '' } = {}] = (await campaign.show()).stages
  const day = (days: number) => new Date(Date.parse(endsAt) + days * 86_400_000).toISOString()
  await addStage(endsAt, day(9))
  const order = await buy(sale, await addBuyer(db), '40')
  if (isApproved) await sale.ledger.approve(String(order.number), { operatorId: actor.operatorId })
  return { actions, actor, change, addStage, changeStage, day }
}

describe('a seller who would have to pay back', () => {
  test('can’t lower the soft cap to what was raised [FIXED-1]', () =>
    withSale(async (sale) => {
      const { change } = await soldBelowItsSoftCap(sale)
      for (const softCapUsd of ['999999.99', '180'])
        await expect(change({ softCapUsd })).rejects.toEqual(refused('setting_locked'))
    }))

  test('can’t put the end of the sale off by another stage behind the last one [OPEN-7]', () =>
    withSale(async (sale) => {
      const { addStage, day } = await soldBelowItsSoftCap(sale, false)
      await expect(addStage(day(10), inDays(20_000))).rejects.toEqual(refused('setting_locked'))
    }))

  test('needs a second operator for a later end [TWO-13]', () =>
    withSale(async (sale) => {
      const { change, changeStage, day } = await soldBelowItsSoftCap(sale, false)
      await addOperator(sale.db, 'owner')
      await sale.db.query(sql`update operators set password_hash = 'x'`)
      await change({ secondOperator: true })
      const far = changeStage(-1, { name: 'Some other', endsAt: day(20_000), priceUsd: '9' })
      await expect(far).rejects.toEqual(refused('second_operator_required'))
      const [{ summary } = {}] = await sale.db.query<{ summary: object }>(
        sql`select summary from approval_requests order by id desc limit 1`,
      )
      const stage = 'One more → Some other'
      expect(summary).toMatchObject({ stage, usd: '9', endsAt: `${day(9)} → ${day(20_000)}` })
      for (const near of [{}, { priceUsd: '4.6' }])
        await expect(changeStage(-1, { ...near, endsAt: day(10) })).rejects.toEqual(
          refused('second_operator_required'),
        )
      await changeStage(-1, { name: 'Another name' })
    }))
})

// An end moved back makes the verdict early, before approvals, while money is on its way.
describe.each([false, true])(
  'an owner who wants all of it paid back (an order is approved: %s)',
  (isApproved) => {
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
      ['lower a goal to what is sold', 0, () => ({ goalUsd: '180' })],
      ['lower one with another value', -1, () => ({ goalUsd: '0.5', priceUsd: '4.6' })],
    ] satisfies [string, 0 | -1, (stage: Stages[number]) => Partial<Stages[number]>][])(
      'can’t %s [FIXED-1] [FIXED-4]',
      (_, which, less) =>
        withSale(async (sale) => {
          const { changeStage } = await soldBelowItsSoftCap(sale, isApproved)
          const stage = (await sale.campaign.show()).stages.at(which)
          if (!stage) throw new Error('the sale has two stages')
          await expect(changeStage(which, less(stage))).rejects.toEqual(refused('setting_locked'))
          await changeStage(which, { name: 'Another name' })
        }),
    )

    test('can’t remove a stage that is still to come [TWO-13]', () =>
      withSale(async (sale) => {
        const { actions, actor } = await soldBelowItsSoftCap(sale, isApproved)
        const { stages, revision } = await sale.campaign.show()
        await expect(
          actions.execute(sale.campaign.actions['stage.remove'], actor, { id: stages[1]?.id ?? 0, revision }),
        ).rejects.toEqual(refused('setting_locked'))
      }))

    test('can’t raise the soft cap above what was raised [FIXED-1]', () =>
      withSale(async (sale) => {
        const { change } = await soldBelowItsSoftCap(sale, isApproved)
        await expect(change({ softCapUsd: '1000001' })).rejects.toEqual(refused('setting_locked'))
        await expect(change({ hardCapUsd: '399999999' })).rejects.toEqual(refused('setting_locked'))
      }))
  },
)
