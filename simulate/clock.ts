import type { Pool } from 'pg'

const RealDate = Date

/** When every simulation begins. */
const BEGIN = RealDate.parse('2026-01-01T09:00:00Z')

/**
 * The one time of a simulation: what the program asks of `Date`, and what the database asks of `clock_timestamp()` and `now()`. The
 * schema `simulated` stands before `pg_catalog` in the search path of the simulation's role, so that every function and default of the
 * product asks it without knowing.
 */
export class SimulatedClock {
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

  /** Begins again, for a database that was cloned at the beginning. */
  reset(): void {
    this.#now = BEGIN
  }

  async advance(pool: Pool, milliseconds: number): Promise<void> {
    this.#now += milliseconds
    await pool.query('update simulated.clock set at = $1', [new RealDate(this.#now)])
  }
}

/** Run as a superuser in the database that all others are cloned from, before its tables are made. */
export const CLOCK_SQL = `
  create schema simulated;
  grant usage on schema simulated to public;
  create table simulated.clock (at timestamptz not null);
  insert into simulated.clock values (to_timestamp(${BEGIN / 1000}));
  grant select, update on simulated.clock to public;
  create function simulated.clock_timestamp() returns timestamptz language sql volatile as 'select at from simulated.clock';
  create function simulated.now() returns timestamptz language sql stable as 'select at from simulated.clock'`
