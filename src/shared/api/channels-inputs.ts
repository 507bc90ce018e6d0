import { z } from 'zod'
import { noticeKinds } from './channels.ts'
import { pushTarget } from './push-inputs.ts'

const notices = z.array(z.enum(noticeKinds)).min(1).max(noticeKinds.length)

export const channelTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('mail') }),
  z.object({
    kind: z.literal('telegram'),
    /** The token of the seller's own bot, from @BotFather. */
    token: z
      .string()
      .trim()
      .regex(/^\d{5,15}:[\w-]{30,60}$/),
    /** A chat number or a public channel's name. */
    chat: z
      .string()
      .trim()
      .regex(/^(-?\d{1,20}|@\w{4,40})$/),
  }),
  /** `device` is the browser's name in the list. */
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
