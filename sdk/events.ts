import { type Presale, pause, type SaleEvent } from './client.ts'

export interface EventsOptions {
  /** The number of the last event that was dealt with. Without it: from the oldest that the sale keeps. */
  readonly after?: number | undefined
  /** Goes on for ever, asking anew after so long; without it the events end with the newest. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
}

/**
 * Every event after a number, in order and without a gap, whether or not a webhook brought it. Keep the number of each together with what
 * it caused, and begin after it the next time. Throws `PresaleRefusal` with the code `events_gone` where the sale keeps some of them no longer.
 */
export async function* eventsOf(sale: Presale, options: EventsOptions = {}): AsyncGenerator<SaleEvent> {
  const { everyMs, signal } = options
  for (let after = options.after; ; ) {
    const query = after === undefined ? {} : { after: String(after) }
    const { items } = await sale.call('GET /events', {
      query: { ...query, limit: 500 },
      ...(signal && { signal }),
    })
    yield* items
    after = items.at(-1)?.number ?? after
    if (items.length > 0) continue
    if (everyMs === undefined) return
    await pause(everyMs, signal)
  }
}

/**
 * Deals with every event once and in order, however webhooks arrive: late, twice, out of order or not at all. A webhook is a reason to read
 * on, never the source; `handle` keeps the event's number together with what it caused.
 */
export class EventReader {
  readonly #sale: Presale
  readonly #handle: (event: SaleEvent) => void | Promise<void>
  #after: number | undefined
  #reading: Promise<void> | undefined

  constructor(sale: Presale, after: number | undefined, handle: (event: SaleEvent) => void | Promise<void>) {
    this.#sale = sale
    this.#after = after
    this.#handle = handle
  }

  /** Of the last event that was dealt with. */
  get number(): number | undefined {
    return this.#after
  }

  /** To be called for every webhook that was verified. */
  async notice({ number }: Pick<SaleEvent, 'number'>): Promise<void> {
    while (this.#after === undefined || this.#after < number) {
      const before = this.#after
      const hadBegun = this.#reading !== undefined
      await this.catchUp()
      // What a reading that began after the webhook does not bring, the sale has lost: it was restored from a backup.
      if (!hadBegun && this.#after === before) return
    }
  }

  /** To be called at the start, and now and then. Calls that overlap share one reading. */
  catchUp(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<void> {
    for await (const event of eventsOf(this.#sale, { after: this.#after })) {
      await this.#handle(event)
      this.#after = event.number
    }
  }
}
