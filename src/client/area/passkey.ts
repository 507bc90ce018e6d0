import { api } from '../api.ts'
import type { AccessRoutes } from './access-routes.ts'
import { call } from './call.ts'

export const knowsPasskeys = typeof window !== 'undefined' && 'PublicKeyCredential' in window

/** Throws if the person cancels. */
export async function askForPasskey(routes: Pick<AccessRoutes, 'passkeyLoginOptions'>): Promise<never> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = (await api(routes.passkeyLoginOptions)) as never
  return (await startAuthentication({ optionsJSON })) as never
}

/** Throws if the browser creates none. */
export async function makePasskey(routes: Pick<AccessRoutes, 'passkeyOptions'>): Promise<never> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = (await call(routes.passkeyOptions, { body: {} })) as never
  return (await startRegistration({ optionsJSON })) as never
}
