import type { z } from 'zod'
import type { ActionName, OwnActionName } from '../actions.ts'
import type { ErrorCode } from '../error-codes.ts'
import type { Right } from '../roles.ts'
import type { errorBody } from './route-schemas.ts'

// Rules: RIGHT-24
/** `visitor` accepts anybody and passes the buyer if there is one. */
export type Audience = 'visitor' | 'buyer' | { operator: Right | 'any' }
/** Filled in by `endpoints`. */
export type AudienceOfAction = { operator: 'of its action' }

/** Plain data, small enough for every page. */
interface RouteData {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with `:name` parameters. */
  readonly path: string
  readonly audience: Audience | AudienceOfAction
  /** Accepts an `Idempotency-Key` header: a repeat within 24 h gets the first answer. */
  readonly idempotent?: boolean
  /** Needs a login or step-up within 15 minutes. */
  readonly stepUp?: boolean
  /** Shows one buyer's data by the user's or order's `id`; the access is logged. */
  readonly showsPerson?: 'user' | 'order'
  /** Shows people; the rows per reader and hour are logged. */
  readonly showsPeople?: 'users' | 'orders' | 'refunds'
  /** Sets the right and step-up. */
  readonly action?: ActionName
}

/** Pages need not load the action table. */
export const executes = <const N extends ActionName>(action: N) =>
  ({ action, audience: { operator: 'of its action' } }) as const

export const executesOwn = <const N extends OwnActionName>(action: N) =>
  ({ action, audience: 'buyer' }) as const

// Rules: RIGHT-25
/** Costs that exceed the default. */
export interface Cost {
  /** Bytes of the body, which is read before the caller is known. */
  readonly bodyBytes?: number
  /** Statements besides the one that identifies the caller. */
  readonly statements?: number
  readonly hashes?: number
  /** Passwords judged while typing. */
  readonly judgements?: number
  readonly mails?: number
}

/** For validation and OpenAPI. */
export interface RouteSchemas {
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Only if above the default. */
  readonly cost?: Cost
  /** Schema of a successful body; `z.void()` answers 204. */
  readonly reply: z.ZodType
  /** Errors in order of checking; those of transport and access are implied. */
  readonly errors?: readonly ErrorCode[]
}

declare const schemas: unique symbol

/** Its schemas exist only as types. */
export type Route<S extends RouteSchemas = RouteSchemas> = RouteData & { readonly [schemas]: S }
/** Made by `endpoints` of `route-schemas.ts`. */
export type Endpoint = Route & RouteSchemas & { readonly audience: Audience }

/** Curried: the first call names the schemas, the second infers the literal types of the data. */
export const routes =
  <const S extends Readonly<Record<string, RouteSchemas>>>() =>
  <const C extends { readonly [Name in keyof S]: RouteData }>(
    calls: C & Record<Exclude<keyof C, keyof S>, never>,
  ) =>
    calls as { readonly [Name in keyof S]: C[Name] & Route<S[Name]> }

type SchemaOf<R extends Route, Part extends keyof RouteSchemas> = R[typeof schemas][Part]
type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined
export type ParamsOf<R extends Route> = Out<SchemaOf<R, 'params'>>
export type QueryOf<R extends Route> = Out<SchemaOf<R, 'query'>>
export type BodyOf<R extends Route> = Out<SchemaOf<R, 'body'>>
export type ReplyOf<R extends Route> = Out<SchemaOf<R, 'reply'>>
export type QueryIn<R extends Route> = In<SchemaOf<R, 'query'>>
export type BodyIn<R extends Route> = In<SchemaOf<R, 'body'>>
/** The type that a handler may return. */
export type ReplyIn<R extends Route> = In<SchemaOf<R, 'reply'>>

export type ErrorBody = z.infer<typeof errorBody>
