import type { z } from 'zod'
import type { Right } from '../roles.ts'
import type {
  apiKey,
  integrationSchemas,
  saleEvent,
  webhook,
  webhookDelivery,
} from './integrations-schemas.ts'
import { executes, routes } from './route.ts'

/** Scopes of an API key. Of the actions that need a step-up, a key may only execute those `isOpenToKeys`. */
export const apiKeyScopes = [
  'users:read',
  'orders:read',
  'ledger:read',
  'orders:decide',
  'content:write',
  'audit:read',
  'events:read',
] as const satisfies readonly Right[]
export type ApiKeyScope = (typeof apiKeyScopes)[number]
export type ApiKey = z.infer<typeof apiKey>

/**
 * For an order's purchases: `order.approved` for the first, `order.adjusted` for more or less than before,
 * `order.undone` if its chain took all back. A rejection sends `order.rejected` alone. Each has the current
 * amounts.
 */
export const webhookEvents = [
  'order.created',
  'order.approved',
  'order.adjusted',
  'order.undone',
  'order.rejected',
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
export type Webhook = z.infer<typeof webhook>
export type WebhookDelivery = z.infer<typeof webhookDelivery>
export type SaleEvent = z.infer<typeof saleEvent>

export const integrationRoutes = routes<typeof integrationSchemas>()({
  keys: { method: 'GET', path: '/operator/api-keys', audience: { operator: 'api-keys:write' } },
  addKey: { method: 'POST', path: '/operator/api-keys', ...executes('api-key.add') },
  renewKey: { method: 'POST', path: '/operator/api-keys/:id/renewal', ...executes('api-key.renew') },
  revokeKey: { method: 'DELETE', path: '/operator/api-keys/:id', ...executes('api-key.revoke') },
  webhooks: { method: 'GET', path: '/operator/webhooks', audience: { operator: 'webhooks:write' } },
  addWebhook: { method: 'POST', path: '/operator/webhooks', ...executes('webhook.add') },
  updateWebhook: { method: 'PUT', path: '/operator/webhooks/:id', ...executes('webhook.update') },
  rotateSecret: {
    method: 'POST',
    path: '/operator/webhooks/:id/rotate-secret',
    ...executes('webhook.rotate-secret'),
  },
  removeWebhook: { method: 'DELETE', path: '/operator/webhooks/:id', ...executes('webhook.remove') },
  testWebhook: { method: 'POST', path: '/operator/webhooks/:id/test', ...executes('webhook.test') },
  deliveries: {
    method: 'GET',
    path: '/operator/webhooks/:id/deliveries',
    audience: { operator: 'webhooks:write' },
  },
  redeliver: {
    method: 'POST',
    path: '/operator/webhook-deliveries/:id/redeliver',
    ...executes('webhook.redeliver'),
  },
  events: { method: 'GET', path: '/events', audience: { operator: 'events:read' } },
})
