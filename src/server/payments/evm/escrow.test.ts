import fc from 'fast-check'
import type { Hex } from 'viem'
import { formatUnits } from 'viem/utils'
import { beforeAll, describe, expect, test } from 'vitest'
import { TestEscrow, thief } from '../../../../test/chains/escrows.ts'
import { type EvmSale, EvmSales } from '../../../../test/chains/evm-sale.ts'
import { LyingNode } from '../../../../test/chains/lying-node.ts'
import { foldJournal } from '../../../../test/support/journal.ts'
import { refused } from '../../../../test/support/outcomes.ts'
import { equationOf } from '../../../../verify/equation.ts'
import { TrustedNode } from '../../../../verify/nodes.ts'
import type { CreditedPayment } from '../../../../verify/payments.ts'
import { type ChainNode, nodeAt } from '../../../shared/chain-node.ts'
import { lookAtEscrow, NoEscrow } from '../../../shared/escrow-node.ts'
import { callOfOrder, deliverData, orderCallData, refundToData } from '../../../shared/escrow-state.ts'
import { tokensOf } from '../../../shared/token-units.ts'
import type { ChainConfig } from '../../chain-config.ts'
import { readEscrows } from '../../delivery/delivery-escrows.ts'
import { readEquation } from '../../delivery/equation.ts'
import { readEscrowOrders, readEscrowOrdersOfAddress } from '../../delivery/escrow-claims.ts'
import { lookAtEscrows } from '../../delivery/escrow-looks.ts'
import { refuse } from '../../refusal.ts'
import { readReserves } from '../../reserves/reserves.ts'
import { EvmLooks } from './evm-looks.ts'
import { lookAtHoldings } from './holding-looks.ts'

const chain = new EvmSales()
let escrow: TestEscrow
beforeAll(async () => {
  escrow = await TestEscrow.make(chain)
})

const withEscrow = (work: (sale: EvmSale) => Promise<void>, secondRpcUrl?: string) =>
  chain.withSale(
    async (sale) => {
      await escrow.stand(sale)
      await work(sale)
    },
    { secondRpcUrl },
  )

const inEscrows = (sale: EvmSale) =>
  sale.sql<{ order_id: string }>('in_escrows', 'select order_id::text from orders_in_escrows()')
const paid = async (sale: EvmSale, currency: 'ETH' | 'USDT' = 'ETH') => {
  const { order, quote } = await escrow.order(sale, currency, '40')
  await escrow.pay(quote)
  await sale.mineAnd(13)
  return { order, quote }
}

describe('a payment into the escrow', () => {
  test.each(['ETH', 'USDT'] as const)('in %s credits its order once it is as deep as any other', (currency) =>
    withEscrow(async (sale) => {
      const { order, quote } = await escrow.order(sale, currency, '40')
      await escrow.pay(quote)
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({
        detail: 'confirming',
        payments: [{ state: 'confirming' }],
      })
      expect(await inEscrows(sale)).toEqual([])
      await sale.mineAnd(11)
      expect(await sale.show(order)).toMatchObject({
        status: 'approved',
        approvedVia: 'chain',
        baseTokens: '40.000000',
        payments: [{ amount: order.cryptoAmount.replace(/\.?0+$/, ''), state: 'credited' }],
      })
      expect(await inEscrows(sale)).toEqual([{ order_id: String(order.number) }])
      const { url } = chain.anvil
      expect(await sale.lookUp('ethereum', url)).toBe('1 found')
      const [row] = await sale.sql<{ address: string }>('place', 'select address from payments')
      const more = `${row?.address}0`
      expect(await sale.lookUp('ethereum', url, { address: more })).toBe(
        `0 found; it holds no payment ${more}`,
      )
      expect(await sale.lookUp('ethereum', url, { amount: '1' })).toContain('0 found; it brought')
    }),
  )

  test('that a reorganisation undoes credits nothing until a block holds it again [DELIVER-11]', () =>
    withEscrow(async (sale) => {
      const { order, quote } = await escrow.order(sale, 'ETH', '40')
      const hash = await escrow.pay(quote)
      const raw = await chain.anvil.rpc.call<`0x${string}`>('eth_getRawTransactionByHash', hash)
      await sale.mineAnd(13)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await chain.reorg(13)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'pending' })
      expect(await inEscrows(sale)).toEqual([])
      await chain.payer.send(raw)
      await sale.mineAnd(13)
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'credited' }] })
    }))

  test('for another beneficiary, of less, for more tokens or in another escrow is no payment of the order [DELIVER-11]', () =>
    withEscrow(async (sale) => {
      const other = await TestEscrow.make(chain)
      const { order, quote } = await escrow.order(sale, 'ETH', '40')
      // What whoever has stolen the quote key could have signed.
      await escrow.pay({ ...quote, beneficiary: thief.address })
      await other.pay(quote)
      const { quote: more } = await escrow.order(sale, 'ETH', '41')
      await escrow.pay({ ...more, tokens: more.tokens * 100n })
      const less = await escrow.order(sale, 'ETH', '42')
      await escrow.pay({ ...less.quote, amount: less.quote.amount / 1000n })
      await sale.mineAnd(13)
      expect(await sale.show(order)).toMatchObject({ status: 'pending', payments: [] })
      expect(await sale.show(less.order)).toMatchObject({ status: 'pending', payments: [] })
      expect(await sale.sql('no_payments', 'select id from payments')).toEqual([])
    }))

  test('of a rejected order is owed by the escrow alone: nobody names an address for it [DELIVER-11]', () =>
    withEscrow(async (sale) => {
      const { order, quote } = await escrow.order(sale, 'ETH', '40')
      await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, reason: 'no' })
      await escrow.pay(quote)
      await sale.mineAnd(13)
      expect(await sale.show(order)).toMatchObject({ status: 'rejected', detail: 'refund_due' })
      await expect(
        sale.refunds.claim(sale.asBuyer, order.token, { network: 'ethereum', address: thief.address }),
      ).rejects.toEqual(refused('refund_state'))
      await escrow.call('cancelOrder', [quote.orderId])
      await sale.mineAnd(128)
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded', payments: [{ state: 'returned' }] })
    }))

  test('in a token that is listed no more has no amount, and keeps nobody else’s from being read [DELIVER-13]', () =>
    withEscrow(async (sale) => {
      const strange = await escrow.order(sale, 'USDT', '40')
      const { order, quote } = await escrow.order(sale, 'ETH', '40')
      await sale.sql('unlisted', "update currencies set token_contract = null where code = 'USDT'")
      await escrow.pay(strange.quote)
      await escrow.pay(quote)
      await sale.mineAnd(13)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      expect(await sale.sql('amounts', 'select asset from payments')).toEqual([{ asset: 'native' }])
    }))

  test('above the limit counts once a second node shows the same', () =>
    withEscrow(async (sale) => {
      const { order, quote } = await escrow.order(sale, 'ETH', '400')
      await escrow.pay(quote)
      await sale.mineAnd(13)
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }, chain.anvil.url))
})

describe('what the escrow gives back', () => {
  test('takes the tokens of the order back once it is deep, and not before [DELIVER-11]', () =>
    withEscrow(async (sale) => {
      const { order, quote } = await paid(sale)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await escrow.call('cancelOrder', [quote.orderId])
      await sale.mineAnd(2)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await escrow.call('refund', [quote.orderId])
      for (const blocks of [9, 116]) await sale.mineAnd(blocks)
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
      await sale.mineAnd(1)
      expect(await sale.show(order)).toMatchObject({
        status: 'pending',
        detail: 'refunded',
        payments: [{ state: 'returned' }],
      })
      expect((await sale.campaign.refresh()).raised.usd).toBe('0.00')
      expect(await inEscrows(sale)).toEqual([])
      const [payment] = (await sale.payments.list({ limit: 1 })).items
      const paymentId = payment?.id ?? ''
      expect((await sale.payments.list({ limit: 9, toDecide: true })).items).toEqual([])
      await expect(sale.execute('payment.refund', { paymentId })).rejects.toEqual(refused('payment_state'))
      await expect(
        sale.execute('payment.attach', { paymentId, orderId: String(order.number) }),
      ).rejects.toEqual(refused('payment_state'))
    }))

  test('is known where only the second reading of its block shows the payment, and both come at once [DELIVER-11]', async () => {
    const node = new LyingNode()
    const rpcUrl = await node.start(chain.anvil.url)
    await chain.withSale(
      async (sale) => {
        await escrow.stand(sale)
        const { order, quote } = await escrow.order(sale, 'ETH', '40')
        await escrow.pay(quote)
        await chain.mine(1)
        node.lie = 'empty'
        await sale.passes()
        expect(await sale.show(order)).toMatchObject({ payments: [] })
        node.lie = undefined
        // The block that cancels is read first when it is too deep already to be read again.
        await escrow.call('cancelOrder', [quote.orderId])
        await chain.mine(14)
        await sale.passes()
        for (const blocks of [14, 100]) await sale.mineAnd(blocks)
        expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refunded' })
        expect(await inEscrows(sale)).toEqual([])
      },
      { rpcUrl },
    )
  })

  test('is given back where one reading of its block leaves that out, and what counts is not looked at again [SETTLE-20]', async () => {
    const node = new LyingNode()
    const rpcUrl = await node.start(chain.anvil.url)
    const leavesOut = () => {
      node.change = ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined)
    }
    await chain.withSale(
      async (sale) => {
        await escrow.stand(sale)
        const { order, quote } = await paid(sale)
        await escrow.call('cancelOrder', [quote.orderId])
        for (const blocks of [12, 40, 67]) await sale.mineAnd(blocks)
        // Its block is read for the last time.
        leavesOut()
        await sale.mineAnd(5)
        await sale.lackFor()
        node.change = () => undefined
        for (const blocks of [1, 5]) await sale.mineAnd(blocks)
        expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refunded' })
        leavesOut()
        await sale.sql(
          'again',
          'update chain_blocks b set lacked_at = $1 from payments p where b.height = p.returned_height',
          ['infinity'],
        )
        await sale.mineAnd(1)
        await sale.lackFor()
        await sale.mineAnd(1)
        expect(await sale.show(order)).toMatchObject({ status: 'pending', detail: 'refunded' })
      },
      { rpcUrl },
    )
  })

  test('stands again where operators let a chain go on that undoes it below final blocks [DELIVER-11, SETTLE-18]', () =>
    withEscrow(async (sale) => {
      const { order, quote } = await paid(sale)
      await sale.mineAnd(120)
      expect(await sale.show(order)).toMatchObject({ payments: [{ state: 'final' }] })
      await escrow.call('cancelOrder', [quote.orderId])
      await sale.mineAnd(12)
      await chain.reorg(12)
      await sale.mineAnd(1)
      await escrow.call('cancelOrder', [quote.orderId])
      await sale.mineAnd(128)
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded', payments: [{ state: 'returned' }] })
      await chain.reorg(128)
      await chain.mine(1)
      await expect(sale.passes()).rejects.toThrow('below payments that were final')
      await sale.sql('resumed', 'update chains set takes_new_chain = true')
      await sale.passes()
      expect(await sale.show(order)).toMatchObject({ status: 'approved', payments: [{ state: 'final' }] })
      expect((await inEscrows(sale)).length).toBe(1)
    }))
})

const configs = (): ChainConfig[] => [
  {
    family: 'evm',
    network: 'ethereum',
    chainId: 31_337,
    rpcUrl: chain.anvil.url,
    secondRpcUrl: undefined,
    secondAboveUsd: '1000',
    net: 'main',
    pollMs: 100,
    startHeight: undefined,
    explorerUrl: undefined,
  },
]
/** Through the node that this file runs. */
const looks = () => new EvmLooks(configs())
/** What was read of another fork, as just before a reorganisation; `higher` than the final block. */
const ofAnotherFork = (higher: number): Pick<EvmLooks, 'look' | 'hashAt'> => ({
  look: async (...asked) => {
    const seen = await looks().look(...asked)
    return { ...seen, height: seen.height + higher, hash: `0x${'f0'.repeat(32)}` }
  },
  hashAt: (...asked) => looks().hashAt(...asked),
})
const look = (sale: EvmSale) => lookAtEscrows({ db: sale.db, looks: looks() })
/** With an escrow of its own. */
const withOwn = (work: (sale: EvmSale, own: TestEscrow) => Promise<void>) =>
  chain.withSale(async (sale) => {
    const own = await TestEscrow.make(chain)
    await own.stand(sale)
    await work(sale, own)
  })

describe('a look at the escrow', () => {
  const looked = (sale: EvmSale) =>
    sale.sql('looked', 'select state, locked, owed = promised as is_ours, fault from escrow_looks')
  test('shows what it owes beside what the ledger says, and names what strangers are owed [DELIVER-14, DELIVER-21, DELIVER-22]', () =>
    withOwn(async (sale, own) => {
      const first = await own.order(sale, 'ETH', '40')
      await own.pay(first.quote)
      await sale.mineAnd(40)
      await look(sale)
      expect(await looked(sale)).toEqual([{ state: 'open', locked: true, is_ours: true, fault: null }])
      // What the escrow owes is in the equation once, and nothing of it waits for a round.
      const owed = tokensOf(first.quote.tokens)
      const { holds: held, items: lines } = await readEquation(sale.db)
      expect(held).toBe(true)
      expect(lines.map(({ kind, shown, waiting }) => ({ kind, shown, waiting }))).toEqual([
        { kind: 'escrow', shown: owed, waiting: '0' },
        { kind: 'held', shown: null, waiting: null },
        { kind: 'ledger', shown: null, waiting: null },
      ])
      expect(lines.map(({ tokens }) => Number(tokens))).toEqual([Number(owed), 0, Number(owed)])
      // A stranger finds the same from the journal and any node, and an escrow that owes less by their own eyes.
      const nodes = new Map([['ethereum', new TrustedNode(chain.anvil.url)]])
      const fold = await foldJournal(sale.db)
      const line = {
        name: 'escrow ethereum',
        contract: own.address.toLowerCase(),
        tokens: owed,
        shown: owed,
        fault: null,
      }
      expect(await equationOf(fold, fold.standingPayments(), nodes)).toEqual({
        lines: [line],
        rest: '0',
        total: owed,
        agrees: true,
      })
      const [credited] = fold.standingPayments()
      const more = (credited?.address ?? '').replace(/\d+$/, String(10n ** 24n))
      expect(
        await equationOf(fold, [{ ...(credited as CreditedPayment), address: more }], nodes),
      ).toMatchObject({
        agrees: false,
        lines: [{ shown: owed, fault: 'it owes less' }],
      })
      const second = await own.order(sale, 'ETH', '40')
      await own.pay({ ...second.quote, tokens: second.quote.tokens * 100n })
      await sale.mineAnd(40)
      await look(sale)
      expect(await looked(sale)).toMatchObject([{ is_ours: false, fault: 'owes_strangers' }])
      expect((await sale.broken()).map(({ rule }) => rule)).toEqual(['escrows_owe_what_the_ledger_says'])
      const { holds, items } = await readEquation(sale.db)
      expect({ holds, escrow: items[0], all: items.at(-1) }).toMatchObject({
        holds: false,
        escrow: { kind: 'escrow', holds: false },
        all: { kind: 'ledger', holds: true },
      })
      await own.call('cancelOrder', [second.quote.orderId])
      await own.call('cancelOrder', [first.quote.orderId])
      await sale.mineAnd(40)
      await look(sale)
      expect(await looked(sale)).toMatchObject([{ is_ours: true, fault: null }])
    }))

  test('forgets what it showed in a block that the chain has taken back [DELIVER-14]', () =>
    withOwn(async (sale, own) => {
      const { quote } = await own.order(sale, 'ETH', '40')
      await own.pay(quote)
      await sale.mineAnd(40)
      await look(sale)
      expect(await looked(sale)).toHaveLength(1)
      await sale.sql('taken_back', "select undo_blocks('ethereum', (select height - 1 from escrow_looks))")
      expect(await looked(sale)).toEqual([])
      expect((await readEquation(sale.db)).items[0]).toMatchObject({
        kind: 'escrow',
        shown: null,
        holds: null,
      })
    }))

  test('says nothing where the chain that is followed has another block at that height [DELIVER-14]', () =>
    withOwn(async (sale, own) => {
      const { quote } = await own.order(sale, 'ETH', '40')
      await own.pay(quote)
      await sale.mineAnd(40)
      await lookAtEscrows({ db: sale.db, looks: ofAnotherFork(0) })
      expect(await looked(sale)).toEqual([])
      const holdings = () => sale.sql('look_heights', 'select asset from holding_looks order by asset')
      await lookAtHoldings({ db: sale.db, configs: configs(), looks: ofAnotherFork(0) })
      expect(await holdings()).toEqual([])
      // The watcher reads that height later, and finds another block there.
      await lookAtHoldings({ db: sale.db, configs: configs(), looks: ofAnotherFork(200) })
      expect((await holdings()).length).toBeGreaterThan(0)
      await sale.mineAnd(200)
      expect(await holdings()).toEqual([])
      await look(sale)
      expect(await looked(sale)).toMatchObject([{ is_ours: true, fault: null }])
    }))

  test('says nothing of a block that the watcher has not read, and nothing where no node answers [DELIVER-14]', () =>
    withOwn(async (sale, own) => {
      const { quote } = await own.order(sale, 'ETH', '40')
      await own.pay(quote)
      await chain.mine(60)
      await look(sale)
      expect(await looked(sale)).toEqual([])
      await lookAtEscrows({ db: sale.db, looks: new EvmLooks([]) })
      await sale.passes()
      await look(sale)
      expect(await looked(sale)).toMatchObject([{ fault: null }])
    }))

  test('that fails is said beside what the last one showed: two nodes that disagree, and a block that is too old, leave nothing green [DELIVER-12]', () =>
    withOwn(async (sale, own) => {
      const { quote } = await own.order(sale, 'ETH', '40')
      await own.pay(quote)
      await sale.mineAnd(40)
      await look(sale)
      const disagreeing: Pick<EvmLooks, 'look' | 'hashAt'> = {
        look: async () => refuse('nodes_disagree'),
        hashAt: (...asked) => looks().hashAt(...asked),
      }
      await lookAtEscrows({ db: sale.db, looks: disagreeing })
      const [shown] = await readEscrows(sale.db)
      expect(shown?.look).toMatchObject({ state: 'open', fault: null, failure: 'nodes_disagree' })
      expect(Date.parse(shown?.look?.failingSince ?? '')).toBeGreaterThan(Date.now() - 60_000)
      const ofEscrow = async () =>
        (await readReserves(sale.db)).rows.filter(({ key }) => key.startsWith('escrow/'))
      expect(await ofEscrow()).toMatchObject([
        { kind: 'escrow_money', there: null, state: 'unknown', why: 'nodes_disagree' },
        { kind: 'escrow_tokens', there: null, state: 'unknown', why: 'nodes_disagree' },
      ])
      const equation = async () => {
        const { holds, items } = await readEquation(sale.db)
        return { holds, unknown: items[0]?.unknown, line: items[0]?.holds }
      }
      expect(await equation()).toEqual({ holds: null, unknown: 'nodes_disagree', line: null })
      await look(sale)
      expect(await equation()).toEqual({ holds: true, unknown: null, line: true })
      // The escrow owes them, so the seller does not owe them besides. It need not have them before its delivery.
      expect((await readReserves(sale.db)).rows.find(({ key }) => key === 'undelivered')).toMatchObject({
        owed: '0',
      })
      expect(await ofEscrow()).toMatchObject([{ state: 'covered' }, { state: 'covered' }])

      await sale.sql('is_old', "update escrow_looks set mined_at = mined_at - interval '181 minutes'")
      expect(await equation()).toEqual({ holds: null, unknown: 'stale', line: null })
      // What was wrong already is not forgiven by its age.
      await sale.sql('is_wrong', "update escrow_looks set fault = 'short'")
      expect(await equation()).toEqual({ holds: false, unknown: null, line: false })
      await look(sale)
      expect(await equation()).toEqual({ holds: true, unknown: null, line: true })
    }))

  test('names another code than was put in force [DELIVER-14]', () =>
    withOwn(async (sale, own) => {
      await chain.anvil.rpc.call('anvil_setCode', own.address, '0x6001600055')
      await sale.mineAnd(40)
      await look(sale)
      expect(await looked(sale)).toEqual([{ state: null, locked: false, is_ours: true, fault: 'other_code' }])
      expect((await sale.broken()).map(({ rule }) => rule)).toEqual(['escrows_owe_what_the_ledger_says'])
      await sale.sql('forget_look', 'delete from escrow_looks')
    }))
})

type Step =
  | { readonly kind: 'order' | 'restart' }
  | { readonly kind: 'pay' | 'cancelOrder' | 'refund' | 'approve' | 'reject'; readonly which: number }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly keeps: boolean }

const which = fc.nat(3)
const blocks = fc.constantFrom(1, 2, 6, 12)
const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom({ kind: 'order' as const }, { kind: 'restart' as const }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('pay' as const), which }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'cancelOrder' as const,
          'refund' as const,
          'approve' as const,
          'reject' as const,
        ),
        which,
      }),
    },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: blocks, keeps: fc.boolean() }),
    },
  ),
  { minLength: 12, maxLength: 20 },
)

/** An escrow of its own, its orders, and what was sent to it: a reorganisation drops transactions, which may be sent again. */
class EscrowWorld {
  readonly orders: Awaited<ReturnType<TestEscrow['order']>>[] = []
  readonly #sale: EvmSale
  readonly #escrow: TestEscrow
  readonly #sent = new Map<number, Hex>()

  constructor(sale: EvmSale, made: TestEscrow) {
    this.#sale = sale
    this.#escrow = made
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'order')
      this.orders.push(
        await this.#escrow.order(this.#sale, this.orders.length % 2 === 0 ? 'ETH' : 'USDT', '40'),
      )
    else if (step.kind === 'restart') await this.#sale.takeOver('ethereum')
    else if (step.kind === 'mine') await chain.mine(step.blocks)
    else if (step.kind === 'reorg') await this.#reorg(step.depth, step.keeps)
    else if ('which' in step) await this.#decide(step)
    await this.#sale.passes()
  }

  async #decide({ kind, which: at }: Extract<Step, { which: number }>): Promise<void> {
    const one = this.orders[at % Math.max(1, this.orders.length)]
    if (!one) return
    const { order, quote } = one
    if (kind === 'approve' || kind === 'reject') {
      const by = { operatorId: this.#sale.operatorId, reason: 'so' }
      await this.#sale.ledger[kind](String(order.number), by).catch((error: unknown) => {
        if ((error as Error).name !== 'Refusal') throw error
      })
      return
    }
    const nonce = await chain.payer.nonce()
    // The contract refuses what it has to; such a transaction is mined and does nothing.
    await (kind === 'pay' ? this.#escrow.pay(quote) : this.#escrow.call(kind, [quote.orderId]))
    const until = await chain.payer.nonce()
    const pool = await chain.anvil.rpc.call<{ pending: Record<string, Record<string, { hash: Hex }>> }>(
      'txpool_content',
    )
    for (let place = nonce; place < until; place += 1) {
      const waiting = Object.values(pool.pending).find((byNonce) => byNonce[place])?.[place]
      if (waiting)
        this.#sent.set(place, await chain.anvil.rpc.call<Hex>('eth_getRawTransactionByHash', waiting.hash))
    }
  }

  async #reorg(depth: number, keeps: boolean): Promise<void> {
    await chain.reorg(depth)
    const nonce = Number(
      await chain.anvil.rpc.call<Hex>('eth_getTransactionCount', chain.payer.address, 'latest'),
    )
    const lost = [...this.#sent].filter(([at]) => at >= nonce).toSorted(([a], [b]) => a - b)
    for (const [at, raw] of lost)
      if (keeps) await chain.payer.send(raw).catch(() => undefined)
      else this.#sent.delete(at)
    await chain.mine(1)
  }

  /** What the contract owes is what our orders have of it, and nothing of it is credited that is not there. */
  async compare(): Promise<void> {
    const [ours] = await this.#sale.sql<{ owed: string }>(
      'owed_in_escrow',
      `select coalesce(sum(split_part(address, ':', 8)::numeric), 0)::text as owed from payments
        where output_key = 'paid' and alive and block_height is not null and returned_height is null`,
    )
    expect(BigInt(ours?.owed ?? -1)).toBe(await this.#escrow.owed())
  }
}

test('whatever payments, cancels, refunds, operators, reorganisations and restarts do, ledger and contract agree after each step [DELIVER-11]', async () => {
  const property = fc.asyncProperty(steps, (actions) =>
    chain.withSale(async (sale) => {
      const made = await TestEscrow.make(chain)
      await made.stand(sale)
      // Below these no reorganisation reaches.
      await sale.mineAnd(30)
      const world = new EscrowWorld(sale, made)
      await world.take({ kind: 'order' })
      for (const action of actions) {
        await world.take(action)
        expect({ action, broken: await sale.broken() }).toEqual({ action, broken: [] })
        await world.compare()
      }
    }),
  )
  await fc.assert(property, {
    numRuns: Number(process.env['CHAIN_RUNS'] ?? 2),
    endOnFailure: true,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: true,
  })
})

describe('what comes out of the escrow', () => {
  const own = (sale: EvmSale) =>
    readEscrowOrdersOfAddress({ db: sale.db, looks: looks() }, chain.payer.address)
  /** Sends what is offered from an account that has nothing to do with it. */
  const sendAsStranger = async (call: { to: string; data: string } | null | undefined) => {
    const hash = await chain.anvil.rpc.call<Hex>('eth_sendTransaction', {
      from: thief.address,
      to: call?.to,
      data: call?.data,
      gas: '0x7a120',
    })
    await chain.mine(1)
    const { status } = await chain.anvil.rpc.call<{ status: Hex }>('eth_getTransactionReceipt', hash)
    return status === '0x1'
  }
  /** What claim.html finds by the contract's address alone, through a node that searches 50 blocks at once, is what the site shows. */
  const withoutSite = async (address: Hex, shown: Awaited<ReturnType<typeof own>>[number] | undefined) => {
    const node = nodeAt(chain.anvil.url)
    const narrow: ChainNode = {
      request: async (call) => {
        const [filter] = (call.params ?? []) as { fromBlock: Hex; toBlock: Hex }[]
        if (call.method === 'eth_getLogs' && filter && Number(filter.toBlock) - Number(filter.fromBlock) > 50)
          throw new Error('range is too large')
        return node.request(call)
      },
    }
    const account = chain.payer.address
    const at = await lookAtEscrow(narrow, { escrow: address, account })
    expect(at).toMatchObject({ isPublished: true, chainId: 31_337, round: { state: shown?.chain?.round } })
    expect(
      at.orders.map(({ orderId, amount, decimals }) => [orderId, formatUnits(amount, decimals)]),
    ).toEqual([[shown?.orderId, shown?.paid]])
    const [order] = at.orders
    const what = order && callOfOrder(at.round.state, order)
    expect(what && orderCallData(what, order.orderId)).toBe(shown?.call?.data)
    const orderId = shown?.orderId as Hex
    expect((await lookAtEscrow(narrow, { escrow: address, account: thief.address, orderId })).orders).toEqual(
      at.orders,
    )
    expect((await lookAtEscrow(narrow, { escrow: address, account: chain.usdt })).orders).toEqual([])
    const deaf: ChainNode = {
      request: (call) =>
        call.method === 'eth_getLogs' ? Promise.reject(new Error('not here')) : node.request(call),
    }
    await expect(lookAtEscrow(deaf, { escrow: address, account })).rejects.toThrow()
    await expect(lookAtEscrow(node, { escrow: thief.address, account })).rejects.toBeInstanceOf(NoEscrow)
    await expect(lookAtEscrow(node, { escrow: chain.usdt, account })).rejects.toBeInstanceOf(NoEscrow)
  }
  const balanceOf = (address: string) =>
    chain.anvil.rpc.call<Hex>('eth_getBalance', address, 'latest').then(BigInt)

  test('is the money of a cancelled order, sent to its payer by anybody, once; a reorganisation offers it again [DELIVER-19, DELIVER-20]', () =>
    withOwn(async (sale, escrowOf) => {
      const { quote } = await escrowOf.order(sale, 'ETH', '40')
      await escrowOf.pay(quote)
      await sale.mineAnd(40)
      expect(await own(sale)).toMatchObject([
        {
          payer: quote.payer,
          orderId: quote.orderId,
          call: null,
          chain: { round: 'open', order: 'paid', orderInFinal: 'paid' },
        },
      ])
      expect(await readEscrowOrdersOfAddress({ db: sale.db, looks: looks() }, thief.address)).toEqual([])
      await escrowOf.call('cancelOrder', [quote.orderId])
      await chain.mine(1)
      const [cancelled] = await own(sale)
      await withoutSite(escrowOf.address, cancelled)
      expect(cancelled).toMatchObject({
        call: { what: 'refund' },
        chain: { order: 'cancelled', orderInFinal: 'paid' },
      })
      const before = await balanceOf(quote.payer)
      expect(await sendAsStranger(cancelled?.call)).toBe(true)
      expect((await balanceOf(quote.payer)) - before).toBe(quote.amount)
      expect(await own(sale)).toMatchObject([
        { call: null, chain: { order: 'refunded', orderInFinal: 'paid' } },
      ])
      expect(await sendAsStranger(cancelled?.call)).toBe(false)
      await chain.reorg(2)
      expect(await own(sale)).toMatchObject([{ call: { what: 'refund' }, chain: { order: 'cancelled' } }])
      expect(await sendAsStranger(cancelled?.call)).toBe(true)
      await sale.mineAnd(40)
      expect(await own(sale)).toMatchObject([
        { call: null, chain: { order: 'refunded', orderInFinal: 'refunded' } },
      ])
    }))

  test('is told apart: in the escrow, and given back from the block on that shows it', () =>
    withOwn(async (sale, escrowOf) => {
      const [first, second] = [
        await escrowOf.order(sale, 'ETH', '40'),
        await escrowOf.order(sale, 'ETH', '40'),
      ]
      await escrowOf.pay(first.quote)
      await escrowOf.pay(second.quote)
      const states = async (count: number) => {
        await sale.mineAnd(count)
        await look(sale)
        const [shown] = await readEscrows(sale.db)
        return shown?.look?.orders.map((part) => [part.state, part.count])
      }
      expect(await states(40)).toEqual([['escrowed', 2]])
      await escrowOf.call('cancelOrder', [first.quote.orderId])
      expect(await states(127)).toEqual([
        ['escrowed', 1],
        ['returned', 1],
      ])
      expect(await states(1)).toEqual([
        ['escrowed', 1],
        ['returned', 1],
      ])
      const [shown] = await readEscrows(sale.db)
      expect(shown?.look?.orders[1]).toEqual({
        state: 'returned',
        count: 1,
        tokens: tokensOf(first.quote.tokens),
        money: [{ currency: 'ETH', amount: formatUnits(first.quote.amount, 18) }],
      })
    }))

  test('goes to another address by the payer alone [DELIVER-19]', () =>
    withOwn(async (sale, escrowOf) => {
      const { quote } = await escrowOf.order(sale, 'ETH', '40')
      await escrowOf.pay(quote)
      await sale.mineAnd(40)
      await escrowOf.call('cancelOrder', [quote.orderId])
      await chain.mine(1)
      const elsewhere = `0x${'5e'.repeat(20)}` as const
      const call = { to: escrowOf.address, data: refundToData(quote.orderId, elsewhere) }
      expect(await sendAsStranger(call)).toBe(false)
      await escrowOf.call('refundTo', [quote.orderId, elsewhere])
      await chain.mine(1)
      expect(await balanceOf(elsewhere)).toBe(quote.amount)
      await sale.mineAnd(40)
    }))

  test('is delivered by anybody after the review, and then claimed by anybody for its beneficiary; the treasury gets the money [DELIVER-19, DELIVER-20]', () =>
    withOwn(async (sale, escrowOf) => {
      const { order, quote } = await escrowOf.order(sale, 'ETH', '40')
      await escrowOf.pay(quote)
      await escrowOf.call('close', [])
      await sale.mineAnd(40)
      await look(sale)
      // The seller alone may deliver during the review, and the page offers it to nobody else.
      expect(await readEscrows(sale.db)).toMatchObject([
        {
          deliver: null,
          sellerDelivers: [{ what: 'deliver', data: deliverData(quote.tokens) }],
          look: { state: 'closed', locked: true },
        },
      ])
      // Where they do not lie there yet, the seller has to bring them.
      await sale.sql('tokens_lack', 'update escrow_looks set balance = 0, locked = false')
      expect(await readEscrows(sale.db)).toMatchObject([
        { deliver: null, sellerDelivers: [{ what: 'approve' }, { what: 'deliver' }] },
      ])
      await look(sale)
      expect(await sendAsStranger({ to: escrowOf.address, data: deliverData(quote.tokens) })).toBe(false)
      await chain.anvil.rpc.call('evm_increaseTime', 86_400)
      await sale.mineAnd(1)
      await sale.sql('review_is_over', "update escrow_looks set closes_at = closes_at - interval '1 day'")
      const [round] = await readEscrows(sale.db)
      expect(round?.deliver?.data).toBe(deliverData(quote.tokens))
      expect(await sendAsStranger({ to: escrowOf.address, data: deliverData(quote.tokens - 1n) })).toBe(false)
      expect(await sendAsStranger(round?.deliver)).toBe(true)
      expect(await sendAsStranger(round?.deliver)).toBe(false)
      const [delivered] = await own(sale)
      await withoutSite(escrowOf.address, delivered)
      expect(delivered).toMatchObject({
        call: { what: 'claim' },
        chain: { round: 'delivered', due: delivered?.tokens, claimedNow: '0', claimed: '0' },
      })
      expect(await sendAsStranger(delivered?.call)).toBe(true)
      expect(await own(sale)).toMatchObject([
        { call: null, chain: { due: '0', claimedNow: delivered?.tokens, claimed: '0' } },
      ])
      expect(await sendAsStranger(delivered?.call)).toBe(false)
      await sale.mineAnd(40)
      await look(sale)
      const money = delivered?.paid
      expect(await readEscrows(sale.db)).toMatchObject([
        {
          deliver: null,
          look: {
            state: 'delivered',
            deliveredAt: delivered?.chain?.deliveredAt,
            claimed: delivered?.tokens,
            money: [{ currency: 'ETH', paid: money, held: money }],
            fault: null,
          },
        },
      ])
      await escrowOf.call('proceeds', [quote.asset])
      await escrowOf.call('leftover', [])
      await sale.mineAnd(40)
      await look(sale)
      expect(await readEscrows(sale.db)).toMatchObject([
        {
          look: {
            held: '0',
            leftover: '0',
            money: [{ currency: 'ETH', paid: money, held: '0' }],
            orders: [{ state: 'delivered', money: [{ currency: 'ETH', amount: money }] }],
            fault: null,
          },
        },
      ])
      expect(await sale.show(order)).toMatchObject({ status: 'approved' })
    }))

  test('is the money once the deadline has passed undelivered, and never both [DELIVER-19, DELIVER-20]', () =>
    withOwn(async (sale, escrowOf) => {
      const { order, quote } = await escrowOf.order(sale, 'ETH', '40')
      await escrowOf.pay(quote)
      await sale.mineAnd(40)
      expect(
        await sendAsStranger({ to: escrowOf.address, data: orderCallData('refund', quote.orderId) }),
      ).toBe(false)
      await chain.anvil.rpc.call('evm_increaseTime', 61 * 86_400)
      await sale.mineAnd(1)
      const [overdue] = await readEscrowOrders({ db: sale.db, looks: looks() }, sale.asBuyer.userId)
      expect(overdue).toMatchObject({
        call: { what: 'refund' },
        chain: { round: 'refunding', order: 'paid' },
      })
      expect(await sendAsStranger({ to: escrowOf.address, data: deliverData(quote.tokens) })).toBe(false)
      expect(await sendAsStranger(overdue?.call)).toBe(true)
      expect(
        await sendAsStranger({ to: escrowOf.address, data: orderCallData('claim', quote.orderId) }),
      ).toBe(false)
      await sale.mineAnd(128)
      expect(await sale.show(order)).toMatchObject({ detail: 'refunded', payments: [{ state: 'returned' }] })
      const silent = await readEscrowOrdersOfAddress({ db: sale.db, looks: new EvmLooks([]) }, quote.payer)
      expect(silent).toMatchObject([{ chain: null, call: null, orderId: quote.orderId }])
    }))
})
