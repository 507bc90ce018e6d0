import { expect, test } from 'vitest'
import { paysBackBelow } from '../../../test/chains/ended-sale.ts'
import { type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { statement } from '../../../test/support/statement.ts'

const RULES = 'When the soft cap is decided, to the microsecond'
const HELD = '3 hours'
const DAY = '24 hours'
const WEEK = '7 days'
const before = (interval: string) => `${interval} -1 microsecond`
const later = (interval: string) => `${interval} 1 microsecond`

/** A sale with one order of $180, which a block pays; the payment lacks its confirmations. */
async function paidInABlock({ sale, pay, mine }: PaperChain) {
  const cap = await paysBackBelow(sale, '180')
  const order = await sale.order('LTC', '40')
  const transaction = await pay(order, '2')
  await mine(1)
  await cap.end()
  /** Changes the payment, and nothing else; AT is so long after the end. */
  const change = async (columns: string, interval = '0 hours') => {
    const [{ at } = { at: '' }] = await sale.sql<{ at: string }>(
      'at',
      'select (max(ends_at) + $1::interval)::text as at from stages',
      [interval],
    )
    await sale.db.pool.query(`update payments set ${columns.replaceAll('AT', `'${at}'`)}`)
  }
  /** Changes the payment as a watcher does: its order is settled. */
  const set = async (columns: string, interval?: string) => {
    await change(columns, interval)
    await sale.sql('settle', 'select settle_order($1)', [order.number])
  }
  return { ...cap, order, transaction, change, set }
}

test(`${RULES}: nothing is waited for before the last stage is over [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { waits, decide } = await paidInABlock(chain)
    expect(await waits(before('0 hours'))).toEqual({ chains: null, payments: null, isOver: null })
    expect(await waits('0 hours')).toEqual({ chains: ['litecoin'], payments: 1, isOver: false })
    expect(await decide(before('0 hours'))).toBe(null)
  }))

test(`${RULES}: a chain is read past the end and 3 hours [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { waits, read, set } = await paidInABlock(chain)
    await set('failed = true')
    await read(HELD)
    expect(await waits(DAY)).toEqual({ chains: ['litecoin'], payments: 0, isOver: false })
    await read(later(HELD))
    expect(await waits(DAY)).toEqual({ chains: [], payments: 0, isOver: true })
  }))

test(`${RULES}: each chain that gave out an address is read, and no other [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { waits, read, set } = await paidInABlock(chain)
    await set('failed = true')
    await chain.sale.sql(
      'other_chains',
      `insert into chains (name, family, confirmation_rules)
       values ('bitcoin', 'bitcoin', '[]'), ('dogecoin', 'bitcoin', '[]') on conflict (name) do nothing`,
    )
    await read(later(HELD))
    expect(await waits(DAY)).toMatchObject({ chains: [], isOver: true })
    // A block of another chain is none of this one.
    await read(later(HELD), 'dogecoin')
    await chain.sale.sql(
      'watch_other',
      `update currencies set watched = true, wallet_id = (select max(id) from wallets) where network = 'bitcoin'`,
    )
    expect(await waits(DAY)).toMatchObject({ chains: ['bitcoin'], isOver: false })
    await read(later(HELD), 'bitcoin')
    expect(await waits(DAY)).toMatchObject({ chains: [], isOver: true })
    // Its wallet is taken off: the addresses that it gave out are paid all the same.
    await chain.sale.sql('unread', "delete from chain_blocks where chain = 'litecoin'")
    await chain.sale.sql('unwatch', "update currencies set watched = false where network = 'litecoin'")
    expect(await waits(DAY)).toMatchObject({ chains: ['litecoin'], isOver: false })
  }))

test(`${RULES}: the balances of an EVM chain's addresses are known past the end and 3 hours [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { waits, read, set } = await paidInABlock(chain)
    await set('failed = true')
    await sale.sql(
      'evm_chain',
      "insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]')",
    )
    await read(later(HELD))
    for (const interval of [HELD, later(HELD)]) await read(interval, 'ethereum')
    expect(await waits(DAY)).toMatchObject({ chains: [], isOver: true })
    const give = (code: string, address: string) =>
      sale.sql(
        'give_address',
        `with w as (update wallets set next_index = next_index + 1 where id = (select max(id) from wallets) returning *)
         insert into wallet_addresses (wallet_id, index, address, address_key, currency_id)
         select w.id, w.next_index - 1, $2, $2, k.id from w, currencies k where k.code = $1`,
        [code, address],
      )
    await sale.sql(
      'token',
      "update currencies set network = 'ethereum', token_contract = '0x1' where code = 'USDT'",
    )
    await give('USDT', '0xa')
    // A token says each of its transfers.
    expect(await waits(DAY)).toMatchObject({ chains: [], isOver: true })
    await give('ETH', '0xb')
    expect(await waits(DAY)).toMatchObject({ chains: ['ethereum'], isOver: false })
    const knowTo = (interval: string) =>
      sale.sql(
        'balances',
        `update chains set balances_read_to = (select max(ends_at) + $1::interval from stages) where name = 'ethereum'`,
        [interval],
      )
    await knowTo(HELD)
    expect(await waits(DAY)).toMatchObject({ chains: ['ethereum'], isOver: false })
    await knowTo(later(HELD))
    expect(await waits(DAY)).toMatchObject({ chains: [], isOver: true })
    // The block after 3 hours is another one.
    await sale.sql(
      'undo',
      "select undo_blocks('ethereum', max(height) - 1) from chain_blocks where chain = 'ethereum'",
    )
    await read(later(HELD), 'ethereum')
    expect(await waits(DAY)).toMatchObject({ chains: ['ethereum'], isOver: false })
  }))

test(`${RULES}: a payment is waited for if a block held it within 3 hours of the end [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { waits, read, set } = await paidInABlock(chain)
    await read(later(HELD))
    await set('mined_at = AT, first_seen_at = AT', HELD)
    expect(await waits(DAY)).toMatchObject({ payments: 1, isOver: false })
    await set('mined_at = AT, first_seen_at = AT', later(HELD))
    expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
    // No block holds it.
    await set('block_height = null, block_hash = null, mined_at = null')
    expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
    // A block held it that is no longer there.
    await set('orphaned_at = clock_timestamp(), seen_at = AT', HELD)
    expect(await waits(DAY)).toMatchObject({ payments: 1, isOver: false })
    await set('seen_at = AT', later(HELD))
    expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
  }))

test(`${RULES}: a payment is waited for until it is counted and settled, or gone [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { sale } = chain
    const { waits, read, change, set, order } = await paidInABlock(chain)
    await read(later(HELD))
    expect(await waits(DAY)).toMatchObject({ payments: 1, isOver: false })
    for (const [gone, back] of [
      ['failed = true', 'failed = false'],
      [`replaced_by = 'another'`, 'replaced_by = null'],
      [`fault = 'wrong_asset'`, 'fault = null'],
    ] as const) {
      await set(gone)
      expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
      await set(back)
      expect(await waits(DAY)).toMatchObject({ payments: 1, isOver: false })
    }
    // It is counted, and its order could not be settled: that is tried again later.
    await sale.sql(
      'settling',
      "update orders set settle_at = clock_timestamp(), settle_error = 'test' where id = $1",
      [order.number],
    )
    await change('confirmed = true, confirmations = confirmations_needed')
    expect(await waits(DAY)).toMatchObject({ payments: 1, isOver: false })
    for (const [gone, back] of [
      ['mined_at = AT, first_seen_at = AT', 'mined_at = seen_at, first_seen_at = seen_at'],
      ['owed = amount', 'owed = 0'],
      ['failed = true', 'failed = false'],
    ] as const) {
      await change(gone, later(HELD))
      expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
      await change(back)
    }
    await change('mined_at = AT, first_seen_at = AT', HELD)
    expect(await waits(DAY)).toMatchObject({ payments: 1, isOver: false })
    await sale.sql('settled', 'update orders set settle_at = null, settle_error = null where id = $1', [
      order.number,
    ])
    expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
    await change('mined_at = seen_at, first_seen_at = seen_at, confirmed = false')
    await chain.mine(6)
    expect(await waits(DAY)).toMatchObject({ payments: 0, isOver: true })
    expect(await sale.show(order)).toMatchObject({ status: 'approved' })
  }))

test(`${RULES}: it waits 24 hours for approvals [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { waits, read, set, decide } = await paidInABlock(chain)
    await set('failed = true')
    await read(later(HELD))
    expect(await waits(before(DAY))).toEqual({ chains: [], payments: 0, isOver: false })
    expect(await decide(before(DAY))).toBe(null)
    expect(await decide(DAY)).toBe('missed')
    expect(await waits(DAY)).toEqual({ chains: null, payments: null, isOver: null })
  }))

test(`${RULES}: it waits 7 days for chains and payments [REFUND-10]`, () =>
  withPaperChain(async (chain) => {
    const { waits, decide } = await paidInABlock(chain)
    expect(await waits(before(WEEK))).toEqual({ chains: ['litecoin'], payments: 1, isOver: false })
    expect(await decide(before(WEEK))).toBe(null)
    expect(await waits(WEEK)).toMatchObject({ isOver: true })
    expect(await decide(WEEK)).toBe('missed')
  }))

test('what is raised at the soft cap reaches it, and a cent less misses it [REFUND-10]', () =>
  withPaperChain(async (chain) => {
    const { read, decide } = await paidInABlock(chain)
    await chain.mine(6)
    await read(later(HELD))
    await chain.sale.sql('more', `update campaign set settings = settings || '{"softCapUsd": "180.01"}'`)
    const tried = await chain.sale.db
      .transaction(async (tx) => {
        await tx.query(
          statement('test_decide_far', 'select decide_soft_cap(max(ends_at) + $1::interval) from stages'),
          [WEEK],
        )
        const { verdict } = await tx.one<{ verdict: string }>(
          statement('test_verdict_far', 'select soft_cap_verdict as verdict from campaign'),
        )
        throw new Error(verdict)
      })
      .catch((error: Error) => error.message)
    expect(tried).toBe('missed')
    await chain.sale.sql('as_much', `update campaign set settings = settings || '{"softCapUsd": "180"}'`)
    expect(await decide(DAY)).toBe('reached')
  }))

test('operators approve an order until 3 days after it expired, and until the soft cap is decided [SETTLE-13]', () =>
  withPaperChain(async (chain) => {
    const { decide, set } = await paidInABlock(chain)
    const isOver = async (interval: string) => {
      const [row] = await chain.sale.sql<{ over: boolean }>(
        'approval_over',
        'select approval_is_over(expires_at, expires_at + $1::interval) as over from orders limit 1',
        [interval],
      )
      return row?.over
    }
    expect(await isOver('3 days')).toBe(false)
    expect(await isOver(later('3 days'))).toBe(true)
    await set('failed = true')
    expect(await decide(before(WEEK))).toBe(null)
    expect(await isOver('0 hours')).toBe(false)
    await decide(WEEK)
    expect(await isOver('0 hours')).toBe(true)
  }))
