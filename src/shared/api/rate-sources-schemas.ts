import { z } from 'zod'
import { decimal } from './amount-inputs.ts'
import { rateSourceRoutes, sourceKinds } from './rate-sources.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

const kind = z.enum(sourceKinds)

const said = z.object({
  code: z.string(),
  priceUsd: decimal.nullable(),
  /** The answer's time if the source names none. */
  at: instant.nullable(),
  /** A code of `judgeSources`, or an error. */
  problem: z.string().nullable(),
})

export const sourceList = z.object({
  items: z.array(
    z.object({
      /** The name in records and on orders; for a source added on the page its host. */
      name: z.string(),
      /** Set for a source added on the page. */
      id: z.number().int().nullable(),
      kind: z.enum([...sourceKinds, 'chainlink']),
      /** The rest may be secret; null for an on-chain source, or one that is off. */
      host: z.string().nullable(),
      /** The environment has priority. */
      source: z.enum(['environment', 'program', 'page', 'chain']),
      /** Left out, the same provider as another, or an address sealed with an old key. */
      silence: z.enum(['left_out', 'same_voice', 'sealed']).nullable(),
      setAt: instant.nullable(),
      setBy: z.string().nullable(),
      /** Answers at the last reading, for each currency that follows the sources. */
      said: z.array(said.extend({ used: z.boolean() })),
    }),
  ),
  readAt: instant.nullable(),
  followed: z.array(z.string()),
  /** The one host that a refresh asks, if the environment names it; null: all sources. */
  refreshAsks: z.string().nullable(),
})

/** The live answer for each enabled currency. */
export const sourceAnswer = z.object({
  host: z.string(),
  items: z.array(
    said.extend({
      /** The current rate, and the answer's deviation from it. */
      presentUsd: decimal.nullable(),
      deviationPercent: decimal.nullable(),
    }),
  ),
})

const sourceInput = z.object({ kind, url: z.string().trim().min(1).max(2000) })
const addressErrors = ['rate_source_address_refused', 'rate_source_silent'] as const

export const rateSourceSchemas = {
  list: {
    summary: 'The sources of rates, who names each, and what each last said.',
    reply: sourceList,
  },
  ask: {
    summary:
      'What a source answers of each currency, how old that is, and how far from the present rates. Without a `source` it is the one of this `name`.',
    body: z.object({ name: z.string().max(300).nullable(), source: sourceInput.nullable() }),
    reply: sourceAnswer,
    errors: ['rate_source_address_refused', 'rate_source_unknown', 'rate_source_silent'],
  },
  set: {
    summary:
      'Names a source of rates, or another address of one that a page named (`replaces`). It is asked first.',
    body: sourceInput.extend({ replaces: z.number().int().nullable() }),
    reply: sourceList,
    errors: [...addressErrors, 'conflict', 'rate_source_twice', 'rate_sources_full'],
  },
  remove: {
    summary: 'Takes a source away that a page named.',
    params: z.object({ id: numberInPath }),
    reply: sourceList,
    errors: ['rate_source_unknown'],
  },
  leaveOut: {
    summary:
      'Leaves a source out that the program knows by itself, or asks it again. What the environment says of it stands.',
    params: z.object({ name: kind }),
    body: z.object({ leftOut: z.boolean() }),
    reply: sourceList,
    errors: ['rate_source_of_environment', 'rate_source_twice'],
  },
} as const satisfies Record<string, RouteSchemas>
export const rateSourceEndpoints = endpoints(rateSourceRoutes, rateSourceSchemas)
