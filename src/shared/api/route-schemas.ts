import { z } from 'zod'
import { actions } from '../actions.ts'
import { errorCodeNames } from '../error-codes.ts'
import { issueCodes } from '../issue-codes.ts'
import type { Right } from '../roles.ts'
import type { AudienceOfAction, Cost, Route, RouteSchemas } from './route.ts'

/** Schemas of another file are a type error. */
export const endpoints = <
  const S extends Readonly<Record<string, RouteSchemas>>,
  const R extends { readonly [Name in keyof S]: Route<S[Name]> },
>(
  routes: R,
  schemas: S,
) =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, given]) => {
      const route = ruled(routes[name] as Route)
      return [name, { ...route, ...given, ...refusalsOf(route, given) }]
    }),
  ) as unknown as { readonly [Name in keyof S]: Ruled<R[Name]> & S[Name] }

type Ruled<R extends Route> = R['audience'] extends AudienceOfAction
  ? Omit<R, 'audience'> & { readonly audience: { operator: Right | 'any' } }
  : R

/** Of the route's action. */
function ruled(route: Route): Route {
  if (!route.action) return route
  const { right, stepUp } = actions[route.action]
  const audience =
    typeof route.audience === 'object'
      ? { operator: right === 'own' ? ('any' as const) : right }
      : route.audience
  return { ...route, audience, stepUp }
}

/** `step_up_required` first, `second_operator_required` last. */
function refusalsOf({ action, stepUp }: Route, { errors = [] }: RouteSchemas): Pick<RouteSchemas, 'errors'> {
  const first = stepUp ? (['step_up_required'] as const) : []
  const last = action && actions[action].canNeedApproval ? (['second_operator_required'] as const) : []
  return first.length + last.length > 0 ? { errors: [...first, ...errors, ...last] } : {}
}

/** For answers that are cached for a second for everybody. */
export const READ_FOR_ALL: Cost = { statements: 0 }

/** Pass `next` as `after`: new rows do not shift a page. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), next: z.string().nullable(), total: z.number().int().optional() })
export const pageQuery = z.object({
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
})

/** The limit is a full page by default. */
export const manyQuery = pageQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).default(100),
})

/** `Number` would accept 0x10 and 1e1. */
export const numberInPath = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number)
/** ISO 8601 in UTC. */
export const instant = z.string()

export const errorBody = z.object({
  error: z.object({
    code: z.enum(errorCodeNames),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    /** Errors by field: a stable code, and its message in the requested language. */
    issues: z
      .array(
        z.object({
          path: z.string(),
          code: z.enum(issueCodes),
          message: z.string(),
        }),
      )
      .optional(),
    requestId: z.string(),
  }),
})
