import { expect } from 'vitest'
import { Campaign } from '../../src/server/campaign/campaign.ts'
import type { ChainConfig, EvmChainConfig } from '../../src/server/chain-config.ts'
import { type Database } from '../../src/server/database/database.ts'
import { seedCampaign } from '../../src/server/demo/seed.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { Orders } from '../../src/server/orders/orders.ts'
import { Pricing } from '../../src/server/orders/pricing.ts'
import { ChainAccess, createSource } from '../../src/server/payments/chain-access.ts'
import { Chains } from '../../src/server/payments/chains.ts'
import { ReceivedPayments } from '../../src/server/payments/received-payments.ts'
import { Refunds } from '../../src/server/payments/refunds.ts'
import { Wallets } from '../../src/server/payments/wallets.ts'
import { Watcher } from '../../src/server/payments/watcher.ts'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import type { WalletFamily } from '../../src/shared/networks.ts'
import { lookUp, TrustedNode } from '../../verify/nodes.ts'
import type { CreditedPayment } from '../../verify/payments.ts'
import { buyerActor, decideOn, executorOf, quietUnits } from '../support/actions.ts'
import { addBuyer, addOperator, brokenRules, declared } from '../support/campaign.ts'
import { withTestDatabase } from '../support/database.ts'
import { testSecrets } from '../support/secrets.ts'
import { statement } from '../support/statement.ts'
import { fixedNodes } from './fixed-nodes.ts'

const LEAD = statement(
  'test_lead',
  'update chains set epoch = epoch + 1 where name = $1 returning epoch::text',
)

const CREDITED = statement(
  'test_credited',
  `select said from (select distinct on (subject) said from journal_facts where kind = 'payment.credited' order by subject, id desc) f
    where said ->> 'chain' = $1 and said ->> 'credited' <> '0'`,
)

const CURRENCY = statement('test_currency_of', 'select id from currencies where code = $1')
const GIVE = statement(
  'test_give_address',
  `insert into wallet_addresses (wallet_id, index, address, address_key, currency_id, base_height)
   select $1, $2, $3, $4, k.id, c.height from currencies k join chains c on c.name = k.network where k.id = $5`,
)

/** The test runs the watchers. */
export async function openChainSale(db: Database, chains: readonly ChainConfig[]) {
  await seedCampaign(db, true)
  await ensureChains(db, chains)
  const hintOutbox = () => {}
  const units = quietUnits(db)
  const campaign = new Campaign({ db, units })
  const access = new ChainAccess(chains)
  const explorerUrl = access.explorerUrl.bind(access)
  const payments = new ReceivedPayments({ db, explorerUrl })
  const refunds = new Refunds({ db, units, secrets: testSecrets, configs: chains, explorerUrl })
  const wallets = new Wallets({ db, secrets: testSecrets, chains: access })
  const actions = {
    ...payments.actions,
    ...refunds.actions,
    ...wallets.actions,
    ...new Chains({ db, secrets: testSecrets, nodes: fixedNodes(db, chains) }).actions,
  }
  const pricing = new Pricing({ db, applyStagePrice: async () => {} })
  const reserveAddress = (currencyId: number) => wallets.reserveAddress(currencyId)
  const needs = { db, campaign, units, payments, pricing, reserveAddress, batching: false, hintOutbox }
  const orders = new Orders(needs)
  const ledger = decideOn(db, { batching: true })
  const operatorId = await addOperator(db)
  const execute = executorOf(db, actions, operatorId)
  const buyer = await addBuyer(db)
  const watchers = new Map<string, { watcher: Watcher; epoch: string }>()

  /** A watcher that has just taken over: empty memory, a new epoch, and the nodes of `change`. */
  const takeOver = async (network: string, change: Partial<EvmChainConfig> = {}) => {
    const known = chains.find((chain) => chain.network === network)
    if (!known) throw new Error(`${network} is not followed`)
    const config = { ...known, ...change } as ChainConfig
    const { epoch } = await db.one<{ epoch: string }>(LEAD, [network])
    const entry = {
      watcher: new Watcher({ db, secrets: testSecrets, config, source: createSource(config), hintOutbox }),
      epoch,
    }
    watchers.set(network, entry)
    return entry
  }

  const pass = async (network: string) => {
    const { watcher, epoch } = watchers.get(network) ?? (await takeOver(network))
    let result = await watcher.pass(epoch)
    while (result.isBehind) result = await watcher.pass(epoch)
    return result
  }

  /** Makes an order without reporting a payment. Returns it as its buyer sees it. */
  const makeOrder = async (
    currency: string,
    amount: string,
    unit: 'token' | 'crypto' = 'token',
    userId = buyer,
    payer?: string,
  ) => {
    const made = await orders.create({
      userId,
      purchase: { currency, amount, unit, ...(payer ? { payer } : {}) },
      declarations: declared,
      idempotencyKey: undefined,
      requestHash: Buffer.alloc(0),
    })
    return { ...(await orders.show(userId, made.token)), userId }
  }

  return {
    db,
    units,
    campaign,
    payments,
    refunds,
    wallets,
    pricing,
    orders,
    ledger,
    operatorId,
    execute,
    buyer,
    asBuyer: buyerActor(buyer),
    takeOver,
    pass,
    settleDue: () => payments.settleDue(),
    payBackMissedSale: () => new Ledger({ db, hintOutbox, batching: false }).payBackMissedSale(),

    /** Watches `code` on a wallet of `key`, after the operator's comparison. */
    async watch(code: string, family: WalletFamily, accountKey: string) {
      const wallet = await execute('wallet.add', { family, accountKey, name: code })
      await execute('wallet.check', { id: wallet.id, addresses: wallet.firstAddresses })
      await execute('currency.wallet', { code, walletId: wallet.id })
      return wallet
    },

    order: makeOrder,

    reject: ({ number }: { number: number }) => ledger.reject(String(number), { operatorId }),

    /** Assigns an address of the currency's wallet without an order. */
    async giveAddress(code: string): Promise<string> {
      const { id } = await db.one<{ id: number }>(CURRENCY, [code])
      const { walletId, index, address, key } = await wallets.reserveAddress(id)
      await db.query(GIVE, [walletId, index, address, key, id])
      return address
    },

    show: (order: { token: string; userId?: string }) => orders.show(order.userId ?? buyer, order.token),

    sql: <T>(name: string, text: string, values: unknown[] = []) =>
      db.query<T>(statement(`test_${name}`, text), values),

    broken: () => brokenRules(db),

    /** Looks up credited payments at a node; `change` alters the journal's statements. */
    async lookUp(network: string, url: string, change: Partial<CreditedPayment> = {}): Promise<string> {
      const rows = await db.query<{ said: CreditedPayment }>(CREDITED, [network])
      const credited = rows.map(({ said }) => ({ ...said, subject: 'payments/1', ...change }))
      const { found, missing } = await lookUp(new Map([[network, new TrustedNode(url)]]), credited)
      return [`${found} found`, ...missing.map(({ reason }) => reason)].join('; ')
    },
  }
}

export type ChainSale = Awaited<ReturnType<typeof openChainSale>>

/** Runs `work` on a sale of its own, then checks every rule. */
export function withChainSale(
  chains: readonly ChainConfig[],
  work: (sale: ChainSale) => Promise<void>,
): Promise<void> {
  return withTestDatabase(
    async ({ db }) => {
      const sale = await openChainSale(db, chains)
      await work(sale)
      expect(await sale.broken()).toEqual([])
    },
    { holds: 'demo' },
  )
}

export const setRate = (sale: Pick<ChainSale, 'sql'>, rate: string) =>
  sale.sql(
    'set_rate',
    `with k as (update currencies set rate = $1, rate_at = now() where code = 'LTC' returning id)
     insert into currency_rates (currency_id, rate, reason) select id, $1, 'test' from k`,
    [rate],
  )

const DUE = statement(
  'test_refunds_due',
  `with p as (update payments set final_at = coalesce(final_at, clock_timestamp()) where id in (select payment_id from refunds))
   update refunds set claimed_at = claimed_at - interval '24 hours' where claimed_at > clock_timestamp() - interval '24 hours'`,
)

/** Backdates all refund addresses by a day and makes their payments' blocks deep. */
export async function letRefundsBeDue({ db }: Pick<ChainSale, 'db'>): Promise<void> {
  await db.query(DUE)
}

const MOVE = statement(
  'test_move_time',
  `with o as (update orders set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval, settle_at = settle_at - $2::interval where id = $1 returning address),
        a as (update wallet_addresses set reserved_at = reserved_at - $2::interval where address = (select address from o)),
        e as (update order_events set at = at - $2::interval where order_id = $1),
        -- What it brought counts for the day on which it was made.
        r as (insert into received_totals as r (currency, day, amount, usd, orders)
              select m.currency, d.day, d.sign * m.crypto_amount, d.sign * m.usd, d.sign
                from (select *, (created_at at time zone 'UTC')::date as made, ((created_at - $2::interval) at time zone 'UTC')::date as now_made
                        from orders where id = $1 and status = 'approved') m
               cross join lateral (values (m.made, -1), (m.now_made, 1)) as d(day, sign)
               where m.made <> m.now_made
              on conflict (currency, day) do update
                 set amount = r.amount + excluded.amount, usd = r.usd + excluded.usd, orders = r.orders + excluded.orders)
   update payments set seen_at = seen_at - $2::interval, recorded_at = recorded_at - $2::interval, mined_at = mined_at - $2::interval,
     first_seen_at = first_seen_at - $2::interval where order_id = $1`,
)

export async function letPass(
  sale: Pick<ChainSale, 'db'>,
  order: { number: number },
  interval: string,
): Promise<void> {
  await sale.db.query(MOVE, [order.number, interval])
}
