import { z } from 'zod'
import type { ErrorCode } from '../error-codes.ts'
import { errorCodeNames } from '../error-codes.ts'
import { issueCodeNames } from '../issue-codes.ts'
import type { Right } from '../roles.ts'

/**
 * Who may call a route. `buyer` and `operator` need a session; `visitor` takes anyone and hands the handler the buyer
 * if there is one.
 */
export type Audience = 'visitor' | 'buyer' | { operator: Right | 'any' }

/** A route is data: the server mounts it, the client calls it, OpenAPI documents it; all from here. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  readonly audience: Audience
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Schema of the successful body; `z.void()` answers 204. */
  readonly reply: z.ZodType
  /** Refusals of its own, in the order in which they are checked. Those of transport and access go without saying. */
  readonly errors?: readonly ErrorCode[]
  /** Takes an `Idempotency-Key` header: repeats within 24 h answer what the first one answered. */
  readonly idempotent?: boolean
  /** Needs a login or step-up of the last 15 minutes. */
  readonly stepUp?: boolean
}

export const route = <const R extends Route>(definition: R): R => definition

export const errorBody = z.object({
  error: z.object({
    code: z.enum(errorCodeNames),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    /** What is wrong with single fields: a stable code each, and its sentence in the language asked for. */
    issues: z
      .array(z.object({ path: z.string(), code: z.enum(issueCodeNames), message: z.string() }))
      .optional(),
    requestId: z.string(),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>

type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined
/** What a handler gets and a client gives. */
export type ParamsOf<R extends Route> = Out<R['params']>
export type QueryOf<R extends Route> = Out<R['query']>
export type BodyOf<R extends Route> = Out<R['body']>
export type ReplyOf<R extends Route> = z.output<R['reply']>
export type QueryIn<R extends Route> = In<R['query']>
export type BodyIn<R extends Route> = In<R['body']>
/** What a handler may answer: the input side of the reply schema. */
export type ReplyIn<R extends Route> = z.input<R['reply']>

/** One page of a list: pass `next` back as `after`. Keyset, so a page stays put while rows arrive. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), next: z.string().nullable(), total: z.number().int().optional() })
export const pageQuery = z.object({
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
})

/** A number that people read, such as an order's: digits alone, where `Number` would take 0x10 and 1e1 as well. */
export const numberInPath = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)

/** Decimal string as the ledger keeps it: optional sign, digits, one point, no exponent. */
export const decimal = z.string().regex(/^-?\d{1,30}(\.\d{1,18})?$/)
/** ISO 8601 in UTC. */
export const instant = z.string()
