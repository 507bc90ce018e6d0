import { followerEndpoints as routes } from '../../shared/api/followers-schemas.ts'
import type { Followers } from '../followers/followers.ts'
import { type Server, serve } from './serve.ts'

/** Following, confirming and leaving use the forms of `src/server/pages/follow.ts`. */
export function mountFollowers(server: Server, followers: Followers): void {
  serve(server, routes.count, () => followers.count())
}
