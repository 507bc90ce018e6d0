import type { z } from 'zod'
import type { accountSchemas, profile, secondFactor, session, signedIn } from './account-schemas.ts'
import { routes } from './route.ts'

export type Profile = z.infer<typeof profile>
export type SignedIn = z.infer<typeof signedIn>
export type Session = z.infer<typeof session>
export type SecondFactor = z.infer<typeof secondFactor>

export const accountRoutes = routes<typeof accountSchemas>()({
  register: { method: 'POST', path: '/account', audience: 'visitor' },
  logIn: { method: 'POST', path: '/session', audience: 'visitor' },
  session: { method: 'GET', path: '/session', audience: 'visitor' },
  logOut: { method: 'DELETE', path: '/session', audience: 'visitor' },
  stepUp: { method: 'POST', path: '/session/step-up', audience: 'buyer' },
  passkeyLoginOptions: { method: 'POST', path: '/session/passkey/options', audience: 'visitor' },
  logInByPasskey: { method: 'POST', path: '/session/passkey', audience: 'visitor' },
  show: { method: 'GET', path: '/account', audience: 'buyer' },
  update: { method: 'PATCH', path: '/account', audience: 'buyer' },
  changePassword: { method: 'POST', path: '/account/password', audience: 'buyer' },
  requestReset: { method: 'POST', path: '/account/password-resets', audience: 'visitor' },
  resetPassword: { method: 'POST', path: '/account/password-resets/use', audience: 'visitor' },
  resendConfirmation: { method: 'POST', path: '/account/confirmations', audience: 'buyer' },
  confirmEmail: { method: 'POST', path: '/account/confirmations/use', audience: 'visitor' },
  sessions: { method: 'GET', path: '/account/sessions', audience: 'buyer' },
  endSession: { method: 'DELETE', path: '/account/sessions/:id', audience: 'buyer' },
  endOtherSessions: { method: 'DELETE', path: '/account/sessions', audience: 'buyer' },
  secondFactor: { method: 'GET', path: '/account/second-factor', audience: 'buyer' },
  beginTotp: { method: 'POST', path: '/account/second-factor/totp', audience: 'buyer' },
  confirmTotp: { method: 'POST', path: '/account/second-factor/totp/confirm', audience: 'buyer' },
  removeTotp: { method: 'DELETE', path: '/account/second-factor/totp', audience: 'buyer' },
  newRecoveryCodes: { method: 'POST', path: '/account/second-factor/recovery-codes', audience: 'buyer' },
  passkeyOptions: { method: 'POST', path: '/account/passkeys/options', audience: 'buyer' },
  addPasskey: { method: 'POST', path: '/account/passkeys', audience: 'buyer' },
  removePasskey: { method: 'DELETE', path: '/account/passkeys/:id', audience: 'buyer' },
  exportData: { method: 'GET', path: '/account/export', audience: 'buyer' },
  remove: { method: 'POST', path: '/account/deletion', audience: 'buyer' },
})
