import { type ActName, type ActRule, acts as rules } from '../../shared/acts.ts'
import { can } from '../../shared/roles.ts'
import type { BuyerBy, By, Change, Changes, OperatorBy } from '../changes/changes.ts'
import { createBatches } from '../database/batches.ts'
import { type Database, sql } from '../database/database.ts'
import { parseInput } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Act, AnyAct } from './act.ts'
import { ApprovalRequests } from './approval-requests.ts'

export { type Act, type Alone, type AnyAct, act, type Waiting } from './act.ts'
export { type ApprovalRequests, type Decider, endWaitingOf } from './approval-requests.ts'

const STEP_UP_MS = 15 * 60_000

export interface ActsNeeds {
  readonly db: Database
  readonly changes: Changes
  readonly secrets: Secrets
  /** Every act by its name; the compiler misses the one that is forgotten. */
  readonly all: Readonly<Record<Exclude<ActName, 'action.confirm' | 'action.refuse'>, AnyAct>>
}

export interface PerformOptions<Result> {
  /** Runs last in the transaction of the change, for what must stand or fall with it (the reply behind an idempotency key). */
  readonly keep?: ((change: Change, result: Result) => Promise<void>) | undefined
}

/** The one way in which operators change anything, and buyers their own access. */
export class Acts {
  /** What waits for a second operator. */
  readonly pending: ApprovalRequests
  readonly #changes: Changes
  readonly #readWanted: (asked: undefined) => Promise<boolean>
  readonly #db: Database

  constructor({ db, changes, secrets, all }: ActsNeeds) {
    this.#db = db
    this.#changes = changes
    this.pending = new ApprovalRequests({
      db,
      changes,
      secrets,
      actOf: (name) => (all as Record<string, AnyAct>)[name],
    })
    // However many approvals arrive at once, one reading of the setting serves them.
    this.#readWanted = createBatches<undefined, boolean>({
      run: async (asked) => {
        const campaign = await db.maybeOne<{ wanted: boolean }>(
          sql`select second_operator as wanted from campaign`,
        )
        return asked.map(() => campaign?.wanted ?? false)
      },
      sizeMax: 100,
      runsMax: Number.POSITIVE_INFINITY,
    })
  }

  /**
   * Performs an act as `by` and commits. Refusals, in this order: not_for_your_role, step_up_required, invalid input, what the act's `waits`
   * and `perform` refuse, second_operator_required (details.approvalRequestId) where the act waits now: then nothing has changed.
   */
  async perform<Input, Result>(
    act: Act<Input, Result>,
    by: By,
    input: unknown,
    { keep }: PerformOptions<Result> = {},
  ): Promise<Result> {
    const rule = rules[act.name]
    authorise(rule, by)
    const checked = await this.#waitOrGoOn(act, by, parseInput(act.input, input))
    if (act.performAlone && !keep) return act.performAlone(by, checked)
    const work = async (change: Change) => {
      const result = await act.perform(change, checked)
      await keep?.(change, result)
      return result
    }
    return this.#changes.make(by, work, { isOwnAccount: rule.right === 'own' || rule.right === 'any' })
  }

  // Rules: TWO-2
  /** Answers what is performed. */
  async #waitOrGoOn<Input>(act: Act<Input, unknown>, by: By, input: Input): Promise<Input> {
    if (!rules[act.name].needsApproval || by.kind !== 'operator' || !(await this.#readWanted(undefined)))
      return input
    if (by.once && (await this.pending.wasConfirmed(act.name, by.operatorId, by.once.key))) return input
    const waiting = await act.needsApproval?.(this.#db, input, by)
    if (!waiting) return input
    if ('alone' in waiting) return waiting.alone
    return refuse('second_operator_required', {
      approvalRequestId: await this.pending.keep(act, by, input, waiting),
    })
  }
}

// Rules: RIGHT-1, RIGHT-2
/**
 * Refuses not_for_your_role, step_up_required. The system may everything, a buyer what is about the own account, and a key of an
 * integration nothing that is about a person's own account.
 */
export function authorise(rule: ActRule, by: By): void {
  if (by.kind === 'system') return
  if (!isAllowed(rule, by)) refuse('not_for_your_role')
  if (rule.stepUp && !isFresh(by.authenticatedAt)) refuse('step_up_required')
}

function isAllowed({ right }: ActRule, by: OperatorBy | BuyerBy): boolean {
  if (by.kind === 'buyer') return right === 'own'
  if (right === 'any' || right === 'own') return !by.scopes
  return can(by.role, right) && (!by.scopes || by.scopes.includes(right))
}

/** Whether password or second factor were given in the last 15 minutes. */
export function isFresh(authenticatedAt: Date | null | undefined): boolean {
  return !!authenticatedAt && Date.now() - authenticatedAt.getTime() <= STEP_UP_MS
}
