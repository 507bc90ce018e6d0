import { z } from 'zod'
import { followerRoutes } from './followers.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints } from './route-schemas.ts'

export const followerSchemas = {
  count: {
    summary: 'How many addresses get announcements by mail, and how many have not confirmed that yet.',
    reply: z.object({ isOn: z.boolean(), confirmed: z.number().int(), waiting: z.number().int() }),
  },
} as const satisfies Record<string, RouteSchemas>
export const followerEndpoints = endpoints(followerRoutes, followerSchemas)
