import { type Presale, pause, type SaleEvent } from './client.ts'

export interface EventsOptions {
  /** The last processed event's number. Left out: starts with the oldest stored event. */
  readonly after?: number | undefined
  /** Polls forever at this interval. Left out: ends with the newest event. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
}

/**
 * Yields every event after a number, in order and without gaps, independently of webhooks. Store each number
 * together with the event's effect, and continue after it next time. Throws `PresaleRefusal` with the code
 * `events_gone` if some are no longer stored.
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
 * Processes every event once and in order, even if webhooks arrive late, twice, out of order or not at all. A
 * webhook only triggers reading; `handle` must store the event's number together with its effect.
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

  /** The last processed event. */
  get number(): number | undefined {
    return this.#after
  }

  /** Call it for every verified webhook. */
  async notice({ number }: Pick<SaleEvent, 'number'>): Promise<void> {
    while (this.#after === undefined || this.#after < number) {
      const before = this.#after
      const hadBegun = this.#reading !== undefined
      await this.catchUp()
      // If a read that started after the webhook lacks the event, the sale lost it by restoring a backup.
      if (!hadBegun && this.#after === before) return
    }
  }

  /** Call it at the start and periodically. Concurrent calls share one read. */
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
