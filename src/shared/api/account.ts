import { z } from 'zod'
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
import { instant, route } from './route.ts'

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
export type Profile = z.infer<typeof profile>

/** `token` only where it was asked for with `as: 'token'`; a browser's is in its HttpOnly cookie. */
export const signedIn = z.object({ user: profile, token: z.string().optional(), expiresAt: instant })
export type SignedIn = z.infer<typeof signedIn>

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
export type Session = z.infer<typeof session>

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
export type SecondFactor = z.infer<typeof secondFactor>

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
/** Options and answers of WebAuthn, as `@simplewebauthn/browser` takes and gives them. */
export const passkeyOptions = z.record(z.string(), z.unknown())
const byId = z.object({ id: z.uuid() })

export const accountRoutes = {
  register: route({
    method: 'POST',
    path: '/account',
    summary: 'Makes an account and signs it in.',
    audience: 'visitor',
    body: registerInput,
    reply: signedIn,
    errors: ['too_many_requests', 'password_too_common', 'phone_required', 'registration_failed'],
  }),
  logIn: route({
    method: 'POST',
    path: '/session',
    summary: 'Signs in by e-mail and password, with a code where a second factor is on.',
    audience: 'visitor',
    body: loginInput,
    reply: signedIn,
    errors: ['too_many_requests', 'login_failed', 'second_factor_required', 'second_factor_wrong'],
  }),
  session: route({
    method: 'GET',
    path: '/session',
    summary: 'Who is signed in; null for nobody.',
    audience: 'visitor',
    reply: z.object({ user: profile.nullable() }),
  }),
  logOut: route({
    method: 'DELETE',
    path: '/session',
    summary: 'Ends this session.',
    audience: 'visitor',
    reply: z.void(),
  }),
  stepUp: route({
    method: 'POST',
    path: '/session/step-up',
    summary: 'Proves again who asks; good for 15 minutes.',
    audience: 'buyer',
    body: stepUpInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'second_factor_wrong', 'passkey_refused'],
  }),
  passkeyLoginOptions: route({
    method: 'POST',
    path: '/session/passkey/options',
    summary: 'A challenge for signing in or stepping up by passkey.',
    audience: 'visitor',
    reply: passkeyOptions,
    errors: ['too_many_requests'],
  }),
  logInByPasskey: route({
    method: 'POST',
    path: '/session/passkey',
    summary: 'Signs in by passkey.',
    audience: 'visitor',
    body: z.object({ answer: passkeyAnswer, as: sessionAs }),
    reply: signedIn,
    errors: ['too_many_requests', 'passkey_refused'],
  }),
  show: route({
    method: 'GET',
    path: '/account',
    summary: 'The own profile.',
    audience: 'buyer',
    reply: profile,
  }),
  update: route({
    method: 'PATCH',
    path: '/account',
    summary: 'Changes the own profile; what is not given stays.',
    audience: 'buyer',
    body: profileInput,
    reply: profile,
    errors: ['step_up_required', 'password_wrong', 'too_many_requests', 'email_taken', 'nickname_taken'],
  }),
  changePassword: route({
    method: 'POST',
    path: '/account/password',
    summary: 'Changes the password and ends the other sessions.',
    audience: 'buyer',
    body: passwordInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'password_too_common'],
  }),
  requestReset: route({
    method: 'POST',
    path: '/account/password-resets',
    summary: 'Mails a link for a new password; answers the same whether there is such an account or not.',
    audience: 'visitor',
    body: resetRequestInput,
    reply: z.void(),
    errors: ['too_many_requests'],
  }),
  resetPassword: route({
    method: 'POST',
    path: '/account/password-resets/use',
    summary: 'Sets a new password by a mailed link and ends every session.',
    audience: 'visitor',
    body: resetInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_too_common', 'link_expired'],
  }),
  resendConfirmation: route({
    method: 'POST',
    path: '/account/confirmations',
    summary: 'Mails the link that confirms the address again.',
    audience: 'buyer',
    reply: z.void(),
    errors: ['too_many_requests'],
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/account/confirmations/use',
    summary: 'Confirms the address, or moves the account to a new one, by a mailed link.',
    audience: 'visitor',
    body: z.object({ token: linkToken }),
    reply: z.void(),
    errors: ['too_many_requests', 'link_expired', 'email_taken'],
  }),
  sessions: route({
    method: 'GET',
    path: '/account/sessions',
    summary: 'Where the account is signed in.',
    audience: 'buyer',
    reply: z.object({ items: z.array(session) }),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/account/sessions/:id',
    summary: 'Ends one session.',
    audience: 'buyer',
    params: byId,
    reply: z.void(),
    errors: ['not_found'],
  }),
  endOtherSessions: route({
    method: 'DELETE',
    path: '/account/sessions',
    summary: 'Ends all sessions but this one.',
    audience: 'buyer',
    reply: z.object({ ended: z.number().int() }),
  }),
  secondFactor: route({
    method: 'GET',
    path: '/account/second-factor',
    summary: 'Which second factors are on.',
    audience: 'buyer',
    reply: secondFactor,
  }),
  beginTotp: route({
    method: 'POST',
    path: '/account/second-factor/totp',
    summary: 'A secret for an authenticator app; guards nothing until its first code.',
    audience: 'buyer',
    reply: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['step_up_required', 'conflict'],
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/account/second-factor/totp/confirm',
    summary: 'Switches the authenticator app on; answers recovery codes where there are none yet.',
    audience: 'buyer',
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
    errors: ['step_up_required', 'second_factor_wrong'],
  }),
  removeTotp: route({
    method: 'DELETE',
    path: '/account/second-factor/totp',
    summary: 'Switches the authenticator app off.',
    audience: 'buyer',
    reply: z.void(),
    errors: ['step_up_required'],
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/account/second-factor/recovery-codes',
    summary: 'Ten new recovery codes; the old ones end.',
    audience: 'buyer',
    reply: recoveryCodes,
    errors: ['step_up_required', 'conflict'],
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/account/passkeys/options',
    summary: 'A challenge for a new passkey.',
    audience: 'buyer',
    reply: passkeyOptions,
    errors: ['step_up_required'],
  }),
  addPasskey: route({
    method: 'POST',
    path: '/account/passkeys',
    summary: 'Keeps a new passkey; answers recovery codes where there are none yet.',
    audience: 'buyer',
    body: z.object({ name: passkeyName, answer: passkeyAnswer }),
    reply: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
    errors: ['step_up_required', 'passkey_refused', 'conflict'],
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/account/passkeys/:id',
    summary: 'Removes a passkey.',
    audience: 'buyer',
    params: byId,
    reply: z.void(),
    errors: ['step_up_required', 'not_found'],
  }),
  exportData: route({
    method: 'GET',
    path: '/account/export',
    summary: 'Everything kept about this account, as a JSON file.',
    audience: 'buyer',
    reply: z.record(z.string(), z.unknown()),
    errors: ['too_many_requests'],
  }),
  remove: route({
    method: 'POST',
    path: '/account/deletion',
    summary: 'Makes the account anonymous; refused while anything is pending or owed.',
    audience: 'buyer',
    body: z.object({
      currentPassword: knownPassword.optional(),
      /** Tokens that were not delivered yet are lost: has to be said. */
      givesUpTokens: z.boolean().optional(),
    }),
    reply: z.void(),
    errors: ['step_up_required', 'password_wrong', 'account_has_pending'],
  }),
} as const
