import { type Channel, type NoticeKind, noticeKinds, noticeRights } from '../../shared/api/channels.ts'
import { can, type Role } from '../../shared/roles.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Language, Mail } from '../mail/mail.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { CODE_TASK, channelActions } from './channel-actions.ts'
import { type Browsers, openTarget, readChannels, type SealedTarget } from './channel-rows.ts'
import { codeLine, linesOf, merge, type Told } from './channel-words.ts'
import { type Attempt, type Outside, sendMessage } from './send-message.ts'
import type { OutboxEvent } from './webhook-messages.ts'

export const NOTICES_TASK = 'channel_notices'

/** Events within so many seconds share a message. */
const GATHER_SECONDS = 10
/** After the last try the channel stops until it is confirmed again. */
const RETRY_SECONDS = [30, 300, 1_800, 7_200, 28_800] as const
const ERROR_MAX = 300

export interface ChannelsNeeds {
  readonly db: Database
  readonly secrets: Secrets
  readonly areaUrl: string
  readonly browsers: Browsers
  readonly outside?: Outside | undefined
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

interface ApprovalDraft extends Told {
  readonly channelId: string
}

interface Active extends SealedTarget {
  readonly id: string
  readonly role: Role
  readonly language: Language
  readonly email: string | null
  readonly isProven: boolean
  readonly tries: number
}

interface Outcome {
  readonly error: string | null
  /** The target no longer exists: retries are useless. */
  readonly isGone?: boolean
}

// Rules: RIGHT-22
/** Notifies single operators of chosen kinds; each channel is confirmed first. */
export class Channels {
  readonly actions: ReturnType<typeof channelActions>
  readonly tasks: Readonly<Record<string, (payload: unknown) => Promise<void>>>
  readonly #needs: ChannelsNeeds

  constructor(needs: ChannelsNeeds) {
    this.#needs = needs
    this.actions = channelActions(needs)
    this.tasks = {
      [CODE_TASK]: (payload) => this.#sendCode((payload as { channelId: string }).channelId),
      [NOTICES_TASK]: (payload) => this.#deliver(payload as ApprovalDraft[]),
    }
  }

  list(operatorId: string): Promise<Channel[]> {
    return readChannels(this.#needs.db, operatorId)
  }

  /** In the drainer's transaction: a rush is one message in ten seconds. */
  async tell(tx: Queryable, events: readonly OutboxEvent[]): Promise<void> {
    const told = merge(events.flatMap(toldBy))
    if (told.length === 0) return
    const channels = await tx.query<{ id: string; notices: NoticeKind[]; role: Role }>(
      sql`select c.id, c.notices, o.role from operator_channels c join operators o on o.id = c.operator_id
           where c.proven_at is not null and c.stopped_at is null and o.disabled_at is null
             and c.notices && ${told.map(({ kind }) => kind)}::text[]`,
    )
    for (const { id, notices, role } of channels) {
      const wanted = told.filter(({ kind }) => notices.includes(kind) && mayHear(role, kind))
      if (wanted.length > 0) await queue(tx, id, wanted, GATHER_SECONDS)
    }
  }

  async #sendCode(id: string): Promise<void> {
    const channel = await this.#read(id)
    if (!channel || hasMoved(channel)) return
    const { error } = await this.#send(channel, [codeLine(channel.code, channel.language)])
    await this.#needs.db.query(sql`update operator_channels set last_error = ${error} where id = ${id}`)
  }

  async #deliver(waiting: readonly ApprovalDraft[]): Promise<void> {
    const id = waiting[0]?.channelId
    const channel = id === undefined ? undefined : await this.#read(id)
    if (!channel?.isProven) return
    if (hasMoved(channel)) {
      await this.#needs.db.query(
        sql`update operator_channels set proven_at = null, code_expires_at = null where id = ${channel.id}`,
      )
      return
    }
    const told = merge(waiting.filter(({ kind }) => mayHear(channel.role, kind)))
    if (told.length === 0) return
    const { error, isGone } = await this.#send(channel, linesOf(told, channel.language))
    const wait = isGone ? undefined : RETRY_SECONDS[channel.tries]
    await this.#needs.db.transaction(async (tx) => {
      if (error === null) {
        await tx.query(
          sql`update operator_channels set last_sent_at = now(), last_error = null, tries = 0 where id = ${channel.id}`,
        )
        return
      }
      await tx.query(
        sql`update operator_channels set last_error = ${error}, tries = tries + 1,
                   stopped_at = case when ${wait === undefined} then now() end where id = ${channel.id}`,
      )
      if (wait !== undefined) await queue(tx, channel.id, told, wait)
    })
  }

  async #read(id: string): Promise<Active | undefined> {
    const row = await this.#needs.db.maybeOne<{
      target_encrypted: Buffer
      role: Role
      language: Language
      email: string | null
      is_proven: boolean
      tries: number
    }>(
      sql`select c.target_encrypted, o.role, o.language, o.email, c.tries,
                 c.proven_at is not null and c.stopped_at is null as is_proven
            from operator_channels c join operators o on o.id = c.operator_id
           where c.id = ${id} and o.disabled_at is null`,
    )
    if (!row) return undefined
    const { role, language, email, is_proven: isProven, tries } = row
    const sealed = openTarget(this.#needs.secrets, id, row.target_encrypted)
    return { ...sealed, id, role, language, email, isProven, tries }
  }

  async #send(channel: Active, lines: readonly string[]): Promise<Outcome> {
    const { target, email, language } = channel
    const { db, areaUrl, outside } = this.#needs
    if (target.kind === 'mail') {
      if (email === null) return { error: 'no address' }
      const mail: Mail = { kind: 'operator_notice', to: email, language, lines: [...lines], link: areaUrl }
      await db.transaction((tx) => this.#needs.sendMail(tx, mail))
      return { error: null }
    }
    if (target.kind === 'push') {
      const { outcome, error } = await this.#needs.browsers.send(target, {
        title: new URL(areaUrl).host,
        body: lines.join('\n'),
        lang: language,
        path: new URL(areaUrl).pathname,
        tag: `operator ${channel.id} ${lines.join(' ')}`,
      })
      return { error: error?.slice(0, ERROR_MAX) ?? null, isGone: outcome === 'gone' }
    }
    const text = [...lines, areaUrl].join('\n')
    const attempt: Attempt =
      target.kind === 'telegram'
        ? await sendMessage(
            `https://api.telegram.org/bot${target.token}/sendMessage`,
            { id: channel.id, body: JSON.stringify({ chat_id: target.chat, text }) },
            [],
            outside,
          )
        : // Two names for the same, because receivers of chats ask for one or the other.
          await sendMessage(
            target.url,
            { id: channel.id, body: JSON.stringify({ type: 'operator.notice', text, content: text }) },
            [],
            outside,
          )
    return { error: attempt.error?.slice(0, ERROR_MAX) ?? null }
  }
}

/** The operator's address changed since the code was sent. */
const hasMoved = ({ target, to, email }: Active) => target.kind === 'mail' && to !== email

function toldBy({ kind, order_id: orderId, payload }: OutboxEvent): Told[] {
  const known = noticeKinds.find((notice) => notice === kind)
  const { code } = payload as { code?: string }
  return known ? [{ kind: known, count: 1, last: orderId ?? code ?? '' }] : []
}

function mayHear(role: Role, kind: NoticeKind): boolean {
  const right = noticeRights[kind]
  return right === 'any' || can(role, right)
}

async function queue(tx: Queryable, id: string, told: readonly Told[], seconds: number): Promise<void> {
  const payload = JSON.stringify(told.map((one) => ({ ...one, channelId: id })))
  await tx.query(
    sql`select graphile_worker.add_job(${NOTICES_TASK}::text, ${payload}::json,
                 run_at => now() + make_interval(secs => ${seconds}), job_key => 'operator-channel:' || ${id}::text,
                 job_key_mode => 'preserve_run_at', max_attempts => 3, priority => 10)`,
  )
}
