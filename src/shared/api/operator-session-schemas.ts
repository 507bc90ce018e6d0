import { z } from 'zod'
import { languages } from '../languages.ts'
import { rights, roles } from '../roles.ts'
import { passkeyAnswer } from './account-inputs.ts'
import { operatorSessionRoutes } from './operator-session.ts'
import { invitationUseInput, operatorLoginInput, operatorPasswordInput } from './operator-session-inputs.ts'
import { ownAccessSchemas, passkeyOptions, proofErrors } from './own-access-schemas.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

/** The interface disables what the rights lack. */
export const operatorMe = z.object({
  reference: z.string(),
  login: z.string(),
  role: z.enum(roles),
  rights: z.array(z.enum(rights)),
  language: z.enum(languages),
  hasSecondFactor: z.boolean(),
  /**
   * True if the role requires a second factor that is not set up. Everything but the own access fails with
   * `second_factor_missing`.
   */
  lacksSecondFactor: z.boolean(),
  /** Sensitive calls require this within the last 15 minutes. */
  authenticatedAt: instant,
  version: z.string(),
})

export const operatorSignedIn = z.object({
  operator: operatorMe,
  /** Only if `as: 'token'` was requested; lasts an hour. */
  token: z.string().optional(),
  expiresAt: instant,
})

export const operatorSessionSchemas = {
  ...ownAccessSchemas,
  logIn: {
    summary: 'Signs an operator in, with a code where a second factor is on.',
    cost: { hashes: 2, mails: 1, statements: 30 },
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
    cost: { bodyBytes: 16_384, mails: 1 },
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
  useInvitation: {
    summary: 'Sets the password by a one-time link.',
    cost: { statements: 30, hashes: 2, mails: 2 },
    body: invitationUseInput,
    reply: z.object({ login: z.string() }),
    errors: ['too_many_requests', 'link_expired', 'password_too_common'],
  },
  changePassword: {
    summary: 'Changes the own password and ends the other sessions.',
    cost: { hashes: 3, mails: 1 },
    body: operatorPasswordInput,
    reply: z.void(),
    errors: [...proofErrors, 'password_too_common'],
  },
  setLanguage: {
    summary: 'Changes the own language.',
    body: z.object({ language: z.enum(languages) }),
    reply: operatorMe,
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorSessionEndpoints = endpoints(operatorSessionRoutes, operatorSessionSchemas)
