import { z } from 'zod'
import { leavesNothingOut } from '../left-out-inputs.ts'
import { wholeProof } from './account-inputs.ts'
import { apiKeyScopes, integrationRoutes, webhookEvents } from './integrations.ts'
import { webhookChange, webhookInput } from './integrations-inputs.ts'
import { proofErrors } from './own-access-schemas.ts'
import type { Cost, RouteSchemas } from './route.ts'
import { endpoints, instant, manyQuery, numberInPath, pageOf, pageQuery } from './route-schemas.ts'

export const apiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The key's first characters. */
  hint: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  operator: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
})

export const webhook = z.object({
  id: z.number().int(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  description: z.string(),
  disabledAt: instant.nullable(),
  createdAt: instant,
  revision: z.number().int(),
  lastDelivery: z.object({ state: z.enum(['pending', 'delivered', 'failed']), at: instant }).nullable(),
})

export const webhookDelivery = z.object({
  id: z.string(),
  /** The `webhook-id` header: equal for all attempts, so that receivers drop repeats. */
  messageId: z.string(),
  event: z.enum(webhookEvents),
  payload: z.unknown(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(
    z.object({
      at: instant,
      status: z.number().int().nullable(),
      error: z.string().nullable(),
      durationMs: z.number().int(),
      response: z.string().nullable(),
    }),
  ),
  nextAttemptAt: instant.nullable(),
  createdAt: instant,
  deliveredAt: instant.nullable(),
})

export const saleEvent = z.object({
  /** The `webhook-id`. */
  id: z.string(),
  /** Increases by one; jumps far ahead after a restored backup. */
  number: z.number().int(),
  type: z.enum(webhookEvents),
  timestamp: instant,
  data: z.record(z.string(), z.unknown()),
})

const byId = z.object({ id: numberInPath })
const lifeDays = z.number().int().min(1).max(366)
/** A key expires unless it is renewed. */
const LIFE_DAYS = 90
const KEY_MADE: Cost = { hashes: 1 }

export const integrationSchemas = {
  keys: {
    summary: 'API keys, newest first; the keys themselves are stored as hashes.',
    query: manyQuery,
    reply: pageOf(apiKey),
  },
  addKey: {
    summary:
      'Makes an API key that acts for the operator who makes it, within its scopes, for a year at most. Shown once. Every owner gets a mail.',
    cost: KEY_MADE,
    body: z.object({
      name: z.string().trim().min(1).max(80),
      scopes: z.array(z.enum(apiKeyScopes)).min(1).max(apiKeyScopes.length),
      expiresInDays: lifeDays.default(LIFE_DAYS),
      proof: wholeProof.optional(),
    }),
    reply: apiKey.extend({ key: z.string() }),
    errors: proofErrors,
  },
  renewKey: {
    summary:
      'Lets a key that is in use end so many days from now. Its operator is mailed a week before a key ends.',
    params: byId,
    cost: KEY_MADE,
    body: z.object({ expiresInDays: lifeDays.default(LIFE_DAYS), proof: wholeProof.optional() }),
    reply: apiKey,
    errors: [...proofErrors, 'not_found', 'conflict'],
  },
  revokeKey: {
    summary: 'Revokes a key at once; it stays listed.',
    params: byId,
    reply: apiKey,
    errors: ['not_found'],
  },
  webhooks: {
    summary: 'Webhooks, newest first.',
    query: manyQuery,
    reply: pageOf(webhook),
  },
  addWebhook: {
    summary: 'Adds a webhook; its signing secret is shown once.',
    body: webhookInput,
    reply: webhook.extend({ secret: z.string() }),
    errors: ['webhook_url_refused'],
  },
  updateWebhook: {
    summary: 'Changes a webhook or switches it off or on, if nobody changed it since `revision`.',
    params: byId,
    body: leavesNothingOut(webhookChange),
    reply: webhook,
    errors: ['not_found', 'webhook_url_refused', 'conflict'],
  },
  rotateSecret: {
    summary: 'Makes a new signing secret, shown once. For a day messages carry signatures by both.',
    params: byId,
    reply: z.object({ secret: z.string() }),
    errors: ['not_found'],
  },
  removeWebhook: {
    summary: 'Deletes a webhook with its deliveries.',
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  },
  testWebhook: {
    summary: 'Sends a `webhook.test` message.',
    params: byId,
    reply: webhookDelivery,
    errors: ['not_found'],
  },
  deliveries: {
    summary: 'Deliveries of a webhook, newest first, each with its attempts.',
    params: byId,
    query: pageQuery.extend({ state: z.enum(['pending', 'delivered', 'failed']).optional() }),
    reply: pageOf(webhookDelivery),
    errors: ['not_found'],
  },
  redeliver: {
    summary: 'Sends a kept message again, now and with the same id.',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    reply: webhookDelivery,
    errors: ['not_found'],
  },
  events: {
    summary:
      'What happened after the event of this number, in order, whether or not a webhook was told; without `after` from the oldest that is kept.',
    query: z.object({
      after: z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    reply: z.object({
      items: z.array(saleEvent),
      last: z.number().int(),
    }),
    errors: ['events_gone'],
  },
} as const satisfies Record<string, RouteSchemas>
export const integrationEndpoints = endpoints(integrationRoutes, integrationSchemas)
