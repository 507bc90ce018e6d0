import type { Pool, PoolClient } from 'pg'

const RealDate = Date

/** When every simulation begins. */
const BEGIN = RealDate.parse('2026-01-01T09:00:00Z')

/**
 * The one time of a simulation: what the program asks of `Date`, and what the database asks of `clock_timestamp()` and `now()`. The
 * schema `simulated` stands before `pg_catalog` in the search path of the simulation's role, so that every function and default of the
 * product asks it without knowing.
 */
export class SimulatedClock {
  readonly #clients = new Set<PoolClient>()
  #now = BEGIN

  get now(): number {
    return this.#now
  }

  /** From here on the program's own `Date` tells this clock's time. */
  install(): void {
    const now = () => this.#now
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, given, newTarget) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
      get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
    })
  }

  /** Tells every connection of the pool the time, from its first statement on. */
  follow(pool: Pool): void {
    pool.on('connect', (client) => {
      this.#clients.add(client)
      void this.#tell(client)
    })
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** Begins again, for a database that was put back to its beginning. */
  reset(): Promise<void> {
    return this.advance(BEGIN - this.#now)
  }

  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds
    await Promise.all([...this.#clients].map((client) => this.#tell(client)))
  }

  #tell(client: PoolClient): Promise<unknown> {
    return client.query({
      name: 'clock',
      text: `select set_config('simulated.now', $1, false)`,
      values: [said(this.#now)],
    })
  }
}

const said = (now: number) => new RealDate(now).toISOString()

/** A session's setting answers in less than a microsecond; a table that is read each time takes most of a simulation's time. */
/** Run as a superuser in the database that all others are cloned from, before its tables are made. */
export const CLOCK_SQL = `
  create schema simulated;
  grant usage on schema simulated to public;
  create function simulated.clock_timestamp() returns timestamptz language sql volatile
    as $$select current_setting('simulated.now')::timestamptz$$;
  create function simulated.now() returns timestamptz language sql stable
    as $$select current_setting('simulated.now')::timestamptz$$;
  do $$begin execute format('alter database %I set simulated.now = ''${said(BEGIN)}''', current_database()); end$$`
