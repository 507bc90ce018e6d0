import { everyRule } from '../src/server/commands/rules.ts'
import { testSecrets } from '../test/support/secrets.ts'
import type { Outcome, People } from './execute.ts'
import { Follower } from './follow.ts'
import type { Event, Step } from './steps.ts'
import type { World } from './world.ts'

/** All rules are one statement, because a simulation asks after each step. */
const allRules = everyRule(testSecrets).filter(({ breaks }) => breaks === undefined)
const asOne = (rules: typeof allRules) =>
  rules
    .map(
      ({ name, sql }, index) =>
        `select '${name}' as rule, to_jsonb(r${index}) as row from (${sql}) r${index}`,
    )
    .join('\nunion all\n')
/** Rules that hold only right after the jobs ran. */
const AFTER_JOBS = asOne(allRules)
const ALWAYS = asOne(allRules.filter(({ byJobs }) => !byJobs))

/** Steps outside of the product, which can't change its data. */
const outside: readonly Step['kind'][] = [
  ...(['pay', 'replace', 'mine', 'reorg', 'node', 'second node', 'restart', 'time', 'end'] as const),
]

/** Every rule is checked after so many steps that could change something. */
const RULES_EVERY = 12

/**
 * Compares a sale with the model after each step; at intervals and at the end with all rules of the ledger.
 */
export class Checks {
  readonly #world: World
  readonly #follower: Follower
  readonly #every: number
  #since = 0

  private constructor(world: World, follower: Follower, every: number) {
    this.#world = world
    this.#follower = follower
    this.#every = every
  }

  static async open(world: World, people: People, isThorough: boolean): Promise<Checks> {
    return new Checks(world, await Follower.open(world, people), isThorough ? 1 : RULES_EVERY)
  }

  /** The state, to compare with a repeated run. */
  get stood(): string {
    return this.#follower.stood
  }

  /** An empty list is the proof. */
  async after({ step, diesAt }: Event, outcome: Outcome, isLast: boolean): Promise<string[]> {
    const isOutside = outside.includes(step.kind) && !isLast
    if (isOutside) return []
    this.#since += 1
    const isThorough = isLast || this.#since >= this.#every
    const differences = await this.#follower.follow(step, outcome, isThorough)
    if (differences.length > 0 || !isThorough) return differences
    this.#since = 0
    return this.#brokenRules(step.kind === 'jobs' && outcome.kind === 'done' && diesAt === null)
  }

  async #brokenRules(isAfterJobs: boolean): Promise<string[]> {
    const { rows } = await this.#world.db.pool.query<{ rule: string; row: unknown }>(
      isAfterJobs ? { name: 'rules_after_jobs', text: AFTER_JOBS } : { name: 'rules', text: ALWAYS },
    )
    return rows.map(({ rule, row }) => `${rule}: ${JSON.stringify(row)}`)
  }
}
