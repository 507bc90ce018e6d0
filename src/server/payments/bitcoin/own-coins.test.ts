import { p2wpkh, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../../test/chains/account-keys.ts'
import { type ChainSale, letRefundsBeDue, withChainSale } from '../../../../test/chains/chain-sale.ts'
import { type Litecoind, startLitecoind } from '../../../../test/chains/processes.ts'
import { parseExactJson } from '../../../shared/exact-json.ts'
import { add } from '../../../shared/money.ts'
import { unitsFromAmount } from '../../../shared/wallet-links.ts'
import type { ChainConfig } from '../../chain-config.ts'
import { splitCredentials } from '../../outside/outside.ts'
import { readReserves } from '../../reserves/reserves.ts'
import { addressParameters } from './networks.ts'

/** An account of its own for each sale: they share one chain. */
let account = 0
const walletOf = (index: number) => accountOf(ABANDON, `m/84'/1'/${index}'`, 'tpub')
const regtest = addressParameters('litecoin', 'regtest')
/** Wallets look past so many unused addresses. */
const GAP = 20
const INDEX_MAX = 600
const FEE = 50_000n
/** Blocks that no reorg here reaches below, and more than a payment is final with. */
const DEEP = 120

let node: Litecoind
beforeAll(async () => {
  node = await startLitecoind()
})
afterAll(() => node.stop())

const withSale = (work: (sale: ChainSale) => Promise<void>) => {
  const chain: ChainConfig = {
    family: 'bitcoin',
    network: 'litecoin',
    node: { kind: 'core', url: node.url },
    net: 'regtest',
    pollMs: 100,
    startHeight: undefined,
    explorerUrl: undefined,
  }
  return withChainSale([chain], async (sale) => {
    account += 1
    const key = accountOf(ABANDON, `m/84'/1'/${account}'`, 'vpub').publicExtendedKey
    await sale.watch('LTC', 'litecoin', key)
    await sale.pass('litecoin')
    await work(sale)
  })
}

const elsewhere = () => node.rpc.call<string>('getnewaddress', '', 'bech32')
const keyAt = (branch: number, index: number) => walletOf(account).derive(`m/${branch}/${index}`)
const paymentAt = (branch: number, index: number) =>
  p2wpkh(keyAt(branch, index).publicKey ?? new Uint8Array(), regtest)
const unitsOf = (amount: string) => unitsFromAmount(amount, 8) ?? 0n

interface Coin {
  readonly txid: string
  readonly vout: number
  readonly units: bigint
  readonly branch: number
  readonly index: number
}

/** What the node itself finds at both chains of the account, in blocks. Its numbers are read as the texts that they are. */
async function coinsByNode(): Promise<Coin[]> {
  const key = walletOf(account).publicExtendedKey
  const chains = [0, 1].map((branch) => ({ desc: `wpkh(${key}/${branch}/*)`, range: [0, INDEX_MAX] }))
  const { endpoint, headers } = splitCredentials(node.url)
  const body = JSON.stringify({ id: 1, method: 'scantxoutset', params: ['start', chains] })
  const answer = await (await fetch(endpoint, { method: 'POST', headers, body })).text()
  const { result } = parseExactJson(answer) as {
    result: { unspents: { txid: string; vout: string; amount: string; desc: string }[] }
  }
  return result.unspents.map(({ txid, vout, amount, desc }) => {
    const [, branch, index] = /\/(\d)\/(\d+)\]/.exec(desc) ?? []
    return {
      txid,
      vout: Number(vout),
      units: unitsOf(amount),
      branch: Number(branch),
      index: Number(index),
    }
  })
}

/** Spends one coin as the operator's own wallet does. */
async function spend(coin: Coin, outputs: readonly { address: string; units: bigint }[]): Promise<void> {
  const transaction = new Transaction()
  const { script } = paymentAt(coin.branch, coin.index)
  transaction.addInput({
    txid: coin.txid,
    index: coin.vout,
    witnessUtxo: { script, amount: coin.units },
  })
  for (const { address, units } of outputs) transaction.addOutputAddress(address, units, regtest)
  transaction.signIdx(keyAt(coin.branch, coin.index).privateKey ?? new Uint8Array(), 0)
  transaction.finalize()
  await node.rpc.call('sendrawtransaction', transaction.hex)
}

const reservesOf = async (sale: ChainSale) =>
  (await readReserves(sale.db)).rows.find(({ key }) => key === 'refunds/LTC')

type Step =
  | { readonly kind: 'pay' | 'read' | 'restart' }
  | { readonly kind: 'keep'; readonly which: number; readonly past: number; readonly share: number }
  | { readonly kind: 'leave'; readonly which: number }
  | { readonly kind: 'mine'; readonly blocks: number }
  | { readonly kind: 'reorg'; readonly depth: number; readonly keeps: boolean }

const which = fc.nat(9)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'pay' as const }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('keep' as const),
      which,
      past: fc.constantFrom(1, 1, 2, 7, GAP),
      share: fc.constantFrom(1, 2, 3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('mine' as const), blocks: fc.constantFrom(1, 1, 3, DEEP) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 5 }),
      keeps: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.constantFrom({ kind: 'read' as const }, { kind: 'restart' as const }) },
)

/** What the operator's wallet does beside the sale, and what miners do. */
class Wallet {
  readonly #sale: ChainSale
  #used = -1
  /** The last address that a coin lay at which no reorg reaches: one that a reorg took may never come back. */
  #settled = -1

  constructor(sale: ChainSale) {
    this.#sale = sale
  }

  async do(action: Step): Promise<unknown> {
    switch (action.kind) {
      case 'pay':
        return node.send((await this.#sale.order('LTC', '40')).address, '2')
      case 'read':
        return this.#sale.pass('litecoin')
      case 'restart':
        return this.#sale.takeOver('litecoin')
      case 'mine':
        await node.mine(action.blocks)
        if (action.blocks < DEEP) return
        for (const { branch, index } of await coinsByNode())
          if (branch === 1) this.#settled = Math.max(this.#settled, index)
        return
      case 'reorg':
        return reorg(action.depth, action.keeps)
      default: {
        const coin = await this.#pick(action.which)
        if (!coin) return
        if (action.kind === 'leave')
          return spend(coin, [{ address: await elsewhere(), units: coin.units - FEE }])
        this.#used = Math.min(this.#used + action.past, this.#settled + GAP)
        const kept = (coin.units - FEE) / BigInt(action.share)
        const rest = coin.units - FEE - kept
        return spend(coin, [
          { address: paymentAt(1, this.#used).address ?? '', units: kept },
          ...(rest > FEE ? [{ address: await elsewhere(), units: rest }] : []),
        ])
      }
    }
  }

  /** A coin of a block that nothing in the mempool spends. */
  async #pick(at: number): Promise<Coin | undefined> {
    const free: Coin[] = []
    for (const coin of await coinsByNode()) {
      const isFree = (await node.rpc.call('gettxout', coin.txid, coin.vout, true)) !== null
      if (isFree && coin.units > 4n * FEE) free.push(coin)
    }
    return free[at % Math.max(1, free.length)]
  }
}

async function reorg(depth: number, keeps: boolean): Promise<void> {
  const height = await node.rpc.call<number>('getblockcount')
  await node.rpc.call('invalidateblock', await node.rpc.call<string>('getblockhash', height - depth + 1))
  const address = await elsewhere()
  if (keeps) await node.rpc.call('generatetoaddress', depth + 1, address)
  else for (let block = 0; block <= depth; block += 1) await node.rpc.call('generateblock', address, [])
}

test('whatever the operator’s wallet pays, keeps as change or moves away, what is there is what the node finds at both its chains [LOG-21]', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 14, maxLength: 28 }), (actions) =>
    withSale(async (sale) => {
      const wallet = new Wallet(sale)
      await wallet.do({ kind: 'pay' })
      await wallet.do({ kind: 'mine', blocks: 1 })
      for (const action of actions) await wallet.do(action)
      await sale.pass('litecoin')
      const byNode = (await coinsByNode()).reduce((sum, { units }) => sum + units, 0n)
      const there = (await reservesOf(sale))?.there ?? ''
      expect(unitsOf(there)).toBe(byNode)
    }),
  )
  await fc.assert(property, { numRuns: Number(process.env['CHAIN_RUNS'] ?? 6), endOnFailure: true })
})

test('a coin that was spent before a reorg is spent after it, where its new blocks spend it again [LOG-21]', () =>
  withSale(async (sale) => {
    await node.send((await sale.order('LTC', '40')).address, '2')
    await node.mine(2)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ there: '2' })
    const [coin] = await coinsByNode()
    if (!coin) throw new Error('no coin to spend')
    await spend(coin, [{ address: await elsewhere(), units: coin.units - FEE }])
    await node.mine(1)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ there: '0' })
    await reorg(1, true)
    await sale.pass('litecoin')
    expect(await coinsByNode()).toEqual([])
    expect(await reservesOf(sale)).toMatchObject({ there: '0' })
  }))

test('a coin that came and went again in blocks that are read at once is not there [LOG-21]', () =>
  withSale(async (sale) => {
    await node.send((await sale.order('LTC', '40')).address, '2')
    await node.mine(1)
    const [coin] = await coinsByNode()
    if (!coin) throw new Error('no coin to spend')
    await spend(coin, [{ address: await elsewhere(), units: coin.units - FEE }])
    // So deep that these blocks are read once.
    await node.mine(130)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ there: '0' })
  }))

test('change of a refund is there for the next one, which is paid from it [LOG-21]', () =>
  withSale(async (sale) => {
    const pay = async (coins: string, tokens: string) => {
      const order = await sale.order('LTC', tokens)
      await sale.reject(order)
      await node.send(order.address, coins)
      return order
    }
    // One coin of 6 and one of 2: what is paid back of the second comes out of the first.
    const [large, small] = [await pay('6', '120'), await pay('2', '40')]
    await node.mine(6)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ owed: '8', there: '8', state: 'covered' })
    await sale.refunds.claim(sale.asBuyer, small.token, { address: await elsewhere() })
    const want = { network: 'litecoin', format: 'psbt', feePerVbyte: 5 } as const
    await letRefundsBeDue(sale)
    await send((await sale.execute('refund.prepare', want)).content)
    await sale.pass('litecoin')
    // It waits in the mempool: in blocks all is as it was.
    expect(await reservesOf(sale)).toMatchObject({ owed: '8', there: '8', state: 'covered' })
    await node.mine(6)
    await sale.pass('litecoin')
    const after = await reservesOf(sale)
    const coins = await coinsByNode()
    expect(coins.map(({ branch, index }) => `${branch}/${index}`)).toContain('1/0')
    const byNode = coins.reduce((sum, { units }) => sum + units, 0n)
    expect([after?.owed, unitsOf(after?.there ?? '')]).toEqual(['6', byNode])

    // What the network took is the seller's to add.
    await node.send((await sale.order('LTC', '40')).address, '2')
    await node.mine(6)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ owed: '6', state: 'covered' })
    await sale.refunds.claim(sale.asBuyer, large.token, { address: await elsewhere() })
    await letRefundsBeDue(sale)
    await send((await sale.execute('refund.prepare', want)).content)
    await node.mine(6)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ owed: '0', state: 'covered' })
    expect(
      await sale.sql('spent_change', 'select index from own_coins where spent_height is not null', []),
    ).toEqual([{ index: 0 }])
  }))

/** Signs a prepared file as the operator's wallet does, with keys of both its chains. */
async function send(content: string): Promise<void> {
  const transaction = Transaction.fromPSBT(Buffer.from(content, 'base64'))
  for (let input = 0; input < transaction.inputsLength; input += 1) {
    const [[, { path }] = [null, { path: [] as number[] }]] =
      transaction.getInput(input).bip32Derivation ?? []
    const [branch = 0, index = 0] = path.slice(-2)
    transaction.signIdx(keyAt(branch, index).privateKey ?? new Uint8Array(), input)
  }
  transaction.finalize()
  await node.rpc.call('sendrawtransaction', transaction.hex)
}

test('a wallet whose coins lie further along than it looks, and one whose coins are elsewhere, count what was read alone', () =>
  withSale(async (sale) => {
    await node.send(paymentAt(1, GAP).address ?? '', '1')
    await node.mine(1)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ there: '0' })
    await node.send(paymentAt(1, GAP - 1).address ?? '', '1')
    await node.send(paymentAt(1, 2 * GAP - 1).address ?? '', '0.5')
    await node.send(await elsewhere(), '3')
    await node.mine(1)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject({ there: add('1', '0.5') })
  }))

test('change of a wallet whose key does not open is not taken for nothing: what would be short without it is unknown [LOG-20]', () =>
  withSale(async (sale) => {
    const order = await sale.order('LTC', '40')
    await sale.reject(order)
    await node.send(order.address, '2')
    await node.mine(6)
    await sale.pass('litecoin')
    const covered = { owed: '2', there: '2', state: 'covered', why: null }
    const unknown = { owed: '2', there: null, state: 'unknown', why: 'change_unread' }
    expect(await reservesOf(sale)).toMatchObject(covered)
    const wallet = async () => {
      const [row] = await sale.sql(
        'wallet_row',
        "select encode(account_key_sealed, 'hex') as sealed, change_unread_from from wallets order by id desc limit 1",
        [],
      )
      return row as { sealed: string; change_unread_from: string | null }
    }
    const sealed = (await wallet()).sealed
    const setKey = async (key: string) => {
      await sale.sql('key_of_another_day', "update wallets set account_key_sealed = decode($1, 'hex')", [key])
      await sale.takeOver('litecoin')
      await sale.pass('litecoin')
    }
    const isNoted = async () => (await wallet()).change_unread_from !== null
    // Names a `SECRET_KEY` that this server does not know: after the version, five bytes.
    const lost = sealed.slice(0, 2) + '00'.repeat(5) + sealed.slice(12)
    await setKey(lost)
    expect(await isNoted()).toBe(true)
    // All that is owed is there without any change.
    expect(await reservesOf(sale)).toMatchObject(covered)
    await setKey(sealed)
    expect(await isNoted()).toBe(false)

    await setKey(lost)
    const [coin] = await coinsByNode()
    if (!coin) throw new Error('no coin to spend')
    await spend(coin, [{ address: paymentAt(1, 0).address ?? '', units: coin.units - FEE }])
    await node.mine(1)
    await sale.pass('litecoin')
    expect(await reservesOf(sale)).toMatchObject(unknown)
    // What was not read stays so, once the key opens again: nobody read those blocks for it.
    await setKey(sealed)
    expect(await reservesOf(sale)).toMatchObject(unknown)
  }))
