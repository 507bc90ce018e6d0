import type { z } from 'zod'
import type { operatorMe, operatorSessionSchemas } from './operator-session-schemas.ts'
import { ownAccessRoutes } from './own-access.ts'
import { executes, routes } from './route.ts'

export type OperatorMe = z.infer<typeof operatorMe>

const any = { operator: 'any' } as const

export const operatorSessionRoutes = routes<typeof operatorSessionSchemas>()({
  logIn: { method: 'POST', path: '/operator/session', audience: 'visitor' },
  passkeyLoginOptions: { method: 'POST', path: '/operator/session/passkey/options', audience: 'visitor' },
  logInByPasskey: {
    method: 'POST',
    path: '/operator/session/passkey',
    audience: 'visitor',
  },
  show: { method: 'GET', path: '/operator/session', audience: any },
  logOut: { method: 'DELETE', path: '/operator/session', ...executes('session.log-out') },
  stepUp: {
    method: 'POST',
    path: '/operator/session/step-up',
    ...executes('session.step-up'),
  },
  useInvitation: { method: 'POST', path: '/operator/invitations/use', audience: 'visitor' },
  changePassword: {
    method: 'POST',
    path: '/operator/password',
    ...executes('operator.password'),
  },
  setLanguage: { method: 'PATCH', path: '/operator/session', ...executes('operator.language') },
  ...ownAccessRoutes('/operator', any, executes),
})
