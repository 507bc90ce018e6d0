import type { z } from 'zod'
import type { OwnActName } from '../acts.ts'
import type { failedAttempt, secondFactor, session } from './own-access-schemas.ts'
import type { Audience, AudienceOfAct } from './route.ts'

export type FailedAttempt = z.infer<typeof failedAttempt>
export type Session = z.infer<typeof session>
export type SecondFactor = z.infer<typeof secondFactor>

interface Performing {
  readonly act: OwnActName
  readonly audience: Audience | AudienceOfAct
}

/**
 * The routes by which people see and change their own sessions and second factors, below `/account` or `/operator`. `performs` is `byBuyer` or
 * `by`.
 */
export const ownAccessRoutes = <const A extends Audience, const P extends Performing>(
  root: '/account' | '/operator',
  audience: A,
  performs: (act: OwnActName) => P,
) =>
  ({
    sessions: { method: 'GET', path: `${root}/sessions`, audience },
    endSession: { method: 'DELETE', path: `${root}/sessions/:id`, ...performs('session.end') },
    endOtherSessions: { method: 'DELETE', path: `${root}/sessions`, ...performs('session.end-others') },
    failedAttempts: { method: 'GET', path: `${root}/failed-attempts`, audience },
    secondFactor: { method: 'GET', path: `${root}/second-factor`, audience },
    beginTotp: { method: 'POST', path: `${root}/second-factor/totp`, ...performs('second-factor.begin') },
    confirmTotp: {
      method: 'POST',
      path: `${root}/second-factor/totp/confirm`,
      ...performs('second-factor.confirm'),
    },
    removeTotp: { method: 'DELETE', path: `${root}/second-factor/totp`, ...performs('second-factor.remove') },
    newRecoveryCodes: {
      method: 'POST',
      path: `${root}/second-factor/recovery-codes`,
      ...performs('second-factor.recovery-codes'),
    },
    passkeyOptions: { method: 'POST', path: `${root}/passkeys/options`, ...performs('passkey.begin') },
    addPasskey: { method: 'POST', path: `${root}/passkeys`, ...performs('passkey.add') },
    removePasskey: { method: 'DELETE', path: `${root}/passkeys/:id`, ...performs('passkey.remove') },
  }) as const
