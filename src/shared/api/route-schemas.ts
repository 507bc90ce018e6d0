import { z } from 'zod'
import { actions } from '../actions.ts'
import { errorCodeNames } from '../error-codes.ts'
import { issueCodes } from '../issue-codes.ts'
import type { Right } from '../roles.ts'
import type { AudienceOfAction, Cost, Route, RouteSchemas } from './route.ts'

/** Joins routes with the schemas by which they were typed; another file's schemas are a type error. */
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

/** The route with the right and the step-up of its action. */
function ruled(route: Route): Route {
  if (!route.action) return route
  const { right, stepUp } = actions[route.action]
  const audience =
    typeof route.audience === 'object'
      ? { operator: right === 'own' ? ('any' as const) : right }
      : route.audience
  return { ...route, audience, stepUp }
}

/**
 * A route that needs a fresh login refuses without one first, a route whose action can wait for a second operator refuses so last; no list
 * of refusals has to remember either.
 */
function refusalsOf({ action, stepUp }: Route, { errors = [] }: RouteSchemas): Pick<RouteSchemas, 'errors'> {
  const first = stepUp ? (['step_up_required'] as const) : []
  const last = action && actions[action].canNeedApproval ? (['second_operator_required'] as const) : []
  return first.length + last.length > 0 ? { errors: [...first, ...errors, ...last] } : {}
}

/** What is read once a second for everybody costs nobody anything. */
export const READ_FOR_ALL: Cost = { statements: 0 }

/** One page of a list: pass `next` back as `after`. Keyset, so a page stays put while rows arrive. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), next: z.string().nullable(), total: z.number().int().optional() })
export const pageQuery = z.object({
  after: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
})

/** The same for lists that were once answered whole: as much as a page may hold, unless less is asked for. */
export const manyQuery = pageQuery.extend({
  limit: z.coerce.number().int().min(1).max(100).default(100),
})

/** A number that people read, such as an order's: digits alone, where `Number` would take 0x10 and 1e1 as well. */
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
    /** What is wrong with single fields: a stable code each, and its sentence in the language asked for. */
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
