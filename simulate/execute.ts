import { sql } from '../src/server/database/database.ts'
import { Refusal, RetryableError } from '../src/server/refusal.ts'
import { openRefundAddress, type StoredText, storedRefundAddress } from '../src/server/secrets/secrets.ts'
import { addressKeyOf } from '../src/shared/addresses.ts'
import { isZero, multiply, roundDownTo, writeAmount } from '../src/shared/money.ts'
import type { Network } from '../src/shared/networks.ts'
import { testSecrets } from '../test/support/secrets.ts'
import { Exact } from './model/exact.ts'
import type { EscrowCall, EscrowOrderState, Result } from './simulated-chain.ts'
import { type Currency, type Event, networkOf, type Step, transactionOf } from './steps.ts'
import { FINAL_DEPTH, REFUND_ADDRESSES, TETHER, USD_COIN, type World } from './world.ts'

const declarations = {
  acceptTerms: true,
  termsVersion: 1,
  risksVersion: 1,
  ageConfirmed: true,
  minimumAge: 18,
}

/** One buyer declares none. */
export const countryOf = (buyer: number) => ['DE', 'GB', 'DE', 'FR', undefined][buyer % 5]

const BUYERS_MAX = 6

export interface Asked {
  readonly buyer: number
  readonly key: string
  readonly currency: Currency
  readonly tokens: string
  /** The price that the buyer saw. */
  readonly shown: { readonly rate: string; readonly priceUsd: string } | undefined
  /** The order, if its creation was observed. */
  order: Placed | undefined
  /** When the escrow signature expires, in seconds. */
  signedUntil: number | undefined
}

interface Placed {
  readonly number: string
  readonly token: string
  /** The address on the chain. An order's place in an escrow is never displayed. */
  readonly place: string
  readonly coins: string
  readonly rate: string
  readonly priceUsd: string
}

interface Granted {
  readonly buyer: number
  readonly amount: string
  readonly key: string
  postingId: string | null
  isReversalAsked: boolean
}

interface Pass {
  readonly network: Network
  readonly height: number | undefined
}

export interface Outcome {
  readonly kind: 'done' | 'refused' | 'failed' | 'died'
  readonly code?: string
  readonly passes: readonly Pass[]
}

/** How people write. `other` means the same: more zeros, other cases, a transaction id without its prefix. */
export type Spelling = 'usual' | 'other'

/** Remembers answers that people got, and requests to repeat. */
export class People {
  readonly asked: Asked[] = []
  asking: Asked | undefined
  readonly grants: Granted[] = []
  readonly rates: { readonly code: Currency; readonly rate: Exact }[] = []
  readonly came: { readonly order: string; readonly amount: Exact | null }[] = []
  /** The chain that this step read to its tip. */
  hasRead: Network | undefined
  /** The payment of another coin that this step decided. */
  decided: string | undefined
  /** The newest account's mailbox and referrer. */
  registered: { readonly mailbox: string; readonly by: number | null } | undefined
  /** The contract's state of the order to be signed, and its block's time. */
  inEscrow: { order: EscrowOrderState; minedAt: number } = { order: 'none', minedAt: 0 }
  readonly answers: string[] = []
  last!: Event
  readonly #world: World
  readonly #spelling: Spelling
  #passes: Pass[] = []
  #count = 0

  constructor(world: World, spelling: Spelling = 'usual') {
    this.#world = world
    this.#spelling = spelling
  }

  get #isOther(): boolean {
    return this.#spelling === 'other'
  }

  /** Modulo the orders' count. */
  at(which: number): Asked | undefined {
    return at(this.asked, which)
  }

  /** An error code is a valid outcome; any other exception is a bug of the product. */
  async execute(event: Event): Promise<Outcome> {
    const { step, diesAt } = event
    const { fuse } = this.#world
    this.last = event
    this.hasRead = undefined
    this.decided = undefined
    this.asking = undefined
    this.#passes = []
    if (diesAt !== null && step.kind !== 'time' && step.kind !== 'end') fuse.light(diesAt)
    let outcome: Outcome = { kind: 'done', passes: this.#passes }
    try {
      await this.#do(step)
    } catch (error) {
      if (!isExpected(error) && !(this.#mayStop && isStop(error))) throw error
      outcome =
        error instanceof Refusal
          ? { kind: 'refused', code: error.code, passes: this.#passes }
          : { kind: 'failed', passes: this.#passes }
    }
    await fuse.quiet()
    if (fuse.putOut()) {
      this.#world.restart()
      outcome = { kind: 'died', passes: this.#passes }
    }
    if (step.kind === 'register') await this.#world.countBuyers()
    this.answers.push(['step', step.kind, outcome.kind, outcome.code].join(' ').trim())
    return outcome
  }

  async #do(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'order':
      case 'order again':
      case 'sent':
      case 'name':
      case 'claim':
      case 'sign':
      case 'take back':
        return this.#buy(step)
      case 'pay':
      case 'replace':
      case 'mine':
      case 'reorg':
      case 'node':
      case 'second node':
      case 'pay refund':
      case 'escrow cancel':
      case 'escrow refund':
        return this.#moveChain(step)
      case 'watch':
      case 'take over':
      case 'old leader':
      case 'jobs':
      case 'time':
      case 'end':
      case 'restart':
        return this.#run(step)
      case 'terms':
      case 'join':
      case 'register':
      case 'sign in':
      case 'decide rewards':
      case 'look again':
        return this.#bring(step)
      default:
        return this.#operate(step)
    }
  }

  async #buy(
    step: Extract<Step, { kind: 'order' | 'order again' | 'sent' | 'name' | 'claim' | 'sign' | 'take back' }>,
  ): Promise<unknown> {
    const { modules } = this.#world
    if (step.kind === 'order') return this.#orderAnew(step)
    const asked = this.at(step.which)
    if (!asked) return
    if (step.kind === 'order again') return this.#order(asked)
    const actor = this.#world.buyer(asked.buyer)
    const { token } = (await this.#placed(asked)) ?? {}
    if (!token) return
    if (step.kind === 'sign') return this.#sign(asked, actor.userId, token)
    if (step.kind === 'take back') return modules.orders.takeBack(actor.userId, token)
    if (step.kind === 'sent') return modules.orders.noteSent(actor.userId, token)
    if (step.kind === 'name')
      return modules.orders.setTransactionId(
        actor.userId,
        token,
        this.#isOther
          ? transactionOf(step.transaction).slice(2).toUpperCase()
          : transactionOf(step.transaction),
      )
    const address = refundAddressOf(asked, step.isShared)
    return modules.refunds.claim(actor, token, { address: this.#isOther ? otherSpelling(address) : address })
  }

  async #orderAnew({ buyer, currency, tokens, isOldPrice }: Extract<Step, { kind: 'order' }>) {
    const before = this.asked.findLast((other) => other.currency === currency)?.order
    this.#count += 1
    const asked: Asked = {
      buyer: this.#world.indexOf(buyer),
      key: `order ${this.#count}`,
      currency,
      tokens,
      shown: isOldPrice && before ? { rate: before.rate, priceUsd: before.priceUsd } : undefined,
      order: undefined,
      signedUntil: undefined,
    }
    this.asked.push(asked)
    try {
      await this.#order(asked)
    } catch (error) {
      if (error instanceof Refusal) this.asked.pop()
      throw error
    }
  }

  /** Repeats use the same key, so they make one order. */
  async #order(asked: Asked): Promise<void> {
    this.asking = asked
    const { buyer, key, currency, tokens, shown } = asked
    const { userId } = this.#world.buyer(buyer)
    await this.#world.modules.orders.place(
      { userId, idempotencyKey: key, requestHash: Buffer.from(key) },
      {
        ...declarations,
        country: countryOf(buyer),
        currency: this.#isOther ? currency.toLowerCase() : currency,
        amount: this.#isOther ? writeAmount(tokens) : tokens,
        unit: 'token',
        shown,
        payer: currency === 'USDC' ? `0x${String(buyer + 1).repeat(40)}` : undefined,
      },
    )
    await this.#placed(asked)
  }

  /** The resulting order, also if its answer was lost. */
  async #placed(asked: Asked): Promise<Placed | undefined> {
    if (asked.order) return asked.order
    const { userId } = this.#world.buyer(asked.buyer)
    const row = await this.#world.db.maybeOne<Placed>(
      sql`select id::text as number, token, place, coalesce((asked).crypto_amount, crypto_amount)::text as coins,
                 coalesce((asked).rate, rate)::text as rate, price_usd::text as "priceUsd"
            from orders where user_id = ${userId} and idempotency_key = ${asked.key}`,
    )
    if (row) asked.order = { ...row, place: addressKeyOf(networkOf(asked.currency), row.place) }
    return asked.order
  }

  async #sign(asked: Asked, userId: string, token: string): Promise<void> {
    const chain = this.#chain('ethereum')
    this.inEscrow = { order: chain.orderInEscrow(orderKeyOf(asked)), minedAt: chain.minedAt }
    const { validUntil } = await this.#world.modules.escrows.sign(userId, token)
    asked.signedUntil = Date.parse(validUntil) / 1000
  }

  /** A call by the buyer's wallet, or a cancellation by the seller's. */
  #call(asked: Asked, what: EscrowCall['what'], result: Result): void {
    const { currency, order, signedUntil } = asked
    if (currency !== 'USDC' || !order || (what === 'pay' && signedUntil === undefined)) return
    this.#chain('ethereum').send([], result, undefined, {
      what,
      place: order.place,
      orderKey: orderKeyOf(asked),
      asset: USD_COIN,
      amount: order.coins,
      validUntil: signedUntil ?? 0,
    })
  }

  async #moveChain(
    step: Extract<
      Step,
      {
        kind:
          | 'pay'
          | 'replace'
          | 'mine'
          | 'reorg'
          | 'node'
          | 'second node'
          | 'pay refund'
          | 'escrow cancel'
          | 'escrow refund'
      }
    >,
  ) {
    const { clock } = this.#world
    if (step.kind === 'pay') {
      const asked = this.at(step.which)
      if (asked?.currency === 'USDC') return this.#call(asked, 'pay', step.result)
      // Payments to a fixed address are reported by operators.
      const order = asked && asked.currency !== 'DAI' && (await this.#placed(asked))
      if (!order) return
      const output = outputOf(asked.currency, order.place, this.#part(order.coins, step.share), step.isOther)
      if (!isZero(output.amount)) this.#chain(networkOf(asked.currency)).send([output], step.result)
      return
    }
    if (step.kind === 'escrow cancel' || step.kind === 'escrow refund') {
      const asked = this.at(step.which)
      if (asked) this.#call(asked, step.kind === 'escrow cancel' ? 'cancel' : 'refund', 'as sent')
      return
    }
    if (step.kind === 'second node') {
      this.#chain('ethereum').second = step.says
      return
    }
    const chain = this.#chain(step.network)
    if (step.kind === 'mine') chain.mine(step.blocks, clock.now)
    else if (step.kind === 'reorg') {
      chain.isDeeplyChanged ||= step.depth >= FINAL_DEPTH
      chain.reorganise(step.depth, step.fate, clock.now)
    } else if (step.kind === 'node') chain.trouble(step.trouble, step.calls)
    else if (step.kind === 'pay refund') await this.#payRefund(step.network, step.share)
    else {
      const waiting = chain.newestWaiting
      if (!waiting) return
      const outputs = waiting.outputs.map((output) => ({
        ...output,
        amount: this.#part(output.amount, step.share),
      }))
      if (!outputs.some(({ amount }) => isZero(amount))) chain.send(outputs, waiting.result, waiting.inputs)
    }
  }

  #part(amount: string, share: string): string {
    return roundDownTo(multiply(amount, share), this.#world.paidDecimals)
  }

  async #payRefund(network: Network, share: string): Promise<void> {
    const [due] = await this.#world.db.query<{
      address: StoredText
      amount: string
      asset: string
      id: string
    }>(
      sql`select r.id, ${storedRefundAddress} as address, r.amount, coalesce(lower(nullif(k.token_contract, '')), 'native') as asset
            from refunds r join currencies k on k.id = r.currency_id
           where r.chain = ${network} and r.state = 'prepared' order by r.id limit 1`,
    )
    if (!due) return
    const address = openRefundAddress(testSecrets, due) ?? ''
    const { id } = this.#chain(network).send([
      { addressKey: addressKeyOf(network, address), asset: due.asset, amount: this.#part(due.amount, share) },
    ])
    await this.#action('refund.sent', 0, { refundId: due.id, transactionId: id })
  }

  async #run(
    step: Extract<Step, { kind: 'watch' | 'take over' | 'old leader' | 'jobs' | 'time' | 'end' | 'restart' }>,
  ) {
    const { modules, clock } = this.#world
    if (step.kind === 'restart') return this.#world.restart()
    if (step.kind === 'time') return clock.advance(step.minutes * 60_000)
    if (step.kind === 'end') return this.#passToEnd(step.minutes)
    if (step.kind === 'watch') return this.#watch(step.network)
    if (step.kind === 'jobs') {
      await modules.campaign.applyStagePrice()
      await modules.received.settleDue()
      return modules.ledger.payBackMissedSale()
    }
    if (step.kind === 'take over') return this.#world.takeOver(step.network)
    return this.#lookAsOldLeader(step.network, step.isLate)
  }

  async #passToEnd(minutes: number): Promise<void> {
    const { clock, db } = this.#world
    const { ends_at } = await db.one<{ ends_at: Date }>(sql`select max(ends_at) as ends_at from stages`)
    await clock.advance(Math.max(0, ends_at.getTime() + minutes * 60_000 - clock.now))
  }

  /** Only possible before the first order. */
  async #promise(settings: object): Promise<void> {
    if (this.asked.length > 0) return
    await this.#world.db.query(
      sql`with escrows_off as (
            update currencies set paused_at = clock_timestamp(), pause_reason = '{"en": "no escrow"}' where in_escrow)
          update campaign set settings = settings || ${JSON.stringify(settings)}`,
    )
  }

  /** Thresholds of levels may only fall, as promised to buyers. */
  #limit({ maximum, thresholds }: Extract<Step, { kind: 'limits' }>) {
    return this.#world.db.query(
      sql`update campaign set settings = settings || jsonb_build_object('orderMaximumTokens', ${maximum}::text, 'levels', (
            select jsonb_agg(level || jsonb_build_object(
                     'threshold', trim_scale(trunc((level ->> 'threshold')::numeric * ${thresholds}::numeric, 6))::text) order by place)
              from jsonb_array_elements(settings -> 'levels') with ordinality as levels(level, place)))`,
    )
  }

  async #bring(
    step: Extract<
      Step,
      { kind: 'terms' | 'join' | 'register' | 'sign in' | 'decide rewards' | 'look again' }
    >,
  ): Promise<unknown> {
    const { referral } = this.#world.modules
    if (step.kind === 'decide rewards') return referral.decideDue()
    if (step.kind === 'look again') return referral.lookAgain()
    if (step.kind === 'terms')
      return this.#world.db.query(
        sql`with changed as (
              insert into campaign_changes (setting, before) select 'referral', nullif(settings -> 'referral', 'null') from campaign)
            update campaign set settings = jsonb_set(settings, '{referral}', ${JSON.stringify(step.terms)})`,
      )
    if (step.kind === 'register') return this.#register(step.by, step.isSameMailbox)
    const { userId } = this.#world.buyer(step.buyer)
    if (step.kind === 'join') return referral.join(userId, step.country)
    return referral.noteDevice(userId, `browser${step.browser}`.padEnd(22, '-'))
  }

  /** Like a registration, without password and mails. */
  async #register(by: number, isSameMailbox: boolean): Promise<void> {
    const { buyers, db, modules } = this.#world
    this.registered = undefined
    if (buyers.length >= BUYERS_MAX) return
    const inviter = this.#world.indexOf(by)
    const { email } = await db.one<{ email: string }>(
      sql`select email from users where id = ${buyers[inviter] ?? ''}`,
    )
    const own = `friend${buyers.length}@example.org`
    const mailbox = isSameMailbox ? email.replace(/\+[^@]*/, '') : own
    const address = isSameMailbox ? mailbox.replace('@', `+${buyers.length}@`) : own
    this.registered = { mailbox, by: inviter }
    await db.transaction(async (tx) => {
      const { id } = await tx.one<{ id: string }>(
        sql`insert into users (email, email_key, name, phone, password_hash, confirmed_at)
            values (${address}, ${address}, ${address}, '+10000000', 'x', clock_timestamp()) returning id`,
      )
      const link = await tx.maybeOne<{ code: string }>(
        sql`select code from referral_links where user_id = ${buyers[inviter] ?? ''}`,
      )
      await modules.referral.note(tx, id, link?.code)
    })
  }

  /**
   * Another watcher took the lead before this poll or during its node call: its results must not be written.
   */
  async #lookAsOldLeader(network: Network, isLate: boolean): Promise<void> {
    const chain = this.#chain(network)
    const old = await this.#world.leaderOf(network)
    const takeOver = () => this.#world.takeOver(network)
    chain.beginLook()
    if (isLate) chain.whileAsked = takeOver
    else await takeOver()
    try {
      await old.watcher.pass(old.epoch)
    } catch (error) {
      return ignoreLostLeadership(error)
    } finally {
      chain.whileAsked = undefined
    }
    throw new Error('a watcher that leads no more wrote')
  }

  /** Reads a chain to its tip, as far as its node answers. */
  async #watch(network: Network): Promise<void> {
    const { watcher, epoch } = await this.#world.leaderOf(network)
    const chain = this.#chain(network)
    for (let isBehind = true; isBehind; ) {
      chain.beginLook()
      const { commits } = this.#world.fuse
      try {
        const pass = await watcher.pass(epoch)
        isBehind = pass.isBehind
        chain.endLook()
        if (chain.isElsewhere) throw new Error('a node of another network was believed')
        this.#passes.push({ network, height: pass.height })
      } catch (error) {
        if (this.#world.fuse.commits > commits) {
          chain.endLook()
          this.#passes.push({ network, height: undefined })
        }
        throw error
      }
    }
    this.hasRead = network
  }

  get #mayStop(): boolean {
    return [...this.#world.chains.values()].some(({ mayStop }) => mayStop)
  }

  /** An operator resumes the chain. */
  async #resume(network: Network): Promise<unknown> {
    this.#chain(network).isDeeplyChanged = true
    await this.#world.db.query(sql`update chains set stopped = true where name = ${network}`)
    return this.#actionAsTwo('chain.resume', { network })
  }

  async #operate(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'approve':
      case 'reject':
        return this.#decideOrder(step)
      case 'grant':
        return this.#grant({
          buyer: this.#world.indexOf(step.buyer),
          amount: await this.#amountOf(step.amount),
          key: `grant ${this.grants.length}`,
          postingId: null,
          isReversalAsked: false,
        })
      case 'repeat': {
        const granted = at(this.grants, step.which)
        return granted && this.#grant(granted, step.isOther)
      }
      case 'reverse grant':
        return this.#reverse(at(this.grants, step.which))
      case 'refund payment':
        return this.#decidePayment(step)
      case 'say paid':
        return this.#sayPaid(step.which)
      case 'soft cap':
        return this.#promise({ softCapPolicy: 'refund', softCapUsd: step.usd })
      case 'money back':
        return this.#promise({ moneyBackDays: step.days })
      case 'limits':
        return this.#limit(step)
      case 'pause sale':
        return this.#pauseSale(step.paused)
      case 'pause currency':
        return this.#action('currency.pause', 0, {
          code: step.currency,
          paused: step.paused,
          reason: step.paused ? { en: 'a pause', ru: 'пауза' } : null,
        })
      case 'switch currency':
        return this.#switchCurrency(step.currency, !step.paused)
      case 'price':
        return this.#action('price.change', 0, { priceUsd: step.priceUsd })
      case 'rate':
        this.rates.push({ code: step.currency, rate: Exact.of(step.rate) })
        return this.#action('currency.update', 0, [{ code: step.currency, rate: step.rate }])
      case 'prepare':
        return this.#action('refund.prepare', 1, { network: step.network, format: 'csv' })
      case 'resume':
        return this.#resume(step.network)
      case 'freeze':
        return this.#freeze(step.minutes)
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

  /** Backdated, since nobody reads the time in between. An earlier announced round is cancelled. */
  async #freeze(minutes: number): Promise<unknown> {
    const { db } = this.#world
    await db.query(sql`update delivery_rounds set state = 'cancelled' where state = 'announced'`)
    const { number } = await db.one<{ number: number }>(
      sql`insert into delivery_rounds (number, cut_at, freeze_from, starts_at, start_bps, cliff_seconds, linear_seconds, leftover_to,
                                       told_at, network, chain_id)
          select coalesce(max(number), 0) + 1, clock_timestamp() - ${minutes}::integer * interval '1 minute', clock_timestamp(),
                 clock_timestamp(), 10000, 0, 0, '0x' || repeat('5', 40), clock_timestamp() - interval '80 hours', 'ethereum', 1
            from delivery_rounds returning number`,
    )
    return this.#actionAsTwo('round.freeze', { number })
  }

  async #decideOrder(step: Extract<Step, { kind: 'approve' | 'reject' }>): Promise<unknown> {
    const asked = this.at(step.which)
    const order = asked && (await this.#placed(asked))
    if (!order) return
    const orderId = order.number
    if (step.kind === 'approve') return this.#action('order.approve', step.operator, { orderId })
    const came = step.came === null ? undefined : this.#part(order.coins, step.came)
    this.came.push({ order: orderId, amount: came === undefined ? null : Exact.of(came) })
    return this.#actionAsTwo('order.reject', { orderId, came }, step.operator)
  }

  /** A payment in another coin settles nothing automatically. */
  async #decidePayment(step: Extract<Step, { kind: 'refund payment' }>): Promise<unknown> {
    const foreign = await this.#world.db.query<{ id: string }>(
      sql`select id::text from payments where fault is not null and fault <> 'returned' order by id`,
    )
    const paymentId = at(foreign, step.which)?.id
    if (!paymentId) return
    this.decided = paymentId
    return this.#actionAsTwo('payment.refund', { paymentId })
  }

  /** No watcher can match this refund. */
  async #sayPaid(which: number): Promise<unknown> {
    const open = await this.#world.db.query<{ id: string }>(
      sql`select id::text from refunds where state in ('claimed', 'prepared', 'sent') order by id`,
    )
    const refundId = at(open, which)?.id
    if (!refundId) return
    const transactionId = refundId.padStart(64, '0')
    return this.#actionAsTwo('refund.paid', { refundId, transactionId, reason: 'from inside a contract' })
  }

  /** A currency without orders would be deleted. */
  async #switchCurrency(code: Currency, isOn: boolean): Promise<unknown> {
    if (isOn) return this.#action('currency.switch-on', 0, { code })
    const { used } = await this.#world.db.one<{ used: boolean }>(
      sql`select exists (select from orders o join currencies k on k.id = o.currency_id where k.code = ${code}) as used`,
    )
    return used && this.#action('currency.remove', 0, { code })
  }

  async #pauseSale(paused: boolean): Promise<unknown> {
    const { paused_at: previous } = await this.#world.db.one<{ paused_at: Date | null }>(
      sql`select paused_at from campaign`,
    )
    const reason = paused ? { reason: { en: 'a pause', ru: 'пауза' } } : {}
    return this.#action('campaign.pause', 0, {
      paused,
      previousPausedAt: previous?.toISOString() ?? null,
      ...reason,
    })
  }

  /** @param isOther Something else is asked for by the same key. */
  async #grant(granted: Granted, isOther = false): Promise<void> {
    if (!this.grants.includes(granted)) this.grants.push(granted)
    const { userId } = this.#world.buyer(granted.buyer)
    const actor = this.#world.operator(0, {
      key: granted.key,
      hash: Buffer.from(isOther ? 'another grant' : granted.key),
    })
    const input = { userId, amount: granted.amount, reason: 'a gift' }
    const postingId = (await this.#world.execute('grant.add', actor, input)) as string | null
    if (isOther && granted.postingId) throw new Error('a key served two grants')
    granted.postingId = postingId
  }

  async #amountOf(amount: string): Promise<string> {
    if (amount !== 'rest' && amount !== 'more') return amount
    const { given } = await this.#world.db.one<{ given: string }>(
      sql`select (bonus_to_give() + ${amount === 'rest' ? '-0.002' : '1'}::numeric)::text as given`,
    )
    return given.startsWith('-') ? '0' : given
  }

  async #reverse(granted: Granted | undefined): Promise<void> {
    if (!granted?.postingId) return
    granted.isReversalAsked = true
    await this.#actionAsTwo('grant.reverse', { postingId: granted.postingId })
  }

  async #decide(confirm: boolean, operator: number): Promise<void> {
    const waiting = await this.#world.db.query<{ id: string }>(
      sql`select id from approval_requests where state = 'waiting' order by id limit 1`,
    )
    for (const { id } of waiting) await this.#decideOn(id, confirm, operator)
  }

  #decideOn(id: string, confirm: boolean, operator: number): Promise<unknown> {
    const { actions } = this.#world.modules
    const action = actions.pending.actions[confirm ? 'approval.confirm' : 'approval.reject']
    return actions.execute<{ id: string }, unknown>(action, this.#world.operator(operator), { id })
  }

  /** Confirms as another operator if it needs approval. */
  async #actionAsTwo(name: Parameters<World['execute']>[0], input: unknown, operator = 0): Promise<unknown> {
    try {
      return await this.#action(name, operator, input)
    } catch (error) {
      const isWaiting = error instanceof Refusal && error.code === 'second_operator_required'
      if (!isWaiting) throw error
      return this.#decideOn(String(error.details?.['approvalRequestId']), true, operator === 0 ? 1 : 0)
    }
  }

  #action(name: Parameters<World['execute']>[0], operator: number, input: unknown): Promise<unknown> {
    return this.#world.execute(name, this.#world.operator(operator), input)
  }

  #chain(network: Network) {
    const chain = this.#world.chains.get(network)
    if (!chain) throw new Error(`no chain ${network}`)
    return chain
  }
}

/** The start of the order's place: chain, contract and order id. */
const orderKeyOf = ({ order }: Asked) => order?.place.split(':').slice(0, 3).join(':') ?? ''

/** Modulo the length; negative indexes count from the end. */
const at = <T>(list: readonly T[], index: number): T | undefined => list.at(index % Math.max(1, list.length))

const outputOf = (currency: Currency, place: string, amount: string, isOther: boolean) => ({
  addressKey: place,
  asset: currency !== 'LTC' && (currency === 'USDT') !== isOther ? TETHER : 'native',
  amount,
})

/** The buyer's address on the order's chain, or a shared one. */
function refundAddressOf({ currency, buyer }: Asked, isShared = false): string {
  const whose = isShared ? BUYERS_MAX : buyer
  return currency === 'LTC' ? (REFUND_ADDRESSES[whose] ?? '') : `0x${String(whose + 1).repeat(40)}`
}

/** The address all in capitals, behind the prefix of an EVM address. */
const otherSpelling = (address: string): string =>
  address.startsWith('0x') ? `0x${address.slice(2).toUpperCase()}` : address.toUpperCase()

const isExpected = (error: unknown) =>
  error instanceof Refusal || error instanceof RetryableError || error instanceof SyntaxError

const isStop = (error: unknown) => (error as Error).constructor.name === 'ChainStopped'

function ignoreLostLeadership(error: unknown): void {
  if ((error as Error).constructor.name !== 'LeadershipLost') throw error
}
