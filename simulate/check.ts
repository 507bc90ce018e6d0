import { everyRule } from '../src/server/commands/rules.ts'
import { testSecrets } from '../test/support/secrets.ts'
import type { Outcome, People } from './execute.ts'
import { Follower } from './follow.ts'
import type { Event, Step } from './steps.ts'
import type { World } from './world.ts'

/** Every rule of `npm run ledger:check` that is SQL alone, as one statement, because a simulation asks after each step. */
const allRules = everyRule(testSecrets).filter(({ breaks }) => breaks === undefined)
const asOne = (rules: typeof allRules) =>
  rules
    .map(
      ({ name, sql }, index) =>
        `select '${name}' as rule, to_jsonb(r${index}) as row from (${sql}) r${index}`,
    )
    .join('\nunion all\n')
/** What the jobs keep holds right after they ran. */
const AFTER_JOBS = asOne(allRules)
const ALWAYS = asOne(allRules.filter(({ byJobs }) => !byJobs))

/** What happens outside: nothing of ours can have changed. */
const outside: readonly Step['kind'][] = [
  ...(['pay', 'replace', 'mine', 'reorg', 'node', 'second node', 'restart', 'time', 'end'] as const),
]

/** After how many steps that can have changed something every rule is held. */
const RULES_EVERY = 12

/** Holds a sale after each step against the model, and at intervals and at the end against every rule of the ledger. */
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

  /** What stands, to be compared with what stands when the same is told again. */
  get stood(): string {
    return this.#follower.stood
  }

  /** What is wrong after a step, in words; nothing is the proof. */
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
