import type { followerSchemas } from './followers-schemas.ts'
import { routes } from './route.ts'

export const followerRoutes = routes<typeof followerSchemas>()({
  count: { method: 'GET', path: '/operator/followers', audience: { operator: 'content:write' } },
})
