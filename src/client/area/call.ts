import type { ReplyOf, Route } from '../../shared/api/route.ts'
import { ApiError, api, type CallOptions } from '../api.ts'
import { isSessionOver, refusalCode } from '../errors.ts'
import { currentArea } from './area.ts'

export interface Asked {
  /** For actions that open the account: the password unless the form has it, and one of these if a second factor is on. */
  readonly whole?: readonly string[]
  readonly failure?: unknown
}
/** A full proof, sent with the call itself. */
export interface WholeProof {
  readonly password: string
  readonly code?: string
  readonly passkey?: Record<string, unknown>
}

/** A full proof, true if the session now holds it, false if the person cancelled. */
type Prove = (asked: Asked) => Promise<WholeProof | boolean>
let prove: Prove = async () => false

/** Called by the dialog of the area's shell. */
export function setProve(next: Prove): void {
  prove = next
}

/**
 * Asks for a fresh proof if the server requires one, then repeats the call with the same idempotency key. An
 * ended session leads to the login. Throws what `api` throws.
 */
export async function call<const R extends Route>(route: R, ...[given]: CallOptions<R>): Promise<ReplyOf<R>> {
  const whole = route.idempotent ? { idempotencyKey: crypto.randomUUID(), ...given } : given
  const body = (whole as { body?: { currentPassword?: string; oldPassword?: string } } | undefined)?.body
  // A form that asks for the password itself lacks only the second factor.
  const password = body?.currentPassword ?? body?.oldPassword
  const send = (proof?: WholeProof) => {
    const proved = proof && { ...proof, password: password ?? proof.password }
    const sent = proved ? { ...whole, body: { ...body, proof: proved } } : whole
    return api(route, ...([sent] as unknown as CallOptions<R>))
  }
  /** Repeats a read once: another tab's answer may have brought a new cookie meanwhile. */
  const readAgain = async (error: unknown) => {
    if (!isSessionOver(error)) throw error
    await new Promise((resolve) => setTimeout(resolve, 500))
    return send()
  }
  try {
    return await (route.method === 'GET' ? send().catch(readAgain) : send())
  } catch (error) {
    if (isSessionOver(error)) currentArea().leave(route.method !== 'GET')
    if (refusalCode(error) !== 'step_up_required') throw error
    const asked = error instanceof ApiError ? error.details['proof'] : undefined
    if (Array.isArray(asked))
      return sendProved(
        send,
        { whole: password ? asked.filter((method) => method !== 'password') : asked },
        error,
      )
    if (await prove({})) return send()
    throw error
  }
}

/** Like `call`, for other requests such as a file download. */
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

/** Asks again if the proof was wrong. Throws `refused` if the person cancels. */
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
    const code = refusalCode(error)
    const isAskedHere = code !== 'password_wrong' || asked.whole?.includes('password')
    if (!wrongProofs.has(code) || !isAskedHere) throw error
    return sendProved(send, { ...asked, failure: error }, refused)
  }
}

/** The current version in a `conflict` error. */
export function currentOf<Thing>(error: unknown): Thing | undefined {
  return error instanceof ApiError && error.code === 'conflict'
    ? (error.details['current'] as Thing | undefined)
    : undefined
}

export function needsApproval(error: unknown): boolean {
  return refusalCode(error) === 'second_operator_required'
}
