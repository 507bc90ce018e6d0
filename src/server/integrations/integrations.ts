import type { Database, Queryable } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { type ApiKeyActionsNeeds, apiKeyActions, countKeysOf, revokeKeysOf } from './api-key-actions.ts'
import { ApiKeys } from './api-keys.ts'
import { endProofsOf } from './channel-actions.ts'
import type { Browsers } from './channel-rows.ts'
import { Channels } from './channels.ts'
import { Events } from './events.ts'
import type { Outside } from './send-message.ts'
import { webhookActions } from './webhook-actions.ts'
import { DELIVER_TASK } from './webhook-queue.ts'
import { Webhooks } from './webhooks.ts'

export interface IntegrationsNeeds extends ApiKeyActionsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly areaUrl: string
  readonly browsers: Browsers
  readonly outside?: Outside
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

export class Integrations {
  readonly actions: ReturnType<typeof apiKeyActions> & ReturnType<typeof webhookActions> & Channels['actions']
  readonly apiKeys: ApiKeys
  readonly webhooks: Webhooks
  readonly events: Events
  readonly channels: Channels
  readonly tasks: Readonly<Record<string, (payload: unknown) => Promise<void>>>

  constructor(needs: IntegrationsNeeds) {
    const { db, secrets, areaUrl, browsers, outside, sendMail } = needs
    this.apiKeys = new ApiKeys({ db, sendMail })
    this.webhooks = new Webhooks({ db, secrets, outside })
    this.events = new Events(db)
    this.channels = new Channels({ db, secrets, areaUrl, browsers, outside, sendMail })
    this.actions = { ...apiKeyActions(needs), ...webhookActions({ secrets }), ...this.channels.actions }
    this.tasks = { [DELIVER_TASK]: (payload) => this.webhooks.deliver(payload), ...this.channels.tasks }
  }

  /** Of an operator whose password, role or access changed; channels need a new confirmation. */
  async revokeKeysOf(unit: UnitOfWork, operatorId: string): Promise<void> {
    await revokeKeysOf(unit, operatorId)
    await endProofsOf(unit, operatorId)
  }

  countKeysOf(db: Queryable, operatorId: string): Promise<number> {
    return countKeysOf(db, operatorId)
  }
}
