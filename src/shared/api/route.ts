import type { z } from 'zod'
import type { ActionName, OwnActionName } from '../actions.ts'
import type { ErrorCode } from '../error-codes.ts'
import type { Right } from '../roles.ts'
import type { errorBody } from './route-schemas.ts'

// Rules: RIGHT-24
/**
 * Who may call a route. `buyer` and `operator` need a session; `visitor` takes anyone and hands the handler the buyer
 * if there is one.
 */
export type Audience = 'visitor' | 'buyer' | { operator: Right | 'any' }
/** Whoever has the right that the table of actions asks for the route's action; `endpoints` looks it up. */
export type AudienceOfAction = { operator: 'of its action' }

/** What is called, as plain data that every page may carry. */
interface RouteData {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with `:name` for parameters. */
  readonly path: string
  readonly audience: Audience | AudienceOfAction
  /** Takes an `Idempotency-Key` header: repeats within 24 h answer what the first one answered. */
  readonly idempotent?: boolean
  /** Needs a login or step-up of the last 15 minutes. */
  readonly stepUp?: boolean
  /** Shows operators the data of one buyer, by the user's or the order's number `id`: who read whose is in the audit log. */
  readonly showsPerson?: 'user' | 'order'
  /** Shows operators a list of people under this name: how many rows each reader took in an hour is in the audit log. */
  readonly showsPeople?: 'users' | 'orders' | 'refunds'
  /** What a changing route executes: right and step-up follow from it. */
  readonly action?: ActionName
}

/** A route that executes an action: right and step-up stand in the table of actions alone, which pages need not carry. */
export const executes = <const N extends ActionName>(action: N) =>
  ({ action, audience: { operator: 'of its action' } }) as const

/** The same for what a buyer changes of the own account by an action that operators execute of theirs. */
export const executesOwn = <const N extends OwnActionName>(action: N) =>
  ({ action, audience: 'buyer' }) as const

// Rules: RIGHT-25
/** The most that one request may cost, by what runs short. What is usual goes without saying. */
export interface Cost {
  /** Of the body, which is read before anybody knows who asks. */
  readonly bodyBytes?: number
  /** Statements to the database, besides the one that finds out who asks. */
  readonly statements?: number
  /** Passwords that are hashed, checked, or judged before they are taken. */
  readonly hashes?: number
  /** Passwords that are judged while somebody types. */
  readonly judgements?: number
  readonly mails?: number
}

/** What a route takes, answers, refuses and costs: the server validates by it, OpenAPI documents it. */
export interface RouteSchemas {
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Where it may be more than is usual. */
  readonly cost?: Cost
  /** Schema of the successful body; `z.void()` answers 204. */
  readonly reply: z.ZodType
  /** Refusals of its own, in the order in which they are checked. Those of transport and access go without saying. */
  readonly errors?: readonly ErrorCode[]
}

declare const schemas: unique symbol

/** A route as the client calls it. The types of its schemas come along, for the compiler alone. */
export type Route<S extends RouteSchemas = RouteSchemas> = RouteData & { readonly [schemas]: S }
/** A route as the server mounts it and OpenAPI documents it: `endpoints` of `route-schemas.ts` makes it. */
export type Endpoint = Route & RouteSchemas & { readonly audience: Audience }

/**
 * The routes of a resource, one for each of the schemas `S` in the resource's file of schemas. The first call names
 * the schemas, the second takes the data, whose literal types the compiler keeps.
 */
export const routes =
  <const S extends Readonly<Record<string, RouteSchemas>>>() =>
  <const C extends { readonly [Name in keyof S]: RouteData }>(
    calls: C & Record<Exclude<keyof C, keyof S>, never>,
  ) =>
    calls as { readonly [Name in keyof S]: C[Name] & Route<S[Name]> }

type SchemaOf<R extends Route, Part extends keyof RouteSchemas> = R[typeof schemas][Part]
type Out<S> = S extends z.ZodType ? z.output<S> : undefined
type In<S> = S extends z.ZodType ? z.input<S> : undefined
/** What a handler gets and a client gives. */
export type ParamsOf<R extends Route> = Out<SchemaOf<R, 'params'>>
export type QueryOf<R extends Route> = Out<SchemaOf<R, 'query'>>
export type BodyOf<R extends Route> = Out<SchemaOf<R, 'body'>>
export type ReplyOf<R extends Route> = Out<SchemaOf<R, 'reply'>>
export type QueryIn<R extends Route> = In<SchemaOf<R, 'query'>>
export type BodyIn<R extends Route> = In<SchemaOf<R, 'body'>>
/** What a handler may answer: the input side of the reply schema. */
export type ReplyIn<R extends Route> = In<SchemaOf<R, 'reply'>>

export type ErrorBody = z.infer<typeof errorBody>
