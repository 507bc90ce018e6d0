import type { Pool, PoolClient } from 'pg'

const RealDate = Date

const BEGIN = RealDate.parse('2026-01-01T09:00:00Z')

/**
 * A simulation's only clock, for the program's `Date` and the database's `clock_timestamp()` and `now()`. The
 * schema `simulated` precedes `pg_catalog` in the role's search path, so that functions and defaults use it
 * unknowingly.
 */
export class SimulatedClock {
  readonly #clients = new Set<PoolClient>()
  #connections = 0
  #now = BEGIN

  get now(): number {
    return this.#now
  }

  install(): void {
    const now = () => this.#now
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, given, newTarget) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
      get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
    })
  }

  /** Sets the clock before the first statement of each new connection. */
  follow(pool: Pool): void {
    pool.on('connect', (client) => {
      this.#clients.add(client)
      this.#connections += 1
      const settings = `idle_in_transaction_session_timeout = 0; set simulated.connection = ${this.#connections}`
      void client.query(`set simulated.now = '${said(this.#now)}'; set ${settings}`)
    })
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** Returns to the beginning, for a database that was reset. */
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
 * Run as a superuser before the tables are created. A session setting is read in under a microsecond; reading
 * a table would dominate. The product spreads a stage's room by connection number, so the number is
 * reproducible and changes each hour. No timeout in real seconds applies.
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
