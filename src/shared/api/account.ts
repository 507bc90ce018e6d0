import type { z } from 'zod'
import type { accountSchemas, profile, signedIn } from './account-schemas.ts'
import { ownAccessRoutes } from './own-access.ts'
import { executesOwn, routes } from './route.ts'

export type { SecondFactor, Session } from './own-access.ts'
export type Profile = z.infer<typeof profile>
export type SignedIn = z.infer<typeof signedIn>

export const accountRoutes = routes<typeof accountSchemas>()({
  register: { method: 'POST', path: '/account', audience: 'visitor' },
  logIn: { method: 'POST', path: '/session', audience: 'visitor' },
  session: { method: 'GET', path: '/session', audience: 'visitor' },
  logOut: { method: 'DELETE', path: '/session', audience: 'visitor' },
  stepUp: {
    method: 'POST',
    path: '/session/step-up',
    ...executesOwn('session.step-up'),
  },
  passkeyLoginOptions: { method: 'POST', path: '/session/passkey/options', audience: 'visitor' },
  logInByPasskey: { method: 'POST', path: '/session/passkey', audience: 'visitor' },
  show: { method: 'GET', path: '/account', audience: 'buyer' },
  update: { method: 'PATCH', path: '/account', audience: 'buyer' },
  changePassword: { method: 'POST', path: '/account/password', audience: 'buyer' },
  judgePassword: { method: 'POST', path: '/password-strength', audience: 'visitor' },
  requestReset: { method: 'POST', path: '/account/password-resets', audience: 'visitor' },
  resetPassword: { method: 'POST', path: '/account/password-resets/use', audience: 'visitor' },
  resendConfirmation: { method: 'POST', path: '/account/confirmations', audience: 'buyer' },
  confirmEmail: { method: 'POST', path: '/account/confirmations/use', audience: 'visitor' },
  ...ownAccessRoutes('/account', 'buyer', executesOwn),
  exportData: { method: 'GET', path: '/account/export', audience: 'buyer', stepUp: true },
  remove: { method: 'POST', path: '/account/deletion', audience: 'buyer' },
  keep: { method: 'DELETE', path: '/account/deletion', audience: 'buyer' },
})
