import type { z } from 'zod'
import type { nodeAnswer, operatorNodeSchemas } from './chain-nodes-schemas.ts'
import { executes, routes } from './route.ts'

export type NodeAnswer = z.infer<typeof nodeAnswer>

export const operatorNodeRoutes = routes<typeof operatorNodeSchemas>()({
  askNode: {
    method: 'POST',
    path: '/operator/chains/:network/nodes/:place/ask',
    ...executes('chain.ask-node'),
  },
  setNode: {
    method: 'PUT',
    path: '/operator/chains/:network/nodes/:place',
    ...executes('chain.node'),
  },
  removeNode: {
    method: 'POST',
    path: '/operator/chains/:network/nodes/:place/remove',
    ...executes('chain.node-remove'),
  },
})
