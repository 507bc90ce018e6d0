import type { z } from 'zod'
import type { ActionName } from '../../shared/actions.ts'
import type { AuditSubject } from '../../shared/audit-actions.ts'
import type { AuditField } from '../../shared/audit-fields.ts'
import type { Queryable } from '../database/database.ts'
import type { Actor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'

/** What the second operator sees of an approval request. */
export interface ApprovalDraft {
  readonly subject: { readonly type: AuditSubject; readonly id: string }
  /** What the action would change, as label → value: amounts, addresses before and after. */
  readonly summary: { readonly [Field in AuditField]?: string }
  /** What is executed at the confirmation, where it is not the action itself with the input as it came. */
  readonly keep?: { readonly action?: ActionName; readonly input: unknown }
}

// Rules: TWO-8
/**
 * One operator is enough for this input. `alone` names the state that was checked (a revision, a status, a value), so that `execute` rejects
 * the input if the state has changed. `needsApproval` compares the caller's revision with the stored one and rejects a future revision.
 */
export interface Alone<Input> {
  readonly alone: Input
}

/** What buyers would read or see by an input. */
export interface Published {
  readonly subject: ApprovalDraft['subject']
  /**
   * Texts with their uploads, as they would be, beside what buyers see in their place now. A piece counts as a whole: one of its texts changes what
   * another one means.
   */
  readonly pieces: readonly { readonly now: unknown; readonly before?: unknown }[]
  /** What a second operator is shown of it beside an address that is found. */
  readonly summary?: ApprovalDraft['summary']
  /** What is executed later, where it is not the input as it came. */
  readonly keep?: ApprovalDraft['keep']
  /** Waits whatever its texts say: a name that is taken for another one. */
  readonly waits?: boolean
}

/**
 * One thing that an operator can change. Entry points (routes, legacy calls, commands, confirmations) parse and name who asks; the action says what is
 * done. Right, step-up and whether the action can wait stand in `src/shared/actions.ts` under the action's name.
 */
export interface Action<Input, Result> {
  readonly name: ActionName
  /** Checks the input of every entry point, and what was kept for a second operator once that one confirms it. */
  readonly input: z.ZodType<Input>
  /**
   * Whether this input waits where the campaign asks for two operators: what the second one is shown, or for what input one is enough.
   * An action that can wait by the table has one.
   */
  readonly needsApproval?: (
    tx: Queryable,
    input: Input,
    actor: Actor,
  ) => Promise<ApprovalDraft | Alone<Input>>
  /** What becomes public by this input, undefined if nothing does. An action whose rule says `publishes` has one. */
  readonly publishes?: (tx: Queryable, input: Input) => Promise<Published | undefined>
  /**
   * Returns further fields for the second operator, read from the sealed input, such as the address that a buyer named. These fields never
   * appear in the stored summary, a mail or the audit log.
   */
  readonly showsSealed?: (kept: Input) => ApprovalDraft['summary']
  /** Does it in the unit of work's transaction; refuses by code. */
  execute(unit: UnitOfWork, input: Input): Promise<Result>
  /** The same effect as one SQL statement that commits by itself and that several callers may share under load. */
  readonly executeAlone?: (actor: Actor, input: Input) => Promise<Result>
}

// biome-ignore lint/suspicious/noExplicitAny: the input is checked by the action's own schema before it is used.
export type AnyAction = Action<any, unknown>

/** Defines an action; the input's type follows from its schema. */
export function defineAction<Input, Result>(definition: Action<Input, Result>): Action<Input, Result> {
  return definition
}
