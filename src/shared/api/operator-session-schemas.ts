import { z } from 'zod'
import { rights, roles } from '../roles.ts'
import { languages, passkeyAnswer, passkeyName, secondFactorCode } from './account-inputs.ts'
import { passkey, passkeyOptions, secondFactor, session } from './account-schemas.ts'
import { operatorSessionRoutes } from './operator-session.ts'
import {
  invitationUseInput,
  operatorLoginInput,
  operatorPasswordInput,
  operatorStepUpInput,
} from './operator-session-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

/** The signed-in operator, and what the role may: the interface disables the rest with a reason. */
export const operatorMe = z.object({
  reference: z.string(),
  login: z.string(),
  role: z.enum(roles),
  rights: z.array(z.enum(rights)),
  language: z.enum(languages),
  hasSecondFactor: z.boolean(),
  /** Sensitive calls need this to be at most 15 minutes ago. */
  authenticatedAt: instant,
})

export const operatorSignedIn = z.object({
  operator: operatorMe,
  /** Only where it was asked for with `as: 'token'`; lasts an hour. */
  token: z.string().optional(),
  expiresAt: instant,
})
const byId = z.object({ id: z.uuid() })
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const operatorSessionSchemas = {
  logIn: {
    summary: 'Signs an operator in, with a code where a second factor is on.',
    body: operatorLoginInput,
    reply: operatorSignedIn,
    errors: ['too_many_requests', 'login_failed', 'second_factor_required', 'second_factor_wrong'],
  },
  passkeyLoginOptions: {
    summary: 'A challenge for signing in or stepping up by passkey.',
    reply: passkeyOptions,
    errors: ['too_many_requests'],
  },
  logInByPasskey: {
    summary: 'Signs an operator in by passkey.',
    body: z.object({ answer: passkeyAnswer }),
    reply: operatorSignedIn,
    errors: ['too_many_requests', 'passkey_refused'],
  },
  show: {
    summary: 'Who is signed in to the operator area.',
    reply: operatorMe,
  },
  logOut: {
    summary: 'Ends this session.',
    reply: z.void(),
  },
  stepUp: {
    summary: 'Proves again who asks; good for 15 minutes.',
    body: operatorStepUpInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'second_factor_wrong', 'passkey_refused'],
  },
  useInvitation: {
    summary: 'Sets the password by a one-time link.',
    body: invitationUseInput,
    reply: z.object({ login: z.string() }),
    errors: ['too_many_requests', 'password_too_common', 'link_expired'],
  },
  changePassword: {
    summary: 'Changes the own password and ends the other sessions.',
    body: operatorPasswordInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'password_too_common'],
  },
  setLanguage: {
    summary: 'Changes the own language.',
    body: z.object({ language: z.enum(languages) }),
    reply: operatorMe,
  },
  sessions: {
    summary: 'Where this operator is signed in.',
    reply: z.object({ items: z.array(session) }),
  },
  endSession: {
    summary: 'Ends one session.',
    params: byId,
    reply: z.void(),
    errors: ['not_found'],
  },
  endOtherSessions: {
    summary: 'Ends all sessions but this one.',
    reply: z.object({ ended: z.number().int() }),
  },
  secondFactor: {
    summary: 'Which second factors are on.',
    reply: secondFactor,
  },
  beginTotp: {
    summary: 'A secret for an authenticator app; guards nothing until its first code.',
    reply: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['conflict'],
  },
  confirmTotp: {
    summary: 'Switches the authenticator app on; answers recovery codes where there are none yet.',
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
    errors: ['second_factor_wrong'],
  },
  removeTotp: {
    summary: 'Switches the authenticator app off.',
    reply: z.void(),
  },
  newRecoveryCodes: {
    summary: 'Ten new recovery codes; the old ones end.',
    reply: recoveryCodes,
    errors: ['conflict'],
  },
  passkeyOptions: {
    summary: 'A challenge for a new passkey.',
    reply: passkeyOptions,
  },
  addPasskey: {
    summary: 'Keeps a new passkey; answers recovery codes where there are none yet.',
    body: z.object({ name: passkeyName, answer: passkeyAnswer }),
    reply: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
    errors: ['passkey_refused', 'conflict'],
  },
  removePasskey: {
    summary: 'Removes a passkey.',
    params: byId,
    reply: z.void(),
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorSessionEndpoints = endpoints(operatorSessionRoutes, operatorSessionSchemas)
