import { type ActionName, type ActionRule, actions as rules } from '../../shared/actions.ts'
import { can } from '../../shared/roles.ts'
import { createBatches } from '../database/batches.ts'
import { type Database, sql } from '../database/database.ts'
import { parseInput } from '../invalid-input.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type {
  Actor,
  BuyerActor,
  OperatorActor,
  UnitOfWork,
  UnitsOfWork,
} from '../unit-of-work/unit-of-work.ts'
import type { Action, AnyAction, ApprovalDraft, TakeProof } from './action.ts'
import { ApprovalRequests, type Waiting } from './approval-requests.ts'
import { holdTexts, waitingWords } from './waiting-words.ts'

export {
  type Action,
  type Alone,
  type AnyAction,
  type ApprovalDraft,
  defineAction,
  type Published,
  type TakeProof,
} from './action.ts'
export { type ApprovalRequests, type Decider, endRequestsOf } from './approval-requests.ts'
export { declareIndependent, readStaff, relatedPairs } from './independence.ts'

const STEP_UP_MS = 15 * 60_000

export interface ActionsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly secrets: Secrets
  /** The site's own address: links to it in texts need no approval. */
  readonly publicUrl: string
  readonly all: Readonly<Record<Exclude<ActionName, 'approval.confirm' | 'approval.reject'>, AnyAction>>
}

export interface ExecuteOptions<Result> {
  /** Runs last in the transaction, to store the reply of an idempotency key. */
  readonly keep?: ((unit: UnitOfWork, result: Result) => Promise<void>) | undefined
  /** Takes the prepared proof of an action that needs one, in the transaction of the action or its request. */
  readonly takeProof?: TakeProof | undefined
}

interface Wanted {
  /** Dual control is on. */
  readonly two: boolean
  readonly isDemo: boolean
}

/** The only way for operators to change anything, and for buyers to change their own access. */
export class Actions {
  readonly pending: ApprovalRequests
  readonly #units: UnitsOfWork
  readonly #readWanted: (asked: undefined) => Promise<Wanted>
  readonly #db: Database
  readonly #publicUrl: string

  constructor({ db, units, secrets, publicUrl, all }: ActionsNeeds) {
    this.#db = db
    this.#publicUrl = publicUrl
    this.#units = units
    this.pending = new ApprovalRequests({
      db,
      units,
      secrets,
      actionOf: (name) => (all as Record<string, AnyAction>)[name],
    })
    // Concurrent requests share one read of the setting.
    this.#readWanted = createBatches<undefined, Wanted>({
      run: async (asked) => {
        const campaign = await db.maybeOne<Wanted>(
          sql`select second_operator as two, is_demo as "isDemo" from campaign`,
        )
        return asked.map(() => campaign ?? { two: false, isDemo: true })
      },
      sizeMax: 100,
      runsMax: Number.POSITIVE_INFINITY,
    })
  }

  /**
   * Commits. Errors, in this order: not_for_your_role, step_up_required, invalid input, those of the
   * action's `needsApproval`, of `takeProof` and of the action's `execute`, and second_operator_required if an
   * approval request was made instead (details.approvalRequestId; only the proof was taken besides).
   */
  async execute<Input, Result>(
    action: Action<Input, Result>,
    actor: Actor,
    input: unknown,
    { keep, takeProof }: ExecuteOptions<Result> = {},
  ): Promise<Result> {
    const rule: ActionRule = rules[action.name]
    authorise(rule, actor)
    if (rule.needsProof && actor.kind !== 'system' && !takeProof) refuse('step_up_required')
    const asked = parseInput(action.input, input)
    const { checked, searches } = await this.#waitOrGoOn(action, actor, asked, takeProof)
    const isPublished = searches !== null && (await action.publishes?.(this.#db, checked)) !== undefined
    if (action.executeAlone && !keep && !takeProof && !isPublished) return action.executeAlone(actor, checked)
    const work = async (unit: UnitOfWork) => {
      if (isPublished) await this.#search(unit, action, checked, searches)
      await takeProof?.(unit)
      const result = await action.execute(unit, checked)
      await keep?.(unit, result)
      return result
    }
    const isOwnAccount = rule.right === 'own' || rule.right === 'any'
    return this.#units.run(actor, work, { isOwnAccount }).catch((error: unknown) => {
      if (!(error instanceof TextsWait) || actor.kind !== 'operator') throw error
      return this.#wait(action, actor, asked, { ...error.draft, ...searches, takeProof })
    })
  }

  // Rules: TWO-21
  /** Texts that are published at once, in parts of an address, each see those before. Throws TextsWait. */
  async #search<Input>(unit: UnitOfWork, action: Action<Input, unknown>, input: Input, { two }: Searches) {
    await holdTexts(unit)
    const draft = await waitingWords(action, unit, input, {
      publicUrl: this.#publicUrl,
      two,
      isAsked: false,
    })
    if (draft) throw new TextsWait(draft)
  }

  // Rules: TWO-2, TWO-21, TWO-24
  /** Returns the input to execute; `searches` is null if its texts need no search. */
  async #waitOrGoOn<Input>(
    action: Action<Input, unknown>,
    actor: Actor,
    input: Input,
    takeProof?: TakeProof,
  ): Promise<{ checked: Input; searches: Searches | null }> {
    const unsearched = { checked: input, searches: null }
    if (!rules[action.name].canNeedApproval || actor.kind !== 'operator') return unsearched
    const { two, isDemo } = await this.#readWanted(undefined)
    if (!two && (isDemo || !action.publishes)) return unsearched
    if (actor.once && (await this.pending.wasConfirmed(action.name, actor.operatorId, actor.once.key)))
      // Published texts are not stored under an idempotency key, so a second execution would publish them
      // twice.
      return action.needsApproval ? unsearched : refuse('approval_decided')
    const asked = two ? await action.needsApproval?.(this.#db, input, actor) : undefined
    const searches = { two, isPublicLater: !two }
    if (!asked || 'alone' in asked) return { checked: asked?.alone ?? input, searches }
    const words = await waitingWords(action, this.#db, input, {
      publicUrl: this.#publicUrl,
      two,
      isAsked: true,
    })
    const summary = { ...words?.summary, ...asked.summary }
    return this.#wait(action, actor, input, { ...asked, summary, takeProof })
  }

  async #wait(action: AnyAction, actor: OperatorActor, input: unknown, waiting: Waiting): Promise<never> {
    const approvalRequestId = await this.pending.keep(action, actor, input, waiting)
    return refuse('second_operator_required', { approvalRequestId })
  }
}

interface Searches {
  readonly two: boolean
  readonly isPublicLater: boolean
}

/** Ends the transaction of an action whose texts need approval. */
class TextsWait extends Error {
  readonly draft: ApprovalDraft

  constructor(draft: ApprovalDraft) {
    super('the texts need approval')
    this.draft = draft
  }
}

// Rules: RIGHT-1, RIGHT-2
/**
 * Throws not_for_your_role, step_up_required. An integration's key may execute only actions within its
 * scopes, never those with the right `any` or `own`.
 */
export function authorise(rule: ActionRule, actor: Actor): void {
  if (actor.kind === 'system') return
  if (!isAllowed(rule, actor)) refuse('not_for_your_role')
  requireFresh(rule, actor)
}

type Login = Pick<OperatorActor | BuyerActor, 'authenticatedAt'> & Pick<OperatorActor, 'scopes'>

/** Throws step_up_required. */
export function requireFresh(
  { stepUp, isOpenToKeys }: Pick<ActionRule, 'stepUp' | 'isOpenToKeys'>,
  { scopes, authenticatedAt }: Login,
): void {
  if (stepUp && !(scopes && isOpenToKeys) && !isFresh(authenticatedAt)) refuse('step_up_required')
}

function isAllowed({ right }: ActionRule, actor: OperatorActor | BuyerActor): boolean {
  if (actor.kind === 'buyer') return right === 'own'
  if (right === 'any' || right === 'own') return !actor.scopes
  return can(actor.role, right) && (!actor.scopes || actor.scopes.includes(right))
}

/** True if a password or second factor was given in the last 15 minutes. */
export function isFresh(authenticatedAt: Date | null | undefined): boolean {
  return !!authenticatedAt && Date.now() - authenticatedAt.getTime() <= STEP_UP_MS
}
