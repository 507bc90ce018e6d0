import { describe, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { actsOf, operatorBy } from '../support/acts.ts'
import { addBuyer, addOperator, buy, type Sale, withSale } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A sale that pays back below $1,000,000, of which $180 are sold, with its seller's only owner. */
async function soldBelowItsSoftCap(sale: Sale) {
  const { db, campaign } = sale
  const by = operatorBy(await addOperator(db, 'owner'), 'owner')
  const acts = actsOf(db, campaign.acts)
  const change = async (settings: object) => {
    const { revision, settings: standing } = await campaign.show()
    return acts.perform(campaign.acts['campaign.update'], by, {
      revision,
      settings: { ...standing, ...settings },
    })
  }
  await change({ softCapPolicy: 'refund', softCapUsd: '1000000', hardCapUsd: '400000000' })
  const order = await buy(sale, await addBuyer(db), '40')
  await sale.ledger.approve(String(order.number), { operatorId: by.operatorId })
  const addStage = (startsAt: string, endsAt: string) =>
    acts.perform(campaign.acts['stage.add'], by, {
      name: { en: 'One more' },
      goalUsd: '1',
      priceUsd: '4.5',
      startsAt,
      endsAt,
    })
  return { acts, by, change, addStage }
}

describe('a seller who would have to pay back', () => {
  test('can’t lower the soft cap to what was raised', () =>
    withSale(async (sale) => {
      const { change } = await soldBelowItsSoftCap(sale)
      for (const softCapUsd of ['999999.99', '180'])
        await expect(change({ softCapUsd })).rejects.toEqual(refused('setting_locked'))
      await sale.db.query(sql`update stages set ends_at = clock_timestamp()`)
      const ledger = new Ledger({ db: sale.db, hintOutbox: () => {}, batching: false })
      expect(await ledger.payBackMissedSale()).toBe(1)
    }))

  test('can’t put the end of the sale off by another stage behind the last one', () =>
    withSale(async (sale) => {
      const { addStage } = await soldBelowItsSoftCap(sale)
      const [stage] = (await sale.campaign.show()).stages
      const last = Math.ceil((Date.parse(stage?.endsAt ?? '') - Date.now()) / 86_400_000)
      await expect(addStage(inDays(last + 1), inDays(20_000))).rejects.toEqual(refused('setting_locked'))
    }))
})

describe('one owner who wants all of it paid back', () => {
  const openStage = async (sale: Sale, endsAt: string) => {
    const [stage] = (await sale.campaign.show()).stages
    return { id: stage?.id ?? 0, stage: { ...stage, endsAt } }
  }

  test('can’t end the sale sooner alone', () =>
    withSale(async (sale) => {
      const { acts, by, change } = await soldBelowItsSoftCap(sale)
      await addOperator(sale.db, 'owner')
      await sale.db.query(sql`update operators set password_hash = 'x'`)
      await change({ secondOperator: true })
      const { revision } = await sale.campaign.show()
      const { id, stage } = await openStage(sale, new Date(Date.now() + 60_000).toISOString())
      const ending = acts.perform(sale.campaign.acts['stage.update'], by, { id, revision, stage })
      await expect(ending).rejects.toEqual(refused('second_operator_required'))
    }))

  test('nor by removing the stage that is still to come', () =>
    withSale(async (sale) => {
      const { acts, by, addStage } = await soldBelowItsSoftCap(sale)
      const [{ endsAt = '' } = {}] = (await sale.campaign.show()).stages
      await sale.db.query(sql`update campaign set first_approved_at = null`)
      const next = new Date(Date.parse(endsAt) + 86_400_000).toISOString()
      const { stages, revision } = await addStage(endsAt, next)
      await sale.db.query(sql`update campaign set first_approved_at = clock_timestamp()`)
      const removing = acts.perform(sale.campaign.acts['stage.remove'], by, {
        id: stages.at(-1)?.id ?? 0,
        revision,
      })
      await expect(removing).rejects.toEqual(refused('setting_locked'))
    }))
})
