import { z } from 'zod'
import { weaknesses } from '../password-strength.ts'
import { accountRoutes } from './account.ts'
import {
  language,
  linkToken,
  loginInput,
  passkeyAnswer,
  passwordInput,
  profileInput,
  registerInput,
  resetInput,
  resetRequestInput,
  sessionAs,
  strengthInput,
  wholeProof,
} from './account-inputs.ts'
import { ownAccessSchemas, passkeyOptions, proofErrors } from './own-access-schemas.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant } from './route-schemas.ts'

export const profile = z.object({
  /** Public and random; identifies the buyer in the ledger. */
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  language,
  isConfirmed: z.boolean(),
  /** A new address, not confirmed yet. */
  pendingEmail: z.string().nullable(),
  /** Null: no deletion requested. */
  deletionDueAt: instant.nullable(),
  showsOnLeaderboard: z.boolean(),
  nickname: z.string().nullable(),
  isDemo: z.boolean(),
  registeredAt: instant,
})

/** `token` only if `as: 'token'`; a browser gets an HttpOnly cookie. */
export const signedIn = z.object({ user: profile, token: z.string().optional(), expiresAt: instant })

export const accountSchemas = {
  ...ownAccessSchemas,
  register: {
    summary: 'Makes an account and signs it in.',
    cost: { hashes: 2, mails: 1 },
    body: registerInput,
    reply: signedIn,
    errors: ['too_many_requests', 'password_too_common', 'phone_required', 'registration_failed'],
  },
  logIn: {
    summary: 'Signs in by e-mail and password, with a code where a second factor is on.',
    cost: { hashes: 2, mails: 1, statements: 30 },
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
  passkeyLoginOptions: {
    summary: 'A challenge for signing in or stepping up by passkey.',
    reply: passkeyOptions,
    errors: ['too_many_requests'],
  },
  logInByPasskey: {
    summary: 'Signs in by passkey.',
    cost: { bodyBytes: 16_384, mails: 1 },
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
    cost: { hashes: 1, mails: 2, statements: 30 },
    body: profileInput,
    reply: profile,
    errors: [...proofErrors, 'email_taken', 'nickname_taken'],
  },
  changePassword: {
    summary: 'Changes the password and ends the other sessions.',
    cost: { bodyBytes: 16_384, hashes: 3, mails: 2 },
    body: passwordInput,
    reply: z.void(),
    errors: [...proofErrors, 'password_too_common'],
  },
  judgePassword: {
    summary:
      'How soon a password would be guessed, and why it would not be taken. Nothing of it is kept or logged.',
    cost: { judgements: 1 },
    body: strengthInput,
    reply: z.object({ strength: z.int().min(0).max(4), why: z.enum(weaknesses).nullable() }),
    errors: ['too_many_requests'],
  },
  requestReset: {
    summary: 'Mails a link for a new password; answers the same whether there is such an account or not.',
    cost: { mails: 1 },
    body: resetRequestInput,
    reply: z.void(),
    errors: ['too_many_requests'],
  },
  resetPassword: {
    summary:
      'Sets a new password by a mailed link and ends every session; the link of a mail about a new address moves the account back, too.',
    cost: { hashes: 2, mails: 3, statements: 30 },
    body: resetInput,
    reply: z.void(),
    errors: ['too_many_requests', 'link_expired', 'password_too_common'],
  },
  resendConfirmation: {
    summary: 'Mails the link that confirms the address again.',
    cost: { mails: 1 },
    reply: z.void(),
    errors: ['too_many_requests'],
  },
  confirmEmail: {
    summary: 'Confirms the address, or moves the account to a new one, by a mailed link, in a session of it.',
    body: z.object({ token: linkToken }),
    reply: z.void(),
    errors: ['too_many_requests', 'link_expired', 'not_signed_in', 'email_taken'],
  },
  exportData: {
    summary: 'Everything kept about this account, as a JSON file.',
    reply: z.record(z.string(), z.unknown()),
    errors: ['too_many_requests'],
  },
  remove: {
    summary:
      'Makes the account anonymous; refused while anything is pending or owed. With something to lose (tokens, a prize or a chance of one, friends who may bring rewards), or while a mailed link may take the account back, it waits a week (`dueAt`). Each deletion is mailed; while it waits, a link takes the account back.',
    cost: { hashes: 1, mails: 1, statements: 50 },
    body: z.object({
      proof: wholeProof.optional(),
      /** Must be true to give up undelivered tokens. */
      givesUpTokens: z.boolean().optional(),
    }),
    reply: z.object({ dueAt: instant.nullable() }),
    errors: [...proofErrors, 'account_has_pending'],
  },
  keep: { summary: 'Stops a deletion that waits.', reply: z.void(), errors: [] },
} as const satisfies Record<string, RouteSchemas>
export const accountEndpoints = endpoints(accountRoutes, accountSchemas)
