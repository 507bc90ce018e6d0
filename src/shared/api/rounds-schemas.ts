import { z } from 'zod'
import { decimal } from './amount-inputs.ts'
import { networks } from './currencies.ts'
import { operatorRoundRoutes, roundRoutes } from './rounds.ts'
import { roundInput } from './rounds-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

const round = z.object({
  number: z.number().int(),
  state: z.enum(['announced', 'cancelled', 'frozen']),
  /** Null of an older round that was never frozen. */
  network: z.enum(networks).nullable(),
  cutAt: instant,
  freezeFrom: instant,
  startsAt: instant,
  startBps: z.number().int(),
  cliffSeconds: z.number().int(),
  linearSeconds: z.number().int(),
  leftoverTo: z.string(),
  announcedAt: instant,
  /** The published list; null until the freeze. */
  file: z
    .object({
      frozenAt: instant,
      rows: z.number().int(),
      tokens: decimal,
      purchasedTokens: decimal,
      bonusTokens: decimal,
      grantedTokens: decimal,
      /** Of the Merkle tree over the rows. */
      root: z.string(),
      /** Of the file's bytes. */
      sha256: z.string(),
    })
    .nullable(),
})

const byNumber = z.object({ number: numberInPath })

export const roundSchemas = {
  list: {
    summary: 'Every delivery round, the newest first.',
    reply: z.object({ items: z.array(round) }),
  },
  proofs: {
    summary: 'The rows of an address in a frozen round, each with its Merkle proof.',
    params: byNumber,
    query: z.object({ address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) }),
    reply: z.object({
      items: z.array(
        z.object({
          place: z.number().int(),
          account: z.string(),
          /** In the token's smallest units. */
          tokens: z.string(),
          proof: z.array(z.string()),
        }),
      ),
    }),
    errors: ['round_unknown'],
  },
} as const satisfies Record<string, RouteSchemas>
export const roundEndpoints = endpoints(roundRoutes, roundSchemas)

export const operatorRoundSchemas = {
  list: {
    summary: 'Every delivery round, and what the announced one would hold now.',
    reply: z.object({
      items: z.array(round),
      /** Of the announced round; null without one. */
      next: z
        .object({
          /** The earliest moment of the freeze; null while somebody who lacks an address is still to be told. */
          frozenFrom: instant.nullable(),
          buyers: z.number().int(),
          tokens: decimal,
          /** Buyers who hold tokens and have no address. */
          lacking: z.number().int(),
          told: z.number().int(),
        })
        .nullable(),
    }),
  },
  announce: {
    summary: 'Announces the next round: whoever lacks an address is told by mail.',
    body: roundInput,
    reply: round,
    errors: [
      'delivery_chain_missing',
      'address_invalid',
      'delivery_address_ours',
      'round_open',
      'round_too_early',
      'round_cut',
    ],
  },
  cancel: {
    summary: 'Takes an announced round back.',
    params: byNumber,
    reply: round,
    errors: ['round_unknown', 'round_state'],
  },
  freeze: {
    summary: 'Freezes a round: moves what its buyers hold from held to allocated and publishes the list.',
    params: byNumber,
    reply: round,
    errors: [
      'round_unknown',
      'round_state',
      'round_too_early',
      'delivery_chain_missing',
      'round_network',
      'delivery_token_missing',
      'soft_cap_open',
      'round_empty',
    ],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorRoundEndpoints = endpoints(operatorRoundRoutes, operatorRoundSchemas)
export const publicRound = round
