import type { z } from 'zod'
import type { ActionName } from '../../shared/actions.ts'
import type { AuditSubject } from '../../shared/audit-actions.ts'
import type { AuditField } from '../../shared/audit-fields.ts'
import type { PublicLocale } from '../../shared/languages.ts'
import type { Queryable } from '../database/database.ts'
import type { Actor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'

/** Checks and stores a prepared proof in the transaction of the action that needs it, or of its request. */
export type TakeProof = (unit: UnitOfWork) => Promise<void>

export interface ApprovalDraft {
  readonly subject: { readonly type: AuditSubject; readonly id: string }
  /** Label → value, such as amounts and addresses before and after. */
  readonly summary: { readonly [Field in AuditField]?: string }
  /** The action and input to execute on confirmation, if they differ from the requested ones. */
  readonly keep?: { readonly action?: ActionName; readonly input: unknown }
}

// Rules: TWO-8
/**
 * One operator is enough for this input. `alone` names the checked state (a revision, status or value);
 * `execute` rejects the input at any other.
 */
export interface Alone<Input> {
  readonly alone: Input
}

export interface Published {
  readonly subject: ApprovalDraft['subject']
  /** A piece counts as a whole, because one text can change the meaning of another. */
  readonly pieces: readonly {
    readonly now: unknown
    readonly before?: unknown
    /** The field's name, if `now` is a text itself. */
    readonly name?: string
  }[]
  /** Further details for the second operator, beside the addresses found. */
  readonly summary?: ApprovalDraft['summary']
  readonly keep?: ApprovalDraft['keep']
  /** The sale's languages after this change; undefined: as they are. */
  readonly languages?: readonly PublicLocale[] | undefined
  /** When buyers read it, if later. */
  readonly appearsAt?: string | undefined
  /** Needs approval regardless of its texts: a name that can be mistaken for another. */
  readonly waits?: boolean
}

/**
 * A change by an operator or buyer. Right, step-up and need for approval are in `src/shared/actions.ts`
 * under its name.
 */
export interface Action<Input, Result> {
  readonly name: ActionName
  /** Also checks the stored input on confirmation. */
  readonly input: z.ZodType<Input>
  /** `alone`: one operator is enough. Called only under dual control. */
  readonly needsApproval?: (
    tx: Queryable,
    input: Input,
    actor: Actor,
  ) => Promise<ApprovalDraft | Alone<Input>>
  /** Returns what this input publishes, undefined if nothing. */
  readonly publishes?: (tx: Queryable, input: Input) => Promise<Published | undefined>
  /**
   * Returns further details for the second operator from the sealed input, such as a buyer's address. They
   * never appear in the stored summary, a mail or the audit log.
   */
  readonly showsSealed?: (kept: Input) => ApprovalDraft['summary']
  /** Executes the action in the unit's transaction. Throws `Refusal`. */
  execute(unit: UnitOfWork, input: Input): Promise<Result>
  /** The same effect as one SQL statement that commits by itself; concurrent callers may share it. */
  readonly executeAlone?: (actor: Actor, input: Input) => Promise<Result>
}

// biome-ignore lint/suspicious/noExplicitAny: the input is checked by the action's own schema before it is used.
export type AnyAction = Action<any, unknown>

export function defineAction<Input, Result>(definition: Action<Input, Result>): Action<Input, Result> {
  return definition
}
