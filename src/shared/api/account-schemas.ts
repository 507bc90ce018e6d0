import { z } from 'zod'
import { accountRoutes } from './account.ts'
import {
  knownPassword,
  language,
  linkToken,
  loginInput,
  passkeyAnswer,
  passkeyName,
  passwordInput,
  profileInput,
  registerInput,
  resetInput,
  resetRequestInput,
  secondFactorCode,
  sessionAs,
  stepUpInput,
} from './account-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

export const profile = z.object({
  /** Public and random; what the ledger calls this buyer by. */
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  language,
  isConfirmed: z.boolean(),
  /** A new address that waits for the link mailed to it. */
  pendingEmail: z.string().nullable(),
  showsOnLeaderboard: z.boolean(),
  nickname: z.string().nullable(),
  isDemo: z.boolean(),
  registeredAt: instant,
})

/** `token` is given only where `as: 'token'` asked for it; a browser gets the token in an HttpOnly cookie. */
export const signedIn = z.object({ user: profile, token: z.string().optional(), expiresAt: instant })

export const session = z.object({
  id: z.string(),
  kind: z.enum(['browser', 'token']),
  /** What the browser says it is. */
  device: z.string(),
  network: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  expiresAt: instant,
  isCurrent: z.boolean(),
})

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
})

export const secondFactor = z.object({
  hasTotp: z.boolean(),
  recoveryCodesLeft: z.number().int(),
  passkeys: z.array(passkey),
})

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
/** Options and answers of WebAuthn, as `@simplewebauthn/browser` takes and gives them. */
export const passkeyOptions = z.record(z.string(), z.unknown())
const byId = z.object({ id: z.uuid() })

export const accountSchemas = {
  register: {
    summary: 'Makes an account and signs it in.',
    body: registerInput,
    reply: signedIn,
    errors: ['too_many_requests', 'password_too_common', 'phone_required', 'registration_failed'],
  },
  logIn: {
    summary: 'Signs in by e-mail and password, with a code where a second factor is on.',
    body: loginInput,
    reply: signedIn,
    errors: ['too_many_requests', 'login_failed', 'second_factor_required', 'second_factor_wrong'],
  },
  session: {
    summary: 'Who is signed in; null for nobody.',
    reply: z.object({ user: profile.nullable() }),
  },
  logOut: {
    summary: 'Ends this session.',
    reply: z.void(),
  },
  stepUp: {
    summary: 'Proves again who asks; good for 15 minutes.',
    body: stepUpInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'second_factor_wrong', 'passkey_refused'],
  },
  passkeyLoginOptions: {
    summary: 'A challenge for signing in or stepping up by passkey.',
    reply: passkeyOptions,
    errors: ['too_many_requests'],
  },
  logInByPasskey: {
    summary: 'Signs in by passkey.',
    body: z.object({ answer: passkeyAnswer, as: sessionAs }),
    reply: signedIn,
    errors: ['too_many_requests', 'passkey_refused'],
  },
  show: {
    summary: 'The own profile.',
    reply: profile,
  },
  update: {
    summary: 'Changes the own profile; what is not given stays.',
    body: profileInput,
    reply: profile,
    errors: ['step_up_required', 'password_wrong', 'too_many_requests', 'email_taken', 'nickname_taken'],
  },
  changePassword: {
    summary: 'Changes the password and ends the other sessions.',
    body: passwordInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'password_too_common'],
  },
  requestReset: {
    summary: 'Mails a link for a new password; answers the same whether there is such an account or not.',
    body: resetRequestInput,
    reply: z.void(),
    errors: ['too_many_requests'],
  },
  resetPassword: {
    summary: 'Sets a new password by a mailed link and ends every session.',
    body: resetInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_too_common', 'link_expired'],
  },
  resendConfirmation: {
    summary: 'Mails the link that confirms the address again.',
    reply: z.void(),
    errors: ['too_many_requests'],
  },
  confirmEmail: {
    summary: 'Confirms the address, or moves the account to a new one, by a mailed link.',
    body: z.object({ token: linkToken }),
    reply: z.void(),
    errors: ['too_many_requests', 'link_expired', 'email_taken'],
  },
  sessions: {
    summary: 'Where the account is signed in.',
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
    errors: ['step_up_required', 'conflict'],
  },
  confirmTotp: {
    summary: 'Switches the authenticator app on; answers recovery codes where there are none yet.',
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
    errors: ['step_up_required', 'second_factor_wrong'],
  },
  removeTotp: {
    summary: 'Switches the authenticator app off.',
    reply: z.void(),
    errors: ['step_up_required'],
  },
  newRecoveryCodes: {
    summary: 'Ten new recovery codes; the old ones end.',
    reply: recoveryCodes,
    errors: ['step_up_required', 'conflict'],
  },
  passkeyOptions: {
    summary: 'A challenge for a new passkey.',
    reply: passkeyOptions,
    errors: ['step_up_required'],
  },
  addPasskey: {
    summary: 'Keeps a new passkey; answers recovery codes where there are none yet.',
    body: z.object({ name: passkeyName, answer: passkeyAnswer }),
    reply: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
    errors: ['step_up_required', 'passkey_refused', 'conflict'],
  },
  removePasskey: {
    summary: 'Removes a passkey.',
    params: byId,
    reply: z.void(),
    errors: ['step_up_required', 'not_found'],
  },
  exportData: {
    summary: 'Everything kept about this account, as a JSON file.',
    reply: z.record(z.string(), z.unknown()),
    errors: ['too_many_requests'],
  },
  remove: {
    summary: 'Makes the account anonymous; refused while anything is pending or owed.',
    body: z.object({
      currentPassword: knownPassword.optional(),
      /** The buyer has to say that they give up tokens that were not delivered yet. */
      givesUpTokens: z.boolean().optional(),
    }),
    reply: z.void(),
    errors: ['step_up_required', 'password_wrong', 'account_has_pending'],
  },
} as const satisfies Record<string, RouteSchemas>
export const accountEndpoints = endpoints(accountRoutes, accountSchemas)
