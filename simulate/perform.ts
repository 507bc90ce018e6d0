import { sql } from '../src/server/database/database.ts'
import { Refusal, RetryableError } from '../src/server/refusal.ts'
import type { Network } from '../src/shared/api/currencies.ts'
import { isZero, multiply, roundDownTo } from '../src/shared/money.ts'
import { type Currency, type Event, networkOf, type Step } from './steps.ts'
import { configs, TETHER, type World } from './world.ts'

const declarations = {
  acceptTerms: true,
  termsVersion: 1,
  risksVersion: 1,
  ageConfirmed: true,
  minimumAge: 18,
}

/** A quote as its buyer holds it, and the order that it became. */
export interface Held {
  readonly buyer: number
  readonly quoteId: string
  readonly currency: Currency
  readonly address: string
  readonly cryptoAmount: string
  /** What the buyer held when it was made. */
  readonly balance: string
  order: { readonly number: string; readonly token: string } | undefined
}

interface Granted {
  readonly buyer: number
  readonly amount: string
  readonly key: string
  postingId: string | null
  isReversed: boolean
}

/** What the people of a simulation remember: they know what was answered, and ask again where nothing was. */
export class People {
  readonly quotes: Held[] = []
  readonly grants: Granted[] = []
  /** Whether every chain was read to its tip in this step. */
  hasReadChains = false
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Does one step. A refusal is as good an outcome as any; anything else that is thrown is a fault of the product. */
  async perform({ step, diesAt }: Event): Promise<void> {
    const { fuse } = this.#world
    this.hasReadChains = false
    if (diesAt !== null && step.kind !== 'time') fuse.light(diesAt)
    try {
      await this.#do(step)
    } catch (error) {
      if (!isExpected(error)) throw error
    } finally {
      if (fuse.putOut()) this.#world.restart()
    }
  }

  async #do(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'quote':
      case 'confirm':
      case 'cancel':
      case 'claim':
      case 'choose':
        return this.#buy(step)
      case 'pay':
      case 'replace':
      case 'mine':
      case 'reorg':
      case 'node':
      case 'pay refund':
        return this.#moveChain(step)
      case 'watch':
      case 'take over':
      case 'old leader':
      case 'jobs':
      case 'time':
      case 'restart':
        return this.#run(step)
      default:
        return this.#operate(step)
    }
  }

  async #buy(step: Extract<Step, { kind: 'quote' | 'confirm' | 'cancel' | 'claim' | 'choose' }>) {
    const { modules } = this.#world
    if (step.kind === 'quote') {
      const { userId } = this.#world.buyer(step.buyer)
      const { currency, tokens } = step
      const balance = await this.#balanceOf(userId)
      const quote = await modules.quotes.bind(userId, { currency, amount: tokens, unit: 'token' })
      const { id: quoteId, address, cryptoAmount } = quote
      const { buyer } = step
      this.quotes.push({ buyer, quoteId, currency, address, cryptoAmount, balance, order: undefined })
      return
    }
    const held = at(this.quotes, step.which)
    if (!held) return
    if (step.kind === 'confirm') return this.#confirm(held)
    const by = this.#world.buyer(held.buyer)
    const token = await this.#tokenOf(held)
    if (!token) return
    if (step.kind === 'cancel') return modules.orders.cancel(by.userId, token)
    if (step.kind === 'choose') return modules.received.chooseLate(by, token, step.choice)
    return modules.refunds.claim(by, token, { address: refundAddressOf(held) })
  }

  async #balanceOf(userId: string): Promise<string> {
    const row = await this.#world.db.maybeOne<{ balance: string }>(
      sql`select purchased_tokens + bonus_tokens + granted_tokens as balance from holdings where user_id = ${userId}`,
    )
    return row?.balance ?? '0'
  }

  /** The same key every time: however often it is asked, there is one order. */
  async #confirm(held: Held): Promise<void> {
    const { userId } = this.#world.buyer(held.buyer)
    const reply = await this.#world.modules.orders.create({
      userId,
      quoteId: held.quoteId,
      declarations,
      idempotencyKey: `confirm ${held.quoteId}`,
      requestHash: Buffer.from(held.quoteId),
    })
    held.order = { number: String(reply.number), token: reply.token }
  }

  /** A payment makes the order too, of which its buyer learns later. */
  async #tokenOf(held: Held): Promise<string | undefined> {
    if (held.order) return held.order.token
    const row = await this.#world.db.maybeOne<{ id: string; token: string }>(
      sql`select id, token from orders where quote_id = ${held.quoteId}`,
    )
    if (row) held.order = { number: row.id, token: row.token }
    return row?.token
  }

  async #moveChain(
    step: Extract<Step, { kind: 'pay' | 'replace' | 'mine' | 'reorg' | 'node' | 'pay refund' }>,
  ) {
    const { clock } = this.#world
    if (step.kind === 'pay') {
      const held = at(this.quotes, step.which)
      const output = held && outputOf(held, step.share)
      if (output && !isZero(output.amount)) this.#chain(networkOf(held.currency)).send([output])
      return
    }
    const chain = this.#chain(step.network)
    if (step.kind === 'mine') chain.mine(step.blocks, clock.now)
    else if (step.kind === 'reorg') chain.reorganise(step.depth, step.fate, clock.now)
    else if (step.kind === 'node') chain.trouble(step.trouble, step.calls)
    else if (step.kind === 'pay refund') await this.#payRefund(step.network)
    else {
      const waiting = chain.newestWaiting
      if (!waiting) return
      const outputs = waiting.outputs.map((output) => ({
        ...output,
        amount: part(output.amount, step.share),
      }))
      if (!outputs.some(({ amount }) => isZero(amount))) chain.send(outputs, waiting.inputs)
    }
  }

  /** The operator's wallet sends what was prepared. */
  async #payRefund(network: Network): Promise<void> {
    const [due] = await this.#world.db.query<{
      address_key: string
      amount: string
      asset: string
      id: string
    }>(
      sql`select r.id, r.address_key, r.amount, coalesce(lower(nullif(k.token_contract, '')), 'native') as asset
            from refunds r join currencies k on k.id = r.currency_id
           where r.chain = ${network} and r.state = 'prepared' order by r.id limit 1`,
    )
    if (!due) return
    const { id } = this.#chain(network).send([
      { addressKey: due.address_key, asset: due.asset, amount: due.amount },
    ])
    await this.#act('refund.sent', 0, { refundId: due.id, transactionId: id })
  }

  async #run(
    step: Extract<Step, { kind: 'watch' | 'take over' | 'old leader' | 'jobs' | 'time' | 'restart' }>,
  ) {
    const { modules, clock, db } = this.#world
    if (step.kind === 'restart') return this.#world.restart()
    if (step.kind === 'time') return clock.advance(db.pool, step.minutes * 60_000)
    if (step.kind === 'watch') return this.#watch()
    if (step.kind === 'jobs') {
      await modules.campaign.applyStagePrice()
      await modules.orders.expire()
      return modules.received.settleDue()
    }
    const old = await this.#world.leaderOf(step.network)
    await this.#world.takeOver(step.network)
    if (step.kind === 'old leader') await old.watcher.pass(old.epoch).catch(ignoreLostLeadership)
  }

  /** Each chain is read to its tip, as far as its node answers. */
  async #watch(): Promise<void> {
    for (const { network } of configs) {
      const { watcher, epoch } = await this.#world.leaderOf(network)
      for (let isBehind = true; isBehind; ) isBehind = (await watcher.pass(epoch)).isBehind
    }
    this.hasReadChains = true
  }

  async #operate(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'approve':
      case 'reject':
        return this.#decideOrder(step)
      case 'grant':
        return this.#grant({
          buyer: step.buyer,
          amount: step.amount,
          key: `grant ${this.grants.length}`,
          postingId: null,
          isReversed: false,
        })
      case 'repeat': {
        const granted = at(this.grants, step.which)
        return granted && this.#grant(granted)
      }
      case 'reverse grant':
        return this.#reverse(at(this.grants, step.which))
      case 'pause sale':
        return this.#pauseSale(step.paused)
      case 'pause currency':
        return this.#act('currency.pause', 0, {
          code: step.currency,
          paused: step.paused,
          reason: step.paused ? { en: 'a pause', ru: 'пауза' } : null,
        })
      case 'price':
        return this.#act('price.change', 0, { priceUsd: step.priceUsd })
      case 'rate':
        return this.#act('currency.update', 0, [{ code: step.currency, rate: step.rate }])
      case 'prepare':
        return this.#act('refund.prepare', 1, { network: step.network, format: 'csv' })
      case 'two operators':
        return this.#world.db.query(
          sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(not second_operator))`,
        )
      case 'decide':
        return this.#decide(step.confirm, step.operator)
      default:
        throw new Error(`nobody does ${step.kind}`)
    }
  }

  async #decideOrder({
    kind,
    which,
    operator,
  }: Extract<Step, { kind: 'approve' | 'reject' }>): Promise<unknown> {
    const held = at(this.quotes, which)
    if (!held || !(await this.#tokenOf(held))) return
    return this.#act(kind === 'approve' ? 'order.approve' : 'order.reject', operator, {
      orderId: held.order?.number,
    })
  }

  async #pauseSale(paused: boolean): Promise<unknown> {
    const { paused_at: previous } = await this.#world.db.one<{ paused_at: Date | null }>(
      sql`select paused_at from campaign`,
    )
    return this.#act('campaign.pause', 0, { paused, previousPausedAt: previous?.toISOString() ?? null })
  }

  async #grant(granted: Granted): Promise<void> {
    if (!this.grants.includes(granted)) this.grants.push(granted)
    const { userId } = this.#world.buyer(granted.buyer)
    const by = this.#world.operator(0, { key: granted.key, hash: Buffer.from(granted.key) })
    const input = { userId, amount: granted.amount, reason: 'a gift' }
    granted.postingId = (await this.#world.perform('grant.add', by, input)) as string | null
  }

  async #reverse(granted: Granted | undefined): Promise<void> {
    if (!granted?.postingId) return
    await this.#act('grant.reverse', 0, { postingId: granted.postingId })
    granted.isReversed = true
  }

  async #decide(confirm: boolean, operator: number): Promise<void> {
    const waiting = await this.#world.db.query<{ id: string }>(
      sql`select id from pending_actions where state = 'waiting' order by id limit 1`,
    )
    const { acts } = this.#world.modules
    const act = acts.pending.acts[confirm ? 'action.confirm' : 'action.refuse']
    for (const { id } of waiting)
      await acts.perform<{ id: string }, unknown>(act, this.#world.operator(operator), { id })
  }

  #act(name: Parameters<World['perform']>[0], operator: number, input: unknown): Promise<unknown> {
    return this.#world.perform(name, this.#world.operator(operator), input)
  }

  #chain(network: Network) {
    const chain = this.#world.chains.get(network)
    if (!chain) throw new Error(`no chain ${network}`)
    return chain
  }
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]
const part = (amount: string, share: string) => roundDownTo(multiply(amount, share), 6)

const outputOf = ({ currency, address, cryptoAmount }: Held, share: string) => ({
  addressKey: currency === 'LTC' ? address : address.toLowerCase(),
  asset: currency === 'USDT' ? TETHER : 'native',
  amount: part(cryptoAmount, share),
})

/** An address of the buyer's own, on the chain of the order. */
const refundAddressOf = ({ currency, buyer }: Held) =>
  currency === 'LTC' ? 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' : `0x${String(buyer + 1).repeat(40)}`

/** A refusal, a process that died, a node that answered nothing or an error page. */
const isExpected = (error: unknown) =>
  error instanceof Refusal || error instanceof RetryableError || error instanceof SyntaxError

function ignoreLostLeadership(error: unknown): void {
  if ((error as Error).constructor.name !== 'LeadershipLost') throw error
}
