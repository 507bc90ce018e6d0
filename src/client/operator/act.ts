import type { BodyIn, ParamsOf, QueryIn, ReplyOf, Route } from '../../shared/api/route.ts'
import { ApiError, call as send } from '../api.ts'
import { isSessionOver, refusalCode } from '../errors.ts'
import { places } from './places.ts'

interface Input<R extends Route> {
  params?: ParamsOf<R>
  query?: QueryIn<R>
  body?: BodyIn<R>
  signal?: AbortSignal
  idempotencyKey?: string
}

/** Asks the operator to prove again who they are; false where they gave up. Set by the dialog that is mounted once. */
type Prove = () => Promise<boolean>
let prove: Prove = async () => false

export function setProve(next: Prove): void {
  prove = next
}

/** Leaves for the login form; what was open is where the login leads back to. */
export function leave(): void {
  const back = location.pathname + location.search
  location.assign(`${places.refused}&next=${encodeURIComponent(back)}`)
}

/**
 * Calls a route as the signed-in operator. Where the server wants fresh proof of who asks, the proof is asked for and
 * the same call is repeated with the same idempotency key; a session that has ended leads to the login form.
 */
export async function act<const R extends Route>(route: R, input: Input<R> = {}): Promise<ReplyOf<R>> {
  const whole = route.idempotent ? { idempotencyKey: crypto.randomUUID(), ...input } : input
  const call = () => send(route, whole as never) as Promise<ReplyOf<R>>
  try {
    return await call()
  } catch (error) {
    if (isSessionOver(error)) leave()
    if (refusalCode(error) === 'step_up_required' && (await prove())) return call()
    throw error
  }
}

/** Whether another operator changed the thing meanwhile; then what stands now. */
export function currentOf<Thing>(error: unknown): Thing | undefined {
  return error instanceof ApiError && error.code === 'conflict'
    ? (error.details['current'] as Thing | undefined)
    : undefined
}

/** Whether the change now waits for a second operator. */
export function waitsForSecond(error: unknown): boolean {
  return refusalCode(error) === 'second_operator_required'
}
