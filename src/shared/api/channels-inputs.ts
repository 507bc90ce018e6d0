import { z } from 'zod'
import { noticeKinds } from './channels.ts'
import { pushTarget } from './push-inputs.ts'

const notices = z.array(z.enum(noticeKinds)).min(1).max(noticeKinds.length)

/** Where an operator is to be told. A mail goes to the operator's own address. */
export const channelTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mail') }),
  z.object({
    kind: z.literal('telegram'),
    /** Of the seller's own bot, as @BotFather gives it. */
    token: z
      .string()
      .trim()
      .regex(/^\d{5,15}:[\w-]{30,60}$/),
    /** A number, or the name of a public channel. */
    chat: z
      .string()
      .trim()
      .regex(/^(-?\d{1,20}|@\w{4,40})$/),
  }),
  /** A browser of the operator's; `device` is what it is called in the list. */
  pushTarget.extend({ kind: z.literal('push'), device: z.string().trim().max(60) }),
  z.object({ kind: z.literal('webhook'), url: z.url().max(500) }),
])
export const channelInput = z.object({ target: channelTarget, notices })
export const noticesInput = z.object({ notices })
export const codeInput = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/),
})
