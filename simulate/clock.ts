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
  #connections = 0
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

  /** Tells every connection of the pool the time and its number, from its first statement on. */
  follow(pool: Pool): void {
    pool.on('connect', (client) => {
      this.#clients.add(client)
      this.#connections += 1
      const settings = `idle_in_transaction_session_timeout = 0; set simulated.connection = ${this.#connections}`
      void client.query(`set simulated.now = '${said(this.#now)}'; set ${settings}`)
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

/**
 * Run as a superuser in the database of the simulation, before its tables are made. A session's setting answers in less than a microsecond; a
 * table that is read each time takes most of a simulation's time. By the number of its connection the product spreads a stage's room: here it
 * is the same in each run, and another one each hour, as where connections come and go. Nothing ends after so many real seconds.
 */
export const CLOCK_SQL = `
  create schema simulated;
  grant usage on schema simulated to public;
  create function simulated.clock_timestamp() returns timestamptz language sql volatile
    as $$select current_setting('simulated.now')::timestamptz$$;
  create function simulated.now() returns timestamptz language sql stable
    as $$select current_setting('simulated.now')::timestamptz$$;
  create function simulated.pg_backend_pid() returns integer language sql stable as $$
    select (current_setting('simulated.connection')::bigint
            + extract(epoch from simulated.now())::bigint / 3600)::integer
  $$;
  create function simulated.set_config(name text, value text, is_local boolean) returns text language sql volatile as $$
    select case when name = 'idle_in_transaction_session_timeout' then value
                else pg_catalog.set_config(name, value, is_local) end
  $$;
  do $$begin
    execute format('alter database %I set simulated.now = ''${said(BEGIN)}''', current_database());
    execute format('alter database %I set simulated.connection = 0', current_database());
  end$$`
