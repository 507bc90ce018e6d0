import type { z } from 'zod'
import type { OwnActionName } from '../actions.ts'
import type { failedAttempt, secondFactor, session } from './own-access-schemas.ts'
import type { Audience, AudienceOfAction } from './route.ts'

export type FailedAttempt = z.infer<typeof failedAttempt>
export type Session = z.infer<typeof session>
export type SecondFactor = z.infer<typeof secondFactor>

interface Executing {
  readonly action: OwnActionName
  readonly audience: Audience | AudienceOfAction
}

/** For buyers `executes` is `executesOwn`. */
export const ownAccessRoutes = <const A extends Audience, const P extends Executing>(
  root: '/account' | '/operator',
  audience: A,
  executes: (action: OwnActionName) => P,
) =>
  ({
    sessions: { method: 'GET', path: `${root}/sessions`, audience },
    endSession: { method: 'DELETE', path: `${root}/sessions/:id`, ...executes('session.end') },
    endOtherSessions: {
      method: 'DELETE',
      path: `${root}/sessions`,
      ...executes('session.end-others'),
    },
    failedAttempts: { method: 'GET', path: `${root}/failed-attempts`, audience },
    secondFactor: { method: 'GET', path: `${root}/second-factor`, audience },
    beginTotp: { method: 'POST', path: `${root}/second-factor/totp`, ...executes('second-factor.begin') },
    confirmTotp: {
      method: 'POST',
      path: `${root}/second-factor/totp/confirm`,
      ...executes('second-factor.confirm'),
    },
    removeTotp: {
      method: 'POST',
      path: `${root}/second-factor/totp/removal`,
      ...executes('second-factor.remove'),
    },
    newRecoveryCodes: {
      method: 'POST',
      path: `${root}/second-factor/recovery-codes`,
      ...executes('second-factor.recovery-codes'),
    },
    passkeyOptions: { method: 'POST', path: `${root}/passkeys/options`, ...executes('passkey.begin') },
    addPasskey: { method: 'POST', path: `${root}/passkeys`, ...executes('passkey.add') },
    removePasskey: { method: 'POST', path: `${root}/passkeys/:id/removal`, ...executes('passkey.remove') },
  }) as const
