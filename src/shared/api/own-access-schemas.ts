import { z } from 'zod'
import { passkeyAnswer, passkeyName, secondFactorCode, stepUpInput, wholeProof } from './account-inputs.ts'
import type { Cost, RouteSchemas } from './route.ts'
import { instant } from './route-schemas.ts'

export const session = z.object({
  id: z.string(),
  kind: z.enum(['browser', 'token']),
  /** The browser's name. */
  device: z.string(),
  network: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  expiresAt: instant,
  isCurrent: z.boolean(),
})

/** The 200 most recently used. */
export const sessions = z.object({ items: z.array(session), total: z.number().int() })

/** Failures by reason, network and day. */
export const failedAttempt = z.object({
  reason: z.enum(['password', 'code', 'used_code', 'step_up']),
  /** Shortened, so that many share it. */
  network: z.string(),
  attempts: z.number().int(),
  firstAt: instant,
  lastAt: instant,
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
/** In the format of `@simplewebauthn/browser`. */
export const passkeyOptions = z.record(z.string(), z.unknown())
const byId = z.object({ id: z.uuid() })
export const proofErrors = [
  'step_up_required',
  'too_many_requests',
  'password_wrong',
  'password_unproved',
  'second_factor_wrong',
  'passkey_refused',
] as const
/** Without a full proof these fail with `step_up_required`; `details.proof` names the required proof. */
const proved = {
  body: z.object({ proof: wholeProof.optional() }),
  errors: proofErrors,
} as const

/** Repeated failures send a mail. */
const PROVED: Cost = { hashes: 1, mails: 1 }
const CHANGED: Cost = { hashes: 1, mails: 2, statements: 30 }

/** Shared by buyers and operators. */
export const ownAccessSchemas = {
  stepUp: {
    summary: 'Proves again who asks, by the second factor where one is on; good for 15 minutes.',
    cost: PROVED,
    body: stepUpInput,
    reply: z.void(),
    errors: [
      'second_factor_required',
      'too_many_requests',
      'password_wrong',
      'password_unproved',
      'second_factor_wrong',
      'passkey_refused',
    ],
  },
  sessions: {
    summary: 'Where this account is signed in.',
    reply: sessions,
  },
  failedAttempts: {
    summary: 'Attempts at this account that failed, as long as they are kept, newest first, at most 50.',
    reply: z.object({ items: z.array(failedAttempt) }),
  },
  endSession: {
    summary: 'Ends one session.',
    params: byId,
    reply: z.void(),
    errors: ['step_up_required', 'not_found'],
  },
  endOtherSessions: {
    summary: 'Ends all sessions but this one.',
    /** `apiKeys`: the operator's keys that a new password would end. */
    reply: z.object({ ended: z.number().int(), apiKeys: z.number().int() }),
    errors: ['step_up_required'],
  },
  secondFactor: {
    summary: 'Which second factors are on.',
    reply: secondFactor,
  },
  beginTotp: {
    summary: 'A secret for an authenticator app; guards nothing until its first code.',
    cost: PROVED,
    ...proved,
    reply: z.object({ secret: z.string(), uri: z.string() }),
    errors: [...proved.errors, 'conflict'],
  },
  confirmTotp: {
    summary: 'Switches the authenticator app on; answers recovery codes where there are none yet.',
    cost: CHANGED,
    body: z.object({ code: secondFactorCode }),
    reply: recoveryCodes,
    errors: ['second_factor_wrong'],
  },
  removeTotp: {
    summary: 'Switches the authenticator app off.',
    cost: CHANGED,
    ...proved,
    reply: z.void(),
  },
  newRecoveryCodes: {
    summary: 'Ten new recovery codes, which count after a day; the old ones end.',
    cost: CHANGED,
    ...proved,
    reply: recoveryCodes,
    errors: [...proved.errors, 'conflict'],
  },
  passkeyOptions: {
    summary: 'A challenge for a new passkey.',
    cost: PROVED,
    ...proved,
    reply: passkeyOptions,
  },
  addPasskey: {
    summary: 'Keeps a new passkey; answers recovery codes where there are none yet.',
    cost: CHANGED,
    body: z.object({ name: passkeyName, answer: passkeyAnswer }),
    reply: z.object({ passkey, recoveryCodes: z.array(z.string()) }),
    errors: ['passkey_refused', 'conflict'],
  },
  removePasskey: {
    summary: 'Removes a passkey.',
    cost: CHANGED,
    params: byId,
    ...proved,
    reply: z.void(),
    errors: [...proved.errors, 'not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
