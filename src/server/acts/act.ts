import type { z } from 'zod'
import type { ActName } from '../../shared/acts.ts'
import type { AuditSubject } from '../../shared/audit-actions.ts'
import type { AuditField } from '../../shared/audit-fields.ts'
import type { By, Change } from '../changes/changes.ts'
import type { Queryable } from '../database/database.ts'

/** What a second operator is shown of an act that waits. */
export interface Waiting {
  readonly subject: { readonly type: AuditSubject; readonly id: string }
  /** What will happen, as label → value: amounts, addresses before and after. */
  readonly summary: { readonly [Field in AuditField]?: string }
  /** What is performed at the confirmation, where it is not the act itself with the input as it came. */
  readonly keep?: { readonly act?: ActName; readonly input: unknown }
}

// Rules: TWO-8
/**
 * One operator is enough, for this input: it says what that was found by (a revision, a status, a value), so that nothing else is performed
 * should it have changed. What the caller says of it is checked where it is found: of a revision that is still to come nothing is known.
 */
export interface Alone<Input> {
  readonly alone: Input
}

/**
 * One thing that an operator can change. Doors (routes, legacy calls, commands, confirmations) parse and name who asks; the act says what is
 * done. Right, step-up and whether the act can wait stand in `src/shared/acts.ts` under the act's name.
 */
export interface Act<Input, Result> {
  readonly name: ActName
  /** Checks the input of every door, and what was kept for a second operator once that one confirms it. */
  readonly input: z.ZodType<Input>
  /**
   * Whether this input waits where the campaign asks for two operators: what the second one is shown, or for what input one is enough.
   * An act that can wait by the table has one.
   */
  readonly needsApproval?: (tx: Queryable, input: Input, by: By) => Promise<Waiting | Alone<Input>>
  /**
   * What a second operator is shown besides, of what is kept sealed: it stands in no summary, mail or audit log, such as the address that a
   * buyer named.
   */
  readonly showsSealed?: (kept: Input) => Waiting['summary']
  /** Does it in the change's transaction; refuses by code. */
  perform(change: Change, input: Input): Promise<Result>
  /** The same effect as one SQL statement that commits by itself and that several callers may share under load. */
  readonly performAlone?: (by: By, input: Input) => Promise<Result>
}

// biome-ignore lint/suspicious/noExplicitAny: the input is checked by the act's own schema before it is used.
export type AnyAct = Act<any, unknown>

/** Defines an act; the input's type follows from its schema. */
export function act<Input, Result>(definition: Act<Input, Result>): Act<Input, Result> {
  return definition
}
