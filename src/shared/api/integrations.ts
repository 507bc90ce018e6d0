import { z } from 'zod'
import type { Right } from '../roles.ts'
import { instant, numberInPath, pageOf, pageQuery, route } from './route.ts'

/** What an API key may be allowed; never what needs a step-up or moves wallets, balances or roles. */
export const apiKeyScopes = [
  'users:read',
  'orders:read',
  'ledger:read',
  'orders:decide',
  'content:write',
  'audit:read',
] as const satisfies readonly Right[]
export type ApiKeyScope = (typeof apiKeyScopes)[number]

export const apiKey = z.object({
  id: z.number().int(),
  name: z.string(),
  /** First characters of the key, to tell keys apart. */
  hint: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  operator: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  revokedAt: instant.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** What a webhook can be told. */
export const webhookEvents = [
  'order.created',
  'order.approved',
  'order.rejected',
  'order.expired',
  'order.cancelled',
  'grant.added',
  'grant.reversed',
  'payment.to_decide',
  'refund.owed',
  'refund.sent',
  'refund.paid',
  'refund.written_off',
  'campaign.changed',
  'webhook.test',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export const webhook = z.object({
  id: z.number().int(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  description: z.string(),
  disabledAt: instant.nullable(),
  createdAt: instant,
  revision: z.number().int(),
  /** Of the last delivery that was tried. */
  lastDelivery: z.object({ state: z.enum(['pending', 'delivered', 'failed']), at: instant }).nullable(),
})
export type Webhook = z.infer<typeof webhook>

export const webhookDelivery = z.object({
  id: z.string(),
  /** `webhook-id` of the Standard Webhooks headers: the same on every attempt, for receivers to drop repeats. */
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
export type WebhookDelivery = z.infer<typeof webhookDelivery>

const byId = z.object({ id: numberInPath })
export const webhookInput = z.object({
  url: z.url().max(500),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  description: z.string().trim().max(200).default(''),
})

export const integrationRoutes = {
  keys: route({
    method: 'GET',
    path: '/operator/api-keys',
    summary: 'API keys, newest first; the keys themselves are stored as hashes.',
    audience: { operator: 'api-keys:write' },
    reply: z.object({ items: z.array(apiKey) }),
  }),
  addKey: route({
    method: 'POST',
    path: '/operator/api-keys',
    summary: 'Makes an API key that acts for the operator who makes it, within its scopes. Shown once.',
    audience: { operator: 'api-keys:write' },
    stepUp: true,
    body: z.object({
      name: z.string().trim().min(1).max(80),
      scopes: z.array(z.enum(apiKeyScopes)).min(1).max(apiKeyScopes.length),
      expiresInDays: z.number().int().min(1).max(3650).nullable().default(null),
    }),
    reply: apiKey.extend({ key: z.string() }),
  }),
  revokeKey: route({
    method: 'DELETE',
    path: '/operator/api-keys/:id',
    summary: 'Revokes a key at once; it stays listed.',
    audience: { operator: 'api-keys:write' },
    params: byId,
    reply: apiKey,
    errors: ['not_found'],
  }),
  webhooks: route({
    method: 'GET',
    path: '/operator/webhooks',
    summary: 'Webhooks, newest first.',
    audience: { operator: 'webhooks:write' },
    reply: z.object({ items: z.array(webhook) }),
  }),
  addWebhook: route({
    method: 'POST',
    path: '/operator/webhooks',
    summary: 'Adds a webhook; its signing secret is shown once.',
    audience: { operator: 'webhooks:write' },
    stepUp: true,
    body: webhookInput,
    reply: webhook.extend({ secret: z.string() }),
    errors: ['webhook_url_refused'],
  }),
  updateWebhook: route({
    method: 'PUT',
    path: '/operator/webhooks/:id',
    summary: 'Changes a webhook or switches it off or on, if nobody changed it since `revision`.',
    audience: { operator: 'webhooks:write' },
    stepUp: true,
    params: byId,
    body: webhookInput.extend({ revision: z.number().int(), disabled: z.boolean() }),
    reply: webhook,
    errors: ['not_found', 'webhook_url_refused', 'conflict'],
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/operator/webhooks/:id/rotate-secret',
    summary: 'Makes a new signing secret, shown once. For a day messages carry signatures by both.',
    audience: { operator: 'webhooks:write' },
    stepUp: true,
    params: byId,
    reply: z.object({ secret: z.string() }),
    errors: ['not_found'],
  }),
  removeWebhook: route({
    method: 'DELETE',
    path: '/operator/webhooks/:id',
    summary: 'Deletes a webhook with its deliveries.',
    audience: { operator: 'webhooks:write' },
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  }),
  testWebhook: route({
    method: 'POST',
    path: '/operator/webhooks/:id/test',
    summary: 'Sends a `webhook.test` message.',
    audience: { operator: 'webhooks:write' },
    params: byId,
    reply: webhookDelivery,
    errors: ['not_found'],
  }),
  deliveries: route({
    method: 'GET',
    path: '/operator/webhooks/:id/deliveries',
    summary: 'Deliveries of a webhook, newest first, each with its attempts.',
    audience: { operator: 'webhooks:write' },
    params: byId,
    query: pageQuery.extend({ state: z.enum(['pending', 'delivered', 'failed']).optional() }),
    reply: pageOf(webhookDelivery),
    errors: ['not_found'],
  }),
  redeliver: route({
    method: 'POST',
    path: '/operator/webhook-deliveries/:id/redeliver',
    summary: 'Sends a kept message again, now and with the same id.',
    audience: { operator: 'webhooks:write' },
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    reply: webhookDelivery,
    errors: ['not_found'],
  }),
} as const
