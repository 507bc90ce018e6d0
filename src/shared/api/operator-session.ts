import type { z } from 'zod'
import type { operatorMe, operatorSessionSchemas } from './operator-session-schemas.ts'
import { routes } from './route.ts'

export type OperatorMe = z.infer<typeof operatorMe>

const any = { operator: 'any' } as const

export const operatorSessionRoutes = routes<typeof operatorSessionSchemas>()({
  logIn: { method: 'POST', path: '/operator/session', audience: 'visitor' },
  passkeyLoginOptions: { method: 'POST', path: '/operator/session/passkey/options', audience: 'visitor' },
  logInByPasskey: { method: 'POST', path: '/operator/session/passkey', audience: 'visitor' },
  show: { method: 'GET', path: '/operator/session', audience: any },
  logOut: { method: 'DELETE', path: '/operator/session', audience: any },
  stepUp: { method: 'POST', path: '/operator/session/step-up', audience: any },
  useInvitation: { method: 'POST', path: '/operator/invitations/use', audience: 'visitor' },
  changePassword: { method: 'POST', path: '/operator/password', audience: any },
  setLanguage: { method: 'PATCH', path: '/operator/session', audience: any },
  sessions: { method: 'GET', path: '/operator/sessions', audience: any },
  endSession: { method: 'DELETE', path: '/operator/sessions/:id', audience: any },
  endOtherSessions: { method: 'DELETE', path: '/operator/sessions', audience: any },
  secondFactor: { method: 'GET', path: '/operator/second-factor', audience: any },
  beginTotp: { method: 'POST', path: '/operator/second-factor/totp', audience: any, stepUp: true },
  confirmTotp: { method: 'POST', path: '/operator/second-factor/totp/confirm', audience: any, stepUp: true },
  removeTotp: { method: 'DELETE', path: '/operator/second-factor/totp', audience: any, stepUp: true },
  newRecoveryCodes: {
    method: 'POST',
    path: '/operator/second-factor/recovery-codes',
    audience: any,
    stepUp: true,
  },
  passkeyOptions: { method: 'POST', path: '/operator/passkeys/options', audience: any, stepUp: true },
  addPasskey: { method: 'POST', path: '/operator/passkeys', audience: any, stepUp: true },
  removePasskey: { method: 'DELETE', path: '/operator/passkeys/:id', audience: any, stepUp: true },
})
