import { z } from 'zod'
import {
  emailAddress,
  factorBeside,
  knownPassword,
  language,
  linkToken,
  newPassword,
  plainText,
  secondFactorCode,
} from './account-inputs.ts'

export const operatorLoginInput = z.object({
  login: plainText(100).min(1, 'login_missing'),
  password: knownPassword,
  code: secondFactorCode.optional(),
  as: z.enum(['cookie', 'token']).default('cookie'),
})

export const operatorPasswordInput = z
  .object({
    name: plainText(100).min(2, 'too_short 2'),
    oldPassword: z.string().min(4, 'too_short 4').max(200),
    newPassword,
    confirmPassword: z.string().min(1, 'required').optional(),
    proof: factorBeside,
  })
  .refine((input) => input.confirmPassword === undefined || input.confirmPassword === input.newPassword, {
    path: ['confirmPassword'],
    message: 'passwords_differ',
  })

/** Used by a one-time link. The address is stored if none is known, the language is the page's. */
export const invitationUseInput = z
  .object({
    token: linkToken,
    password: newPassword,
    confirmPassword: z.string().min(1, 'required').optional(),
    email: z.preprocess((value) => (value === '' ? undefined : value), emailAddress.optional()),
    language: language.optional(),
  })
  .refine((input) => input.confirmPassword === undefined || input.confirmPassword === input.password, {
    path: ['confirmPassword'],
    message: 'passwords_differ',
  })
