import type { Change } from '../changes/changes.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { apiKeyActs, revokeKeysOf } from './api-key-acts.ts'
import { ApiKeys } from './api-keys.ts'
import { endProofsOf } from './channel-acts.ts'
import type { Browsers } from './channel-rows.ts'
import { Channels } from './channels.ts'
import { Events } from './events.ts'
import type { Outside } from './send-message.ts'
import { webhookActs } from './webhook-acts.ts'
import { DELIVER_TASK } from './webhook-queue.ts'
import { Webhooks } from './webhooks.ts'

export interface IntegrationsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  /** Of the operators' area. */
  readonly areaUrl: string
  /** Sends to browsers by their push services. */
  readonly browsers: Browsers
  /** Tests put their own network in the place of the internet. */
  readonly outside?: Outside
  /** Adds a job in the transaction: the mail is sent if and only if it commits. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

/** What other programs connect to: scoped keys for the API, webhooks that tell them what happened, and operators' own channels. */
export class Integrations {
  /** What operators can change of both. */
  readonly acts: typeof apiKeyActs & ReturnType<typeof webhookActs> & Channels['acts']
  readonly apiKeys: ApiKeys
  readonly webhooks: Webhooks
  readonly events: Events
  readonly channels: Channels
  /** For the job queue. */
  readonly tasks: Readonly<Record<string, (payload: unknown) => Promise<void>>>

  constructor({ db, secrets, areaUrl, browsers, outside, sendMail }: IntegrationsNeeds) {
    this.apiKeys = new ApiKeys({ db, sendMail })
    this.webhooks = new Webhooks({ db, secrets, outside })
    this.events = new Events(db)
    this.channels = new Channels({ db, secrets, areaUrl, browsers, outside, sendMail })
    this.acts = { ...apiKeyActs, ...webhookActs({ secrets }), ...this.channels.acts }
    this.tasks = { [DELIVER_TASK]: (payload) => this.webhooks.deliver(payload), ...this.channels.tasks }
  }

  /** Revokes every key of an operator whose password, role or access has changed; their channels are told nothing until they are proven anew. */
  async revokeKeysOf(change: Change, operatorId: string): Promise<void> {
    await revokeKeysOf(change, operatorId)
    await endProofsOf(change, operatorId)
  }
}
