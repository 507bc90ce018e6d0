import type { Exact } from './exact.ts'

// The payments that must be known after a chain was read, from its true blocks and mempool. Independent of
// the product's code.

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A block must contain a payment in this time for its first sight to count. */
export const MINED_WITHIN = 3 * HOUR

export interface Truth {
  /** Blocks by height from 0. */
  readonly blocks: readonly TrueBlock[]
  readonly waiting: readonly TrueTransaction[]
}

interface TrueBlock {
  readonly height: number
  readonly hash: string
  readonly minedAt: number
  readonly hasLogs: boolean
  readonly readings: number
  readonly transactions: readonly TrueTransaction[]
}

interface TrueTransaction {
  readonly id: string
  readonly inputs: readonly string[]
  readonly payments: readonly TruePayment[]
  /** Orders that their escrow cancelled or refunded. */
  readonly returns: readonly string[]
}

export interface TruePayment {
  readonly key: string
  readonly address: string
  readonly asset: string
  readonly amount: Exact
  /** True if it was mined, but moved nothing. */
  readonly isFailed: boolean
}

export interface Payment {
  readonly id: number
  readonly network: string
  /** These change if a round or a refund binds it and another transaction moves its coins. */
  transaction: string
  key: string
  readonly address: string
  readonly asset: string
  inputs: readonly string[]
  readonly order: number
  /** A foreign payment counts for nothing until an operator decides. */
  readonly isForeign: boolean
  /** In another coin, and worth less than a dollar when first seen. */
  readonly isDust: boolean
  amount: Exact
  /** When a node showed it, or its block's time if earlier and one node suffices. */
  seenAt: number
  readonly recordedAt: number
  /**
   * The time that counts; null until its block counts. Then it is fixed, unless it needs a second node from
   * then on.
   */
  firstSeenAt: number | null
  minedAt: number | null
  block: { readonly height: number; readonly hash: string } | null
  missingSince: number | null
  /** Why it does not count; null while it does. */
  gone: 'orphaned' | 'replaced' | 'failed' | null
  /** The block in which its escrow returned it; `isReturned`: a deep one. */
  returned: { readonly height: number; readonly hash: string } | null
  isReturned: boolean
  /** The block in which the second node confirmed the return. */
  returnShownIn: string | null
  needed: number
  needsFinal: boolean
  needsSecond: boolean
  /** The block in which the second node showed it. */
  shownIn: string | null
  /** Reads of its block that lacked it. */
  lacking: { readonly since: number; readonly at: number; readonly reading: number } | null
  confirmations: number
  isConfirmed: boolean
  isFinal: boolean
  credited: Exact
  owed: Exact
}

/** The first sight as recorded, or as the present block would make it. */
export function firstSeen({ firstSeenAt, seenAt, minedAt }: Payment, now: number): number {
  const at = minedAt ?? now
  return firstSeenAt ?? (at <= seenAt + MINED_WITHIN ? Math.min(seenAt, at) : at)
}

export interface Orders {
  isOurs(address: string): boolean
  /** The order of a new payment, whether it is in another asset, and then whether it is dust. */
  orderPaidAt(payment: TruePayment, at: number): { order: number; isForeign: boolean; isDust: boolean }
  /** The confirmations that a payment first seen `at` needs for its dollars, valued by its own coin. */
  needsOf(
    network: string,
    order: number,
    payment: Pick<TruePayment, 'amount' | 'asset'>,
    at: number,
    isForeign: boolean,
  ): Needs
  /** The confirmations that the ordered amount needs or, if more, all payments of the order. */
  needsOfAll(network: string, order: number, payments: readonly Payment[]): Needs
  /** True if a round lists what it brought, or its refund was sent. */
  isBound(payment: Payment): boolean
  /** Undoes what rested on a payment whose amount changed. */
  undo(payment: Payment): void
}

interface Needs {
  readonly needed: number
  readonly isFinal: boolean
  readonly usd: Exact
}

export interface Reading {
  readonly network: string
  readonly truth: Truth
  /** `hasWaiting` is true if the mempool was read too. */
  readonly height: number
  readonly hasWaiting: boolean
  readonly now: number
  readonly finalDepth: number
  readonly secondAboveUsd: Exact | null
  /** The second node, if it answers; `lies` if it shows other blocks. */
  readonly second: { readonly height: number; readonly lies: boolean } | null
}

/** All payments of a sale, updated by each read of a chain. */
export class Payments {
  readonly all: Payment[] = []
  readonly #known = new Map<string, Payment>()
  readonly #orders: Orders
  /** The final height by chain. */
  readonly #finalized = new Map<string, number>()
  /** Hashes of the blocks read, by chain. */
  readonly #hashes = new Map<string, readonly string[]>()
  #depth = 0
  /** The second node's last height, by chain. */
  readonly #second = new Map<string, number>()

  constructor(orders: Orders) {
    this.#orders = orders
  }

  of(order: number): Payment[] {
    return this.all.filter((payment) => payment.order === order && !payment.isForeign)
  }

  /** Returns the orders whose payments changed. */
  read(reading: Reading): Set<number> {
    const changed = new Set<number>()
    // The second node is asked with the old amounts.
    const asked = this.all
      .filter(
        ({ network, needsSecond, gone, isReturned, isFinal, block, shownIn }) =>
          network === reading.network &&
          needsSecond &&
          gone === null &&
          !isReturned &&
          !isFinal &&
          block &&
          shownIn !== block.hash,
      )
      .map((payment) => ({ payment, amount: payment.amount }))
    const askedReturns = this.all.filter(
      ({ network, needsSecond, returned, isReturned }) =>
        network === reading.network && needsSecond && returned && !isReturned,
    )
    const returnsOf = new Map(askedReturns.map((payment) => [payment, payment.returned?.hash]))
    const touch = ({ order }: Payment) => changed.add(order)
    this.#undoFinality(reading)
    for (const payment of this.#undone(reading)) touch(payment)
    for (const payment of this.#returnsUndone(reading)) touch(payment)
    const blocks = reading.truth.blocks.slice(0, reading.height + 1)
    for (const block of blocks)
      for (const transaction of block.transactions) {
        for (const paid of transaction.payments)
          if (block.hasLogs || paid.asset === 'native') this.#learn(reading, transaction, paid, block, touch)
          else this.#lack(reading, transaction, paid, block)
        this.#replace(reading, transaction, block, touch)
        if (block.hasLogs) this.#return(reading, transaction, block)
      }
    if (reading.hasWaiting) this.#readWaiting(reading, touch)
    if (reading.second && reading.secondAboveUsd) this.#second.set(reading.network, reading.second.height)
    if (reading.second && !reading.second.lies)
      for (const { payment, amount } of asked)
        if (payment.amount.equals(amount)) {
          const shownIn = this.#shownBySecond(reading, payment)
          if (shownIn === null || shownIn !== payment.block?.hash || payment.gone === 'failed') continue
          // A payment confirmed by the second node reserves its room.
          if (payment.shownIn !== shownIn) touch(payment)
          payment.shownIn = shownIn
        }
    for (const [payment, hash] of returnsOf)
      if (
        reading.second &&
        !reading.second.lies &&
        payment.returned?.hash === hash &&
        (payment.returned?.height ?? 0) <= reading.second.height
      )
        payment.returnShownIn = hash ?? null
    this.#confirm(reading, touch)
    return changed
  }

  /** Blocks above the last common one are not final, until the chain says so again. */
  #undoFinality({ network, truth, height }: Reading): void {
    const first = (this.#hashes.get(network) ?? []).findIndex((hash, at) => truth.blocks[at]?.hash !== hash)
    const finalized = this.#finalized.get(network)
    if (first >= 0 && finalized !== undefined) this.#finalized.set(network, Math.min(finalized, first - 1))
    this.#hashes.set(
      network,
      truth.blocks.slice(0, height + 1).map(({ hash }) => hash),
    )
  }

  /** Payments whose block is gone. */
  #undone({ network, truth, height }: Reading): Payment[] {
    const undone = this.all.filter(
      ({ network: own, block }) =>
        own === network &&
        block !== null &&
        (block.height > height || truth.blocks[block.height]?.hash !== block.hash),
    )
    for (const payment of undone) {
      payment.block = null
      payment.minedAt = null
      payment.lacking = null
      payment.gone ??= 'orphaned'
      payment.isConfirmed = false
      payment.confirmations = 0
      payment.isFinal = false
    }
    return undone
  }

  /** Returns whose block is gone. */
  #returnsUndone({ network, truth, height }: Reading): Payment[] {
    const undone = this.all.filter(
      ({ network: own, returned }) =>
        own === network &&
        returned !== null &&
        (returned.height > height || truth.blocks[returned.height]?.hash !== returned.hash),
    )
    for (const payment of undone) {
      payment.returned = null
      payment.isReturned = false
      // A payment that only became final meanwhile was never confirmed.
      if (!payment.isConfirmed) payment.isFinal = false
    }
    return undone
  }

  /** The first block that releases an order counts. */
  #return({ network }: Reading, { returns }: TrueTransaction, { height, hash }: TrueBlock): void {
    for (const payment of this.all) {
      const isTold = returns.some((orderKey) => payment.address.startsWith(`${orderKey}:`))
      if (payment.network === network && isTold && isAlive(payment)) payment.returned ??= { height, hash }
    }
  }

  /** The second node may show the amount in any block. */
  #shownBySecond({ truth, second }: Reading, { transaction, key, address, amount }: Payment): string | null {
    const holds = ({ id, payments }: TrueTransaction) =>
      id === transaction &&
      payments.some(
        (paid) =>
          paid.key === key && paid.address === address && !paid.isFailed && paid.amount.equals(amount),
      )
    const known = truth.blocks.filter(({ height }) => height <= (second?.height ?? -1))
    return known.find(({ transactions }) => transactions.some(holds))?.hash ?? null
  }

  #learn(
    reading: Reading,
    transaction: TrueTransaction,
    paid: TruePayment,
    block: TrueBlock | null,
    touch: Touch,
  ): void {
    if (!this.#orders.isOurs(paid.address)) return
    if (!paid.isFailed) this.#takePlaceOfLost(reading.network, transaction, paid)
    const known = this.#known.get(nameOf(reading.network, transaction.id, paid))
    if (!known) {
      touch(this.#add(reading, transaction, paid, block))
      return
    }
    if (known.isFinal || (block === null && known.block !== null)) return
    const isElsewhere = block !== null && known.block?.hash !== block.hash
    if (block !== null && !known.amount.equals(paid.amount)) {
      if (known.credited.plus(known.owed).isPositive) {
        known.gone = 'failed'
        this.#orders.undo(known)
      }
      // If the reduced amount does not cover purchases and debts, the payment has failed.
      if (!paid.amount.isBelow(known.credited.plus(known.owed))) known.amount = paid.amount
      touch(known)
    }
    const isFailed = paid.isFailed || (block !== null && !known.amount.equals(paid.amount))
    if (
      !isElsewhere &&
      (known.gone === 'failed') === isFailed &&
      known.gone !== 'orphaned' &&
      known.gone !== 'replaced' &&
      known.lacking === null
    )
      return
    if (block) {
      known.block = { height: block.height, hash: block.hash }
      if (isElsewhere) known.minedAt = null
      known.minedAt ??= Math.min(reading.now, block.minedAt)
      known.lacking = null
    }
    // A payment that had failed needs the second node again.
    if (known.gone === 'failed') known.shownIn = null
    known.gone = isFailed ? 'failed' : null
    known.missingSince = null
    touch(known)
  }

  /** The same coins neither buy nor are owed twice. */
  #takePlaceOfLost(network: string, transaction: TrueTransaction, paid: TruePayment): void {
    const lost = this.all.find(
      (payment) =>
        payment.network === network &&
        payment.address === paid.address &&
        payment.asset === paid.asset &&
        payment.transaction !== transaction.id &&
        payment.inputs.some((input) => transaction.inputs.includes(input)) &&
        (payment.block === null || payment.gone === 'failed') &&
        this.#orders.isBound(payment),
    )
    const known = this.#known.get(nameOf(network, transaction.id, paid))
    if (!lost || known?.credited.plus(known.owed).isPositive) return
    const before = { transaction: lost.transaction, key: lost.key, inputs: lost.inputs, amount: lost.amount }
    this.#known.delete(nameOf(network, lost.transaction, lost))
    Object.assign(lost, { transaction: transaction.id, key: paid.key, inputs: transaction.inputs })
    this.#known.set(nameOf(network, lost.transaction, lost), lost)
    if (!known) return
    Object.assign(known, before)
    if (known.gone !== 'failed') known.gone = 'replaced'
    this.#known.set(nameOf(network, known.transaction, known), known)
  }

  /** A block read again without a payment proves nothing until another read an hour later. */
  #lack({ network, now }: Reading, { id }: TrueTransaction, paid: TruePayment, block: TrueBlock): void {
    const known = this.#known.get(nameOf(network, id, paid))
    if (!known || known.isFinal || known.block?.hash !== block.hash || known.gone === 'failed') return
    if (known.lacking?.reading === block.readings) return
    known.lacking = { since: known.lacking?.since ?? now, at: now, reading: block.readings }
  }

  #add(
    { network, now, secondAboveUsd }: Reading,
    { id: transaction, inputs }: TrueTransaction,
    paid: TruePayment,
    block: TrueBlock | null,
  ): Payment {
    const at = Math.min(now, block?.minedAt ?? now)
    const { order, isForeign, isDust } = this.#orders.orderPaidAt(paid, at)
    const { needed, isFinal: needsFinal, usd } = this.#orders.needsOf(network, order, paid, at, isForeign)
    // A failed payment needs nothing until the chain shows that it was executed after all.
    const needsSecond = !isDust && !paid.isFailed && (secondAboveUsd?.isBelow(usd) ?? false)
    const payment: Payment = {
      id: this.all.length,
      network,
      transaction,
      inputs,
      order,
      isForeign,
      isDust,
      needed,
      needsFinal,
      key: paid.key,
      address: paid.address,
      asset: paid.asset,
      amount: paid.amount,
      seenAt: needsSecond ? now : at,
      recordedAt: now,
      firstSeenAt: null,
      minedAt: block && Math.min(now, block.minedAt),
      block: block && { height: block.height, hash: block.hash },
      needsSecond,
      missingSince: null,
      gone: paid.isFailed ? 'failed' : null,
      returned: null,
      isReturned: false,
      returnShownIn: null,
      shownIn: null,
      lacking: null,
      confirmations: 0,
      isConfirmed: false,
      isFinal: false,
      credited: paid.amount.minus(paid.amount),
      owed: paid.amount.minus(paid.amount),
    }
    this.all.push(payment)
    this.#known.set(nameOf(network, transaction, paid), payment)
    return payment
  }

  /**
   * Marks an unconfirmed payment replaced if another transaction spends one of its inputs, failed if its own
   * transaction was mined without the transfer.
   */
  #replace(
    { network }: Reading,
    { id, inputs }: TrueTransaction,
    block: TrueBlock | null,
    touch: Touch,
  ): void {
    for (const payment of this.all) {
      if (payment.network !== network || payment.block !== null) continue
      if (payment.gone === 'failed' || !payment.inputs.some((input) => inputs.includes(input))) continue
      if (payment.transaction !== id) {
        if (payment.gone !== 'replaced') touch(payment)
        payment.gone = 'replaced'
      } else if (block) {
        payment.gone = 'failed'
        payment.block = { height: block.height, hash: block.hash }
        touch(payment)
      } else continue
      payment.missingSince = null
    }
  }

  #readWaiting(reading: Reading, touch: Touch): void {
    const { network, truth, now } = reading
    for (const transaction of truth.waiting) {
      for (const paid of transaction.payments) this.#learn(reading, transaction, paid, null, touch)
      this.#replace(reading, transaction, null, touch)
    }
    const waiting = new Set(truth.waiting.map(({ id }) => id))
    for (const payment of this.all)
      if (payment.network === network && payment.block === null && mayBeMined(payment))
        payment.missingSince = waiting.has(payment.transaction) ? null : (payment.missingSince ?? now)
  }

  #confirm(reading: Reading, touch: Touch): void {
    const { network, height, now, finalDepth } = reading
    this.#depth = finalDepth
    if (reading.hasWaiting) this.#finalized.set(network, height - finalDepth)
    this.#raiseNeeds(reading)
    for (const payment of this.all) {
      if (payment.network !== network || payment.isFinal) continue
      const isForgotten =
        payment.block === null && payment.missingSince !== null && payment.missingSince < now - DAY
      if (isForgotten && payment.gone !== 'failed') {
        payment.gone = 'failed'
        touch(payment)
      }
      const { block, needsSecond, shownIn } = payment
      if (block && payment.gone !== 'failed' && (!needsSecond || shownIn === block.hash))
        payment.firstSeenAt ??= firstSeen(payment, now)
      const confirmations = payment.block ? Math.max(0, height - payment.block.height + 1) : 0
      if (isLost(payment) && payment.gone === null) {
        payment.gone = 'failed'
        touch(payment)
      }
      const isEnough = this.hasEnough(payment, confirmations)
      const isConfirmed = isEnough && isAlive(payment)
      // A missing payment may come back for a day.
      const { lacking, gone } = payment
      const isOpen = lacking !== null && (gone !== 'failed' || lacking.at >= now - DAY)
      payment.isFinal = isEnough && !isOpen && this.#above(payment, height) >= finalDepth
      // A further confirmation alone changes nothing.
      if (isConfirmed !== payment.isConfirmed || payment.isFinal) touch(payment)
      payment.confirmations = confirmations
      payment.isConfirmed = isConfirmed
    }
    for (const payment of this.all) {
      const { returned, needsFinal } = payment
      if (payment.network !== network || !returned || payment.isReturned) continue
      // Skip it if the last read of its block lacked it.
      if (!reading.truth.blocks[returned.height]?.hasLogs) continue
      const isFinal = returned.height <= (this.#finalized.get(network) ?? -1)
      if (height - returned.height + 1 < finalDepth || (needsFinal && !isFinal)) continue
      const second = this.#second.get(network) ?? -1
      const isDeepBySecond =
        second - returned.height + 1 >= finalDepth && (!needsFinal || returned.height <= second - finalDepth)
      if (payment.needsSecond && (payment.returnShownIn !== returned.hash || !isDeepBySecond)) continue
      payment.isReturned = true
      touch(payment)
    }
  }

  hasEnough(
    { network, block, needed, needsFinal, needsSecond, shownIn, lacking, isConfirmed }: Payment,
    confirmations: number,
  ): boolean {
    const second = this.#second.get(network) ?? -1
    return (
      block !== null &&
      confirmations >= needed &&
      (!needsFinal || isConfirmed || block.height <= (this.#finalized.get(network) ?? -1)) &&
      (!needsSecond || shownIn === block.hash) &&
      (!needsSecond || isConfirmed || second - block.height + 1 >= needed) &&
      (!needsSecond || !needsFinal || isConfirmed || block.height <= second - this.#depth) &&
      (lacking === null || isConfirmed)
    )
  }

  /** Blocks above a payment by all nodes it needs. */
  #above({ network, block, needsSecond }: Payment, height: number): number {
    const known = needsSecond ? Math.min(height, this.#second.get(network) ?? -1) : height
    return block ? known - block.height + 1 : 0
  }

  /**
   * A payment needs as much as its order or the sum of the order's payments; in another coin by its current
   * value.
   */
  #raiseNeeds({ network, now, secondAboveUsd }: Reading): void {
    const open = this.all.filter(
      (payment) => payment.network === network && !payment.isFinal && payment.block,
    )
    for (const payment of open) {
      if (!payment.isForeign || payment.isDust) continue
      if (payment.gone !== null || payment.owed.isPositive) continue
      const { needed, isFinal, usd } = this.#orders.needsOf(network, payment.order, payment, now, true)
      payment.needed = Math.max(payment.needed, needed)
      payment.needsFinal ||= isFinal
      if (secondAboveUsd?.isBelow(usd)) needSecond(payment)
    }
    for (const order of new Set(open.map((payment) => payment.order))) {
      const mined = this.of(order).filter(({ gone, block }) => gone === null && block)
      if (mined.length === 0) continue
      const { needed, isFinal, usd } = this.#orders.needsOfAll(network, order, mined)
      for (const payment of mined) {
        if (payment.isFinal || payment.credited.plus(payment.owed).isPositive) continue
        payment.needed = Math.max(payment.needed, needed)
        payment.needsFinal ||= isFinal
        if (secondAboveUsd?.isBelow(usd)) needSecond(payment)
      }
    }
  }
}

/** The payment counts from a time that both nodes confirm, unless its first sight is recorded. */
function needSecond(payment: Payment): void {
  if (payment.needsSecond) return
  payment.needsSecond = true
  if (payment.firstSeenAt === null) payment.seenAt = Math.max(payment.seenAt, payment.recordedAt)
}

/** True if two reads an hour apart lacked it. The simulated second node never loses a block. */
const isLost = ({ lacking, needsSecond }: Payment) =>
  lacking !== null && !needsSecond && lacking.at - lacking.since >= HOUR

/** True if it counts for its order. */
export const isAlive = ({ gone, isForeign, isReturned }: Payment) =>
  gone === null && !isForeign && !isReturned

const mayBeMined = ({ gone }: Payment) => gone === null || gone === 'orphaned'

/** True if it is confirmed, but neither buys nor is owed. */
export const isTooLittle = (payment: Payment) =>
  payment.isConfirmed && isAlive(payment) && !payment.credited.plus(payment.owed).isPositive

/** True if as many nodes as needed show it. */
export const isShown = ({ block, isConfirmed, firstSeenAt, needsSecond, shownIn }: Payment) =>
  isConfirmed || (block !== null && (firstSeenAt !== null || !needsSecond || shownIn === block.hash))

type Touch = (payment: Payment) => unknown

const nameOf = (
  network: string,
  transaction: string,
  { key, address }: Pick<TruePayment, 'key' | 'address'>,
) => `${network} ${transaction} ${key} ${address}`
