import { z } from 'zod'
import { decimal } from './amount-inputs.ts'
import { rateSourceRoutes, sourceKinds } from './rate-sources.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

const kind = z.enum(sourceKinds)

/** What one source says of one currency. */
const said = z.object({
  code: z.string(),
  priceUsd: decimal.nullable(),
  /** When the source made that price; where it says no time, when it answered. */
  at: instant.nullable(),
  /** Why it does not count: a word of `judgeSources`, or what went wrong. */
  problem: z.string().nullable(),
})

export const sourceList = z.object({
  items: z.array(
    z.object({
      /** By which what it said is kept, also on orders; of one that a page named it is the host. */
      name: z.string(),
      /** Of one that a page named. */
      id: z.number().int().nullable(),
      kind: z.enum([...sourceKinds, 'chainlink']),
      /** The rest of its address may be a secret; null for one that is read from a chain, or is off. */
      host: z.string().nullable(),
      /** Who names it. What the environment says of a source stands. */
      source: z.enum(['environment', 'program', 'page', 'chain']),
      /** Why it is not asked: left out, the same voice as another one, or its address can't be opened under the present key. */
      silence: z.enum(['left_out', 'same_voice', 'sealed']).nullable(),
      setAt: instant.nullable(),
      setBy: z.string().nullable(),
      /** What it said when the rates were last read, of each currency whose rate follows the sources. */
      said: z.array(said.extend({ used: z.boolean() })),
    }),
  ),
  /** When the rates were last read; null where that never happened. */
  readAt: instant.nullable(),
  /** The currencies whose rates follow the sources. */
  followed: z.array(z.string()),
  /** The one host that a refresh of all rates asks where the environment names it; otherwise it asks all sources. */
  refreshAsks: z.string().nullable(),
})

/** What a source answers when it is asked, of each currency that is switched on. */
export const sourceAnswer = z.object({
  host: z.string(),
  items: z.array(
    said.extend({
      /** What the present rate is in dollars, and how far the answer is from it in percent. */
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
