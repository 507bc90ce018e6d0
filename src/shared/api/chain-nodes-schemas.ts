import { z } from 'zod'
import { networks } from '../networks.ts'
import { operatorNodeRoutes } from './chain-nodes.ts'
import { operatorChain } from './payments-schemas.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

export const nodeAnswer = z.object({
  height: z.number().int(),
  /** The time of its newest block. */
  minedAt: instant.nullable(),
  /** Blocks behind the followed node. */
  behindBlocks: z.number().int().nullable(),
})

const byPlace = z.object({ network: z.enum(networks), place: numberInPath })
/** The revision that was shown; null if the chain is not listed yet. */
const shownRevision = z.number().int().nullable()
const nodeInput = z.object({
  kind: z.enum(['core', 'esplora', 'evm']),
  url: z.string().trim().min(1).max(2000),
  revision: shownRevision,
})
const nodeErrors = ['chain_unknown', 'node_of_environment', 'node_address_refused'] as const

export const operatorNodeSchemas = {
  askNode: {
    summary:
      'What a node answers: its newest block, how old that is, how far it is behind. Without a `node` it is the one of this place.',
    params: byPlace,
    body: z.object({ node: nodeInput.nullable() }),
    reply: nodeAnswer,
    errors: [...nodeErrors, 'node_unknown', 'node_silent', 'node_other_network'],
  },
  setNode: {
    summary:
      'Names the node that a chain is read from, or the second one. It is asked first. What the environment names can’t be replaced.',
    params: byPlace,
    body: nodeInput,
    reply: operatorChain,
    errors: [...nodeErrors, 'node_in_both_places', 'node_silent', 'node_other_network', 'conflict'],
  },
  removeNode: {
    summary: 'Takes a node away that a page named. Without its first node a chain is no longer followed.',
    params: byPlace,
    body: z.object({ revision: shownRevision }),
    reply: operatorChain,
    errors: ['chain_unknown', 'node_of_environment', 'node_unknown', 'conflict'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorNodeEndpoints = endpoints(operatorNodeRoutes, operatorNodeSchemas)
