import type { ReplyOf, Route } from '../../shared/api/route.ts'
import { ApiError, api, type CallOptions } from '../api.ts'
import { isSessionOver, refusalCode } from '../errors.ts'
import { currentArea } from './area.ts'

/** Asks for a fresh proof of who is signed in; answers false where they gave up. */
type Prove = () => Promise<boolean>
let prove: Prove = async () => false

/** The dialog that asks is mounted once, in the area's shell. */
export function setProve(next: Prove): void {
  prove = next
}

/**
 * Calls a route as whoever is signed in. Where the server wants a fresh proof of who asks, the dialog asks for the
 * proof and the same call is repeated with the same idempotency key. A session that has ended leads to the login.
 * Throws what `api` throws.
 */
export async function call<const R extends Route>(route: R, ...[given]: CallOptions<R>): Promise<ReplyOf<R>> {
  const whole = route.idempotent ? { idempotencyKey: crypto.randomUUID(), ...given } : given
  const send = () => api(route, ...([whole] as unknown as CallOptions<R>))
  try {
    return await send()
  } catch (error) {
    if (isSessionOver(error)) currentArea().leave(route.method !== 'GET')
    if (refusalCode(error) === 'step_up_required' && (await prove())) return send()
    throw error
  }
}

/** What stands now, where somebody else changed the same thing meanwhile; else undefined. */
export function currentOf<Thing>(error: unknown): Thing | undefined {
  return error instanceof ApiError && error.code === 'conflict'
    ? (error.details['current'] as Thing | undefined)
    : undefined
}

/** Whether the change now waits for a second operator. */
export function needsApproval(error: unknown): boolean {
  return refusalCode(error) === 'second_operator_required'
}
