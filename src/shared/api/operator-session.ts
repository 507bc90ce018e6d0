import { z } from 'zod'
import { rights, roles } from '../roles.ts'
import { passkey, passkeyOptions, secondFactor, session } from './account.ts'
import {
  knownPassword,
  languages,
  linkToken,
  newPassword,
  passkeyAnswer,
  passkeyName,
  plainText,
  secondFactorCode,
} from './account-inputs.ts'
import { instant, route } from './route.ts'

export const operatorLogin = plainText(100).min(2, 'At least 2 characters.')

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
export type OperatorMe = z.infer<typeof operatorMe>

export const operatorSignedIn = z.object({
  operator: operatorMe,
  /** Only where it was asked for with `as: 'token'`; lasts an hour. */
  token: z.string().optional(),
  expiresAt: instant,
})

export const operatorLoginInput = z.object({
  login: plainText(100).min(1, 'Enter your login.'),
  password: knownPassword,
  code: secondFactorCode.optional(),
  as: z.enum(['cookie', 'token']).default('cookie'),
})

export const operatorPasswordInput = z
  .object({
    name: operatorLogin,
    oldPassword: z.string().min(4, 'At least 4 characters.').max(200, 'At most 200 characters.'),
    newPassword,
    confirmPassword: z.string().optional(),
  })
  .refine((input) => input.confirmPassword === undefined || input.confirmPassword === input.newPassword, {
    path: ['confirmPassword'],
    message: 'Passwords do not match.',
  })

export const operatorStepUpInput = z
  .object({
    password: knownPassword.optional(),
    code: secondFactorCode.optional(),
    passkey: passkeyAnswer.optional(),
  })
  .refine(
    (input) =>
      [input.password, input.code, input.passkey].filter((given) => given !== undefined).length === 1,
    {
      message: 'Give the password, a code or a passkey.',
      path: ['password'],
    },
  )

/** Sets the password by a one-time link. */
export const invitationUseInput = z
  .object({ token: linkToken, password: newPassword, confirmPassword: z.string().optional() })
  .refine((input) => input.confirmPassword === undefined || input.confirmPassword === input.password, {
    path: ['confirmPassword'],
    message: 'Passwords do not match.',
  })

const any = { operator: 'any' } as const
const byId = z.object({ id: z.uuid() })
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const operatorSessionRoutes = {
  logIn: route({
    method: 'POST',
    path: '/operator/session',
    summary: 'Signs an operator in, with a code where a second factor is on.',
    audience: 'visitor',
    body: operatorLoginInput,
    reply: operatorSignedIn,
    errors: ['too_many_requests', 'login_failed', 'second_factor_required', 'second_factor_wrong'],
  }),
  passkeyLoginOptions: route({
    method: 'POST',
    path: '/operator/session/passkey/options',
    summary: 'A challenge for signing in or stepping up by passkey.',
    audience: 'visitor',
    reply: passkeyOptions,
    errors: ['too_many_requests'],
  }),
  logInByPasskey: route({
    method: 'POST',
    path: '/operator/session/passkey',
    summary: 'Signs an operator in by passkey.',
    audience: 'visitor',
    body: z.object({ answer: passkeyAnswer }),
    reply: operatorSignedIn,
    errors: ['too_many_requests', 'passkey_refused'],
  }),
  show: route({
    method: 'GET',
    path: '/operator/session',
    summary: 'Who is signed in to the operator area.',
    audience: any,
    reply: operatorMe,
  }),
  logOut: route({
    method: 'DELETE',
    path: '/operator/session',
    summary: 'Ends this session.',
    audience: any,
    reply: z.void(),
  }),
  stepUp: route({
    method: 'POST',
    path: '/operator/session/step-up',
    summary: 'Proves again who asks; good for 15 minutes.',
    audience: any,
    body: operatorStepUpInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'second_factor_wrong', 'passkey_refused'],
  }),
  useInvitation: route({
    method: 'POST',
    path: '/operator/invitations/use',
    summary: 'Sets the password by a one-time link.',
    audience: 'visitor',
    body: invitationUseInput,
    reply: z.object({ login: z.string() }),
    errors: ['too_many_requests', 'password_too_common', 'link_expired'],
  }),
  changePassword: route({
    method: 'POST',
    path: '/operator/password',
    summary: 'Changes the own password and ends the other sessions.',
    audience: any,
    body: operatorPasswordInput,
    reply: z.void(),
    errors: ['too_many_requests', 'password_wrong', 'password_too_common'],
  }),
  setLanguage: route({
    method: 'PATCH',
    path: '/operator/session',
    summary: 'Changes the own language.',
    audience: any,
    body: z.object({ language: z.enum(languages) }),
    reply: operatorMe,
  }),
  sessions: route({
    method: 'GET',
    path: '/operator/sessions',
    summary: 'Where this operator is signed in.',
    audience: any,
    reply: z.object({ items: z.array(session) }),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/operator/sessions/:id',
    summary: 'Ends one session.',
    audience: any,
    params: byId,
    reply: z.void(),
    errors: ['not_found'],
  }),
  endOtherSessions: route({
    method: 'DELETE',
    path: '/operator/sessions',
    summary: 'Ends all sessions but this one.',
    audience: any,
    reply: z.object({ ended: z.number().int() }),
  }),
  secondFactor: route({
    method: 'GET',
    path: '/operator/second-factor',
    summary: 'Which second factors are on.',
    audience: any,
    reply: secondFactor,
  }),
  beginTotp: route({
    method: 'POST',
    path: '/operator/second-factor/totp',
    summary: 'A secret for an authenticator app; guards nothing until its first code.',
    audience: any,
    stepUp: true,
    reply: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['conflict'],
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/operator/second-factor/totp/confirm',
    summary: 'Switches the authenticator app on; answers recovery codes where there are none yet.',
    audience: any,
    stepUp: true,
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
    errors: ['second_factor_wrong'],
  }),
  removeTotp: route({
    method: 'DELETE',
    path: '/operator/second-factor/totp',
    summary: 'Switches the authenticator app off.',
    audience: any,
    stepUp: true,
    reply: z.void(),
  }),
  newRecoveryCodes: route({
    method: 'POST',
    path: '/operator/second-factor/recovery-codes',
    summary: 'Ten new recovery codes; the old ones end.',
    audience: any,
    stepUp: true,
    reply: recoveryCodes,
    errors: ['conflict'],
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/operator/passkeys/options',
    summary: 'A challenge for a new passkey.',
    audience: any,
    stepUp: true,
    reply: passkeyOptions,
  }),
  addPasskey: route({
    method: 'POST',
    path: '/operator/passkeys',
    summary: 'Keeps a new passkey; answers recovery codes where there are none yet.',
    audience: any,
    stepUp: true,
    body: z.object({ name: passkeyName, answer: passkeyAnswer }),
    reply: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
    errors: ['passkey_refused', 'conflict'],
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/operator/passkeys/:id',
    summary: 'Removes a passkey.',
    audience: any,
    stepUp: true,
    params: byId,
    reply: z.void(),
    errors: ['not_found'],
  }),
} as const
