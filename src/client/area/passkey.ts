import { api } from '../api.ts'
import type { AccessRoutes } from './access-routes.ts'
import { call } from './call.ts'

/** Whether this browser knows passkeys, and the site is on https. */
export const knowsPasskeys = typeof window !== 'undefined' && 'PublicKeyCredential' in window

/** The answer of a passkey, to log in or to prove who asks. Throws where the browser was given none. */
export async function askForPasskey(routes: Pick<AccessRoutes, 'passkeyLoginOptions'>): Promise<never> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = (await api(routes.passkeyLoginOptions)) as never
  return (await startAuthentication({ optionsJSON })) as never
}

/** The answer of a passkey that the browser has just made. Throws where it made none. */
export async function makePasskey(routes: Pick<AccessRoutes, 'passkeyOptions'>): Promise<never> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = (await call(routes.passkeyOptions, { body: {} })) as never
  return (await startRegistration({ optionsJSON })) as never
}
