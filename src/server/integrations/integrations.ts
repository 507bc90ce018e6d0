import type { Database } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import type { Outside } from './send-message.ts'
import { createWebhooks, DELIVER_TASK, type Webhooks } from './webhooks.ts'

export type { KeyActor } from './api-keys.ts'
export type { OutboxEvent } from './webhooks.ts'

/** What other programs connect to: scoped keys for the API, and webhooks that tell them what happened. */
export interface Integrations {
  readonly apiKeys: ApiKeys
  readonly webhooks: Webhooks
  /** For the job queue. */
  readonly tasks: Record<string, (payload: unknown) => Promise<void>>
}

export interface IntegrationsOptions {
  readonly db: Database
  readonly secrets: Secrets
  /** Tests put their own network in the place of the internet. */
  readonly outside?: Outside
}

export function createIntegrations({ db, secrets, outside }: IntegrationsOptions): Integrations {
  const webhooks = createWebhooks({ db, secrets, outside })
  return {
    apiKeys: createApiKeys(db),
    webhooks,
    tasks: { [DELIVER_TASK]: (payload) => webhooks.deliver(payload) },
  }
}
