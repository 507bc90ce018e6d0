import { z } from 'zod'
import { channelKinds, channelRoutes, noticeKinds } from './channels.ts'
import { channelInput, codeInput, noticesInput } from './channels-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

export const channel = z.object({
  id: z.number().int(),
  kind: z.enum(channelKinds),
  /** The target without its secret parts. */
  label: z.string(),
  notices: z.array(z.enum(noticeKinds)),
  /** When the test message's code was confirmed; nothing else is sent before. */
  provenAt: instant.nullable(),
  lastSentAt: instant.nullable(),
  lastError: z.string().nullable(),
  /** Set when every try failed; a new confirmation resumes sending. */
  stoppedAt: instant.nullable(),
})

const byId = z.object({ id: numberInPath })
const refusedWay = [
  'webhook_url_refused',
  'push_address_refused',
  'own_email_missing',
  'channels_full',
] as const

export const channelSchemas = {
  list: {
    summary: 'Where the operator who asks is told of what happens.',
    reply: z.object({ items: z.array(channel) }),
  },
  add: {
    summary: 'Adds a channel and sends it a code; nothing else is sent before the code came back.',
    body: channelInput,
    reply: channel,
    errors: refusedWay,
  },
  update: {
    summary: 'Chooses what a channel is told of.',
    params: byId,
    body: noticesInput,
    reply: channel,
    errors: ['not_found'],
  },
  sendCode: {
    summary: 'Sends a channel a new code, good for 15 minutes.',
    params: byId,
    reply: channel,
    errors: ['not_found', 'own_email_missing'],
  },
  prove: {
    summary:
      'Says the code that came; five tries a code, of which wrong ones are answered with `isProven: false`.',
    params: byId,
    body: codeInput,
    reply: channel.extend({ isProven: z.boolean() }),
    errors: ['not_found'],
  },
  remove: {
    summary: 'Removes a channel.',
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
export const channelEndpoints = endpoints(channelRoutes, channelSchemas)
