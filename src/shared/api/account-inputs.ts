import { z } from 'zod'
import { languages } from '../languages.ts'
import { passwordMax, passwordMin } from '../password-min.ts'

/** Markup and direction marks are allowed, because pages show names as text. */
export const plainText = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `too_long ${max}`)
    .regex(/^\P{Cc}*$/u, 'control_characters')

export const personName = plainText(120).min(1, 'name_missing')
export const emailAddress = z.string().trim().max(254, 'too_long 254').pipe(z.email('email_format'))
export const phoneNumber = z
  .string()
  .trim()
  .max(40, 'too_long 40')
  .regex(/^(?=(?:\D*\d){5})\+?[\d\s().-]{5,40}$/, 'phone_format')
export const newPassword = z
  .string()
  .min(passwordMin, `too_short ${passwordMin}`)
  .max(passwordMax, `too_long ${passwordMax}`)
export const knownPassword = z.string().min(1, 'password_missing').max(200)
export const secondFactorCode = z.string().trim().min(6, 'code_format').max(20, 'code_format')
export const passkeyAnswer = z.record(z.string(), z.unknown())
/** A nickname needs a visible character; default-ignorable code points are invisible. */
export const nickname = z
  .string()
  .trim()
  .regex(/^(?!.*\p{DI})[\p{L}\p{N}][\p{L}\p{N} ._-]{0,28}[\p{L}\p{N}]$/u, 'nickname_format')
export const language = z.enum(languages)
const emptyIsNull = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    schema.nullable(),
  )

const samePasswords = (input: { password: string; confirmPassword?: string | undefined }) =>
  input.confirmPassword === undefined || input.confirmPassword === input.password
const sameNewPasswords = (input: { newPassword: string; confirmPassword?: string | undefined }) =>
  input.confirmPassword === undefined || input.confirmPassword === input.newPassword
const mismatch = { path: ['confirmPassword'], message: 'passwords_differ' }

/** `cookie` for browsers; `token` for API clients, to send as `Authorization: Bearer`. */
export const sessionAs = z.enum(['cookie', 'token']).default('cookie')

export const registerInput = z
  .object({
    name: personName,
    email: emailAddress,
    /** Required, optional or absent, by the campaign's setting. */
    phone: emptyIsNull(phoneNumber).optional(),
    password: newPassword,
    confirmPassword: z.string().min(1, 'required').optional(),
    language: language.optional(),
    as: sessionAs,
  })
  .refine(samePasswords, mismatch)

export const linkToken = z.string().min(20).max(100)

/** `hints` are the person's other inputs so far. */
export const strengthInput = z.object({
  password: newPassword,
  hints: z.array(plainText(254)).max(3, 'too_large 3').default([]),
})

export const resetRequestInput = z.object({ email: emailAddress })

const chosenPassword = {
  password: newPassword,
  confirmPassword: z.string().min(1, 'required').optional(),
}
export const chosenPasswordInput = z.object(chosenPassword).refine(samePasswords, mismatch)
export const resetInput = z.object({ token: linkToken, ...chosenPassword }).refine(samePasswords, mismatch)

export const loginInput = z.object({
  email: plainText(254).min(1, 'email_missing'),
  password: knownPassword,
  /** An authenticator's code or a recovery code, after `second_factor_required`. */
  code: secondFactorCode.optional(),
  as: sessionAs,
})

/** The password, plus a second factor if one is on. */
export const wholeProof = z.object({
  password: knownPassword,
  code: secondFactorCode.optional(),
  passkey: passkeyAnswer.optional(),
})

/** The second factor of a form that asks for the password itself; required if one is on. */
export const factorBeside = wholeProof.partial({ password: true }).optional()

export const profileInput = z.object({
  name: personName.optional(),
  /** Takes effect when the link mailed to it is used. */
  email: emailAddress.optional(),
  phone: emptyIsNull(phoneNumber).optional(),
  language: language.optional(),
  showsOnLeaderboard: z.boolean().optional(),
  nickname: emptyIsNull(nickname).optional(),
  proof: wholeProof.optional(),
})

export const passwordInput = z
  .object({
    currentPassword: knownPassword,
    newPassword,
    confirmPassword: z.string().min(1, 'required').optional(),
    proof: factorBeside,
  })
  .refine(sameNewPasswords, mismatch)

export const stepUpInput = z
  .object({
    password: knownPassword.optional(),
    code: secondFactorCode.optional(),
    passkey: passkeyAnswer.optional(),
  })
  .refine(
    (input) =>
      [input.password, input.code, input.passkey].filter((given) => given !== undefined).length === 1,
    {
      message: 'proof_missing',
      path: ['password'],
    },
  )

export const passkeyName = plainText(60).min(1, 'label_missing')
