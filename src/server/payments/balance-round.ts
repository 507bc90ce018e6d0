/** Intervals between requests of one balance: while an order may be paid in time, and long after. */
export const BALANCE_MS = { open: 15_000, old: 3_600_000 }
/** The part of each batch that open addresses leave to old ones. */
const OLD_SHARE = 0.25
/** An old address waits for this part of its age, at most an hour. */
const AGE_SHARE = 1 / 24

// Rules: SETTLE-2
/**
 * Chooses the native-coin balances to request next. Holds four numbers or references an address, because
 * addresses stay for ever.
 */
export class BalanceRound {
  readonly #keys: string[] = []
  /** Until when a payment is in time. */
  readonly #openTo: number[] = []
  readonly #askedAt: number[] = []
  /** Each balance is explained up to the block of this time. */
  readonly #explainedTo: number[] = []
  /** From the newest old address on. */
  #turn = 0

  add(key: string, openTo: number): void {
    this.#keys.push(key)
    this.#openTo.push(openTo)
    this.#askedAt.push(0)
    this.#explainedTo.push(0)
  }

  /**
   * At most `max` addresses that are due: open ones, the longest waiting and newest first, then old ones in
   * turn.
   */
  takeDue(max: number): string[] {
    const now = Date.now()
    const askedAt = this.#askedAt
    const open = this.#keys.flatMap((_, n) => (this.#isOpen(n, now) && this.#isDue(n, now) ? [n] : []))
    open.sort((a, b) => (askedAt[a] ?? 0) - (askedAt[b] ?? 0) || b - a)
    const old = this.#takeOld(now, Math.max(max - open.length, Math.floor(max * OLD_SHARE)))
    const taken = [...open.slice(0, max - old.length), ...old]
    for (const n of taken) askedAt[n] = now
    return taken.map((n) => this.#keys[n] ?? '')
  }

  #takeOld(now: number, most: number): number[] {
    const found: number[] = []
    const { length } = this.#keys
    for (let looked = 0; looked < length && found.length < most; looked += 1) {
      this.#turn = (this.#turn || length) - 1
      if (!this.#isOpen(this.#turn, now) && this.#isDue(this.#turn, now)) found.push(this.#turn)
    }
    return found
  }

  #isOpen(n: number, now: number): boolean {
    return (this.#openTo[n] ?? 0) > now
  }

  #isDue(n: number, now: number): boolean {
    const age = now - (this.#openTo[n] ?? 0)
    const wait = Math.min(BALANCE_MS.old, Math.max(BALANCE_MS.open, age * AGE_SHARE))
    return now - (this.#askedAt[n] ?? 0) >= wait
  }

  /** These balances are explained up to a block's time. */
  noteExplained(keys: readonly string[], at: number): void {
    const explained = new Set(keys)
    this.#keys.forEach((key, n) => {
      if (explained.has(key)) this.#explainedTo[n] = at
    })
  }

  /** Later balances are unexplained again. */
  forgetExplained(after: number): void {
    this.#explainedTo.forEach((to, n) => {
      this.#explainedTo[n] = Math.min(to, after)
    })
  }

  /** All balances are explained up to this block time. */
  get explainedTo(): number {
    return this.#explainedTo.reduce((least, to) => Math.min(least, to), Number.POSITIVE_INFINITY)
  }
}
