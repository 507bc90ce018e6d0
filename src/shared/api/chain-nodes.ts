import type { z } from 'zod'
import type { nodeAnswer, operatorNodeSchemas } from './chain-nodes-schemas.ts'
import { by, routes } from './route.ts'

export type NodeAnswer = z.infer<typeof nodeAnswer>

/** The nodes that chains are read from. */
export const operatorNodeRoutes = routes<typeof operatorNodeSchemas>()({
  askNode: {
    method: 'POST',
    path: '/operator/chains/:network/nodes/:place/ask',
    ...by('chain.ask-node'),
  },
  setNode: {
    method: 'PUT',
    path: '/operator/chains/:network/nodes/:place',
    ...by('chain.node'),
  },
  removeNode: {
    method: 'POST',
    path: '/operator/chains/:network/nodes/:place/remove',
    ...by('chain.node-remove'),
  },
})
