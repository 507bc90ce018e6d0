import type { ReplyOf, Route } from '../../shared/api/route.ts'
import { ApiError, api, type CallOptions } from '../api.ts'
import { isSessionOver, refusalCode } from '../errors.ts'
import { currentArea } from './area.ts'

/** What the server wants to know again of who is signed in. */
export interface Asked {
  /** For what opens the account: the password, and one of these where a second factor is on. */
  readonly whole?: readonly string[]
  /** Why the proof of before was not taken. */
  readonly failure?: unknown
}
/** A whole proof, which goes into the call itself. */
export interface WholeProof {
  readonly password: string
  readonly code?: string
  readonly passkey?: Record<string, unknown>
}

/** Asks for a proof of who is signed in. Answers a whole one, or true once the session has it; false where they gave up. */
type Prove = (asked: Asked) => Promise<WholeProof | boolean>
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
  const send = (proof?: WholeProof) => {
    const body = proof && { body: { ...(whole as { body?: object } | undefined)?.body, proof } }
    return api(route, ...([body ? { ...whole, ...body } : whole] as unknown as CallOptions<R>))
  }
  try {
    return await send()
  } catch (error) {
    if (isSessionOver(error)) currentArea().leave(route.method !== 'GET')
    if (refusalCode(error) !== 'step_up_required') throw error
    const asked = error instanceof ApiError ? error.details['proof'] : undefined
    if (Array.isArray(asked)) return sendProved(send, { whole: asked }, error)
    if (await prove({})) return send()
    throw error
  }
}

/** The same for what is read otherwise than by a call, such as a file. */
export async function withProof<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (refusalCode(error) === 'step_up_required' && (await prove({}))) return send()
    throw error
  }
}

const wrongProofs: ReadonlySet<string | undefined> = new Set([
  'password_wrong',
  'second_factor_wrong',
  'passkey_refused',
])

/** Sends with a whole proof, and asks again for one that was wrong. Throws `refused` where they gave up. */
async function sendProved<T>(
  send: (proof: WholeProof) => Promise<T>,
  asked: Asked,
  refused: unknown,
): Promise<T> {
  const proof = await prove(asked)
  if (typeof proof === 'boolean') throw refused
  try {
    return await send(proof)
  } catch (error) {
    if (!wrongProofs.has(refusalCode(error))) throw error
    return sendProved(send, { ...asked, failure: error }, refused)
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
