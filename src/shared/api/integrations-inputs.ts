import { z } from 'zod'
import { webhookEvents } from './integrations.ts'

export const webhookInput = z.object({
  url: z.url().max(500),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  description: z.string().trim().max(200).default(''),
})

export const webhookChange = webhookInput.extend({ revision: z.number().int(), disabled: z.boolean() })
