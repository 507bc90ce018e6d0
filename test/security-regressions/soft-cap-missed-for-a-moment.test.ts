import { expect, test } from 'vitest'
import { letPass } from '../chains/chain-sale.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'

/** A sale that pays back below the $180 that an order of it brings, and is over. */
async function endsAtItsSoftCap({ sale }: PaperChain) {
  await sale.sql(
    'promise',
    `update campaign set settings = settings || '{"softCapPolicy": "refund", "softCapUsd": "180"}'`,
  )
  const order = await sale.order('LTC', '40')
  const end = async () => {
    await sale.sql('over', 'update stages set ends_at = clock_timestamp()')
    await letPass(sale, order, '2 hours')
    await sale.orders.expire()
  }
  const isMissed = async () => {
    await sale.payBackMissedSale()
    return (await sale.campaign.refresh()).softCapMissed !== null
  }
  return { order, end, isMissed }
}

test('a reorganisation that takes a payment out of its block for a while pays no sale back [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { order, end, isMissed } = await endsAtItsSoftCap(chain)
    const payment = await chain.pay(order, '2')
    await chain.mine(6)
    await end()
    expect(await isMissed()).toBe(false)
    await chain.reorg(6)
    expect(await chain.sale.show(order)).toMatchObject({ status: 'pending', detail: 'under_review' })
    expect(await isMissed()).toBe(false)
    await chain.include(payment)
    await chain.mine(6)
    expect(await chain.sale.show(order)).toMatchObject({ status: 'approved' })

    // What is spent elsewhere for good comes never.
    await chain.reorg(6, [payment])
    expect(await isMissed()).toBe(true)
  }))

test('nor does a node that is cut off while what was paid in time lies in blocks that nobody has read [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { end, isMissed } = await endsAtItsSoftCap(chain)
    const readUpTo = (minutes: number) =>
      sale.sql(
        'read',
        `insert into chain_blocks (chain, height, hash, parent, mined_at)
         select 'litecoin', coalesce(max(height), 0) + 1, 'hash', 'parent', clock_timestamp() - make_interval(mins => $1) from chain_blocks`,
        [minutes],
      )
    await readUpTo(180)
    await end()
    expect(await isMissed()).toBe(false)
    await readUpTo(0)
    expect(await isMissed()).toBe(true)
  }))

test('which puts that off for a day and no longer [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { order, end, isMissed } = await endsAtItsSoftCap(chain)
    await end()
    expect(await isMissed()).toBe(false)
    await letPass(chain.sale, order, '24 hours')
    expect(await isMissed()).toBe(true)
  }))
