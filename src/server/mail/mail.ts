import type { MailServerInput, MailWords } from '../../shared/api/mail-templates.ts'
import { trimZeros } from '../../shared/money.ts'
import type { Config } from '../config.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import { figure } from '../figures.ts'
import type { Limits } from '../limits/limits.ts'
import type { Outside } from '../outside/outside.ts'
import {
  openName,
  openRefundAddress,
  type Secrets,
  type StoredText,
  storedName,
  storedRefundAddress,
} from '../secrets/secrets.ts'
import {
  type AnnouncementMail,
  beginAnnouncementMail,
  surelyNotSent,
  takeBackAnnouncementMail,
} from './announcement-mails.ts'
import { type DeliveryQuery, noteDelivery, noteGivenUp, readDeliveries } from './delivery-log.ts'
import type { Language, Mail, MailContent, OrderFacts, RefundFacts } from './mail-kinds.ts'
import { sampleMail } from './mail-samples.ts'
import { MailServer } from './mail-server.ts'
import { mailInWords } from './mail-words.ts'
import {
  endOfTries,
  hurryMails,
  MAIL_ATTEMPTS,
  NoMailServer,
  parkMail,
  postponeMail,
  releaseMails,
} from './parked-mails.ts'
import { type RenderedMail, renderMail } from './render.ts'
import type { Brand } from './templates/template.ts'
import { mailText } from './templates.ts'
import type { MailText } from './text.ts'
import { MailWaits, mayMail } from './unproved-mailboxes.ts'

export type { Language, Mail, MailContent, OwnerNotice } from './mail-kinds.ts'
export { issuesOfWords, wordRules } from './mail-words.ts'
export { MAIL_TASKS } from './parked-mails.ts'

export type OrderMailKind = 'order_created' | 'order_approved' | 'order_rejected' | 'wallet_changed'
export type RefundMailKind = 'refund_due' | 'refund_claimed' | 'refund_paid'

/** Possibly about a refund. */
export type OrderMail =
  | { kind: OrderMailKind; orderId: string }
  | { kind: RefundMailKind; orderId: string; refundId: string }

/** Facts of a job besides its payload. */
export interface JobTry {
  id: string
  /** True for a retry. */
  isRepeat?: boolean
  /** True for the last try. */
  isLast?: boolean
}

export interface NoticesNeeds {
  database: Database
  secrets: Secrets
  mail: Config['mail']
  /** In a demo, mails are read in their folder, so none waits for a server. */
  isDemo?: boolean
  outside?: Outside
  publicUrl: string
  /** Limits mails to unproven mailboxes; left out: no limit. */
  limits?: Pick<Limits, 'take'>
  log: { info(fields: object, message: string): void }
}

interface RefundRow {
  id: string
  refund_id: string
  token: string
  currency: string
  amount: string
  usd: string
  address: StoredText
  transaction_id: string | null
  is_by_word: boolean
  email: string
  reference: string
  name: StoredText
  language: Language
}

interface OrderRow {
  id: string
  token: string
  currency: string
  crypto_amount: string
  receive_tokens: string
  bonus_tokens: string
  usd: string
  status: string
  detail: string
  base_tokens: string
  asked_tokens: string
  expires_at: Date
  watched: boolean
  /** Whether it had been approved before its rejection, and whether an operator rejected it. */
  was_reversed: boolean
  by_operator: boolean
  was_taken_back: boolean
  email: string
  reference: string
  name: StoredText
  language: Language
}

type Opened<Row> = Omit<Row, 'name'> & { name: string }

/** Mails. Each is a job in the transaction of its cause, so that it is sent if and only if that commits. */
export class Mailer {
  /** By task name, for the job queue. */
  readonly tasks: Record<
    'send_mail' | 'order_mail' | 'order_mails' | 'announcement_mail',
    (payload: unknown, job: JobTry) => Promise<void>
  >
  readonly #needs: NoticesNeeds
  readonly server: MailServer
  readonly #host: string

  constructor(needs: NoticesNeeds) {
    this.#needs = needs
    const { database, secrets, mail, outside } = needs
    this.server = new MailServer({ database, secrets, given: mail, outside })
    this.#host = new URL(needs.publicUrl).hostname
    this.tasks = {
      send_mail: this.#task('send_mail', (payload, job) => this.#sendSealed(payload as SealedMail, job)),
      order_mail: this.#task('order_mail', (payload, job) => this.#sendOrderMail(payload as OrderMail, job)),
      order_mails: (payload) => this.#addGathered(payload as GatheredMails),
      announcement_mail: this.#task('announcement_mail', (payload, job) =>
        this.#sendAnnouncement(payload as AnnouncementMail, job),
      ),
    }
  }

  /** The content is encrypted until it is sent. */
  async sendMail(tx: Queryable, mail: Mail): Promise<void> {
    await this.#addSealed(tx, mail)
  }

  async #addSealed(tx: Queryable, mail: MailOrTest): Promise<void> {
    const sealed = this.#needs.secrets.encrypt('mail', JSON.stringify(mail), mail.kind).toString('base64')
    await tx.query(
      sql`select graphile_worker.add_job('send_mail',
            json_build_object('kind', ${mail.kind}::text, 'sealed', ${sealed}::text), max_attempts => ${MAIL_ATTEMPTS})`,
    )
  }

  /**
   * Sends a mail to each order's buyer, except demo accounts and deleted ones. Several are queued as one job.
   */
  async sendOrderMails(tx: Queryable, mails: readonly OrderMail[]): Promise<void> {
    if (mails.length === 0) return
    const gathered = {
      kinds: mails.map((mail) => mail.kind),
      orderIds: mails.map((mail) => mail.orderId),
      refundIds: mails.map((mail) => ('refundId' in mail ? mail.refundId : null)),
    }
    // In a rush one job holds all: separate jobs would cost a sixth of an order.
    if (mails.length === 1) return addOrderMails(tx, gathered)
    await tx.query(
      sql`select graphile_worker.add_job('order_mails',
            json_build_object('kinds', ${gathered.kinds}::text[], 'orderIds', ${gathered.orderIds}::bigint[],
                              'refundIds', ${gathered.refundIds}::bigint[]), max_attempts => ${MAIL_ATTEMPTS})`,
    )
  }

  /** With example values. */
  async preview(kind: MailContent['kind'], language: Language, words: MailWords): Promise<RenderedMail> {
    const brand = await this.#readBrand()
    return renderMail(mailInWords(sampleMail(kind, language), brand, words).text, brand, language)
  }

  /** The job sends a preview. */
  async sendTest(
    tx: Queryable,
    { kind, language, to }: Pick<Mail, 'kind' | 'language' | 'to'>,
    words: MailWords,
  ): Promise<void> {
    await this.#addSealed(tx, { ...sampleMail(kind, language, to), words })
  }

  /** A sample with the given settings, or the active ones (null). Throws the mail server's answer. */
  async trySending(to: string, language: Language, server: MailServerInput | null): Promise<void> {
    const delivery = await (server ? this.server.trial(server) : this.server.delivery())
    try {
      const brand = await this.#readBrand()
      const kind = 'order_approved'
      const text = mailText(sampleMail(kind, language, to), brand)
      const rendered = renderMail({ ...text, subject: `[TEST] ${text.subject}` }, brand, language)
      const messageId = `<try-${Date.now()}@${this.#host}>`
      await delivery.send({ ...rendered, to, fromName: brand.name, messageId, kind })
    } finally {
      if (server) delivery.close()
    }
  }

  /** For a periodic task: sends waiting mails if a mail server is configured. */
  async sendWaiting(): Promise<void> {
    if (await this.server.isSet()) await releaseMails(this.#needs.database, null)
  }

  /** Sends a waiting or abandoned mail (`id`) again, or all waiting and failing ones. Returns the number. */
  async resend(tx: Queryable, id: string | null): Promise<number> {
    const released = await releaseMails(tx, id)
    return id === null ? released + (await hurryMails(tx)) : released
  }

  deliveries(query: DeliveryQuery): ReturnType<typeof readDeliveries> {
    return readDeliveries(this.#needs.database, query)
  }

  close(): void {
    this.server.close()
  }

  /**
   * A mail that is not retried is parked, to be resent by an operator or a new mail server. One beyond the
   * limit of its kind is queued anew for later.
   */
  #task(
    name: string,
    run: (payload: unknown, job: JobTry) => Promise<void>,
  ): (payload: unknown, job: JobTry) => Promise<void> {
    return async (payload, job) => {
      const { delivery, nth = job.id, ...given } = payload as { delivery?: string; nth?: string }
      const mail = delivery ? { ...job, id: delivery, isRepeat: true } : job
      try {
        await run(given, mail)
      } catch (error) {
        if (error instanceof MailWaits)
          return postponeMail(this.#needs.database, name, { ...given, nth }, error)
        if (endOfTries(error, job.isLast ?? false) === null) throw error
        await parkMail(this.#needs.database, mail.id, name, given)
      }
    }
  }

  async #sendSealed({ kind, sealed }: SealedMail, job: JobTry): Promise<void> {
    const text = this.#needs.secrets.decrypt('mail', Buffer.from(sealed, 'base64'), kind)
    const { words, ...mail } = JSON.parse(text) as MailOrTest
    await this.#deliver(mail as Mail, job, words)
  }

  async #addGathered(gathered: GatheredMails): Promise<void> {
    await addOrderMails(this.#needs.database, gathered)
  }

  async #sendOrderMail(mail: OrderMail, job: JobTry): Promise<void> {
    const { database, secrets, publicUrl } = this.#needs
    if ('refundId' in mail) {
      const row = await readRefund(database, mail.kind, String(mail.refundId))
      if (!row) return
      const address = openRefundAddress(secrets, { id: row.refund_id, address: row.address }) ?? ''
      const content = refundContent(mail.kind, { ...row, address, name: openName(secrets, row) }, publicUrl)
      await this.#deliver({ to: row.email, language: row.language, ...content }, job)
      return
    }
    const row = await readOrder(database, String(mail.orderId))
    if (!row) return
    const content = orderContent(mail.kind, { ...row, name: openName(secrets, row) }, publicUrl)
    if (content) await this.#deliver({ to: row.email, language: row.language, ...content }, job)
  }

  /** At most once: if its delivery is uncertain it is not resent. */
  async #sendAnnouncement(told: AnnouncementMail, job: JobTry): Promise<void> {
    const { database, publicUrl, log } = this.#needs
    const mail = await beginAnnouncementMail(database, told, publicUrl)
    if (!mail) return
    try {
      await this.#deliver(mail, job)
    } catch (error) {
      if (surelyNotSent(error)) {
        await takeBackAnnouncementMail(database, told)
        throw error
      }
      await noteGivenUp(database, job.id)
      log.info({ err: error, kind: mail.kind }, 'a mail that may have gone out is not sent again')
    }
  }

  /** Sends a mail with the active text, or a test with its own. */
  async #deliver(mail: Mail, job: JobTry, test?: MailWords): Promise<void> {
    const { log, database, limits } = this.#needs
    if (limits && !test && !job.isRepeat && !(await mayMail(database, limits, mail))) {
      log.info({ kind: mail.kind }, 'a mail beyond the limit of its mailbox was left out')
      return
    }
    const brand = await this.#readBrand()
    const { text, version } = await this.#textOf(mail, brand, test)
    const subject = test ? `[TEST] ${text.subject}` : text.subject
    const rendered = renderMail({ ...text, subject }, brand, mail.language)
    const messageId = `<job-${job.id}@${this.#host}>`
    const envelope = {
      to: mail.to,
      fromName: brand.name,
      messageId,
      kind: mail.kind,
      leaveLink: mail.kind === 'announcement' ? mail.leaveLink : undefined,
    }
    const tried = { jobId: job.id, mail, textVersion: version }
    let file: string | undefined
    const former = mail.through && this.server.deliveryThrough(mail.through)
    try {
      file = (await (former ?? (await this.server.delivery())).send({ ...rendered, ...envelope })).file
    } catch (error) {
      const state = endOfTries(error, job.isLast ?? false) ?? 'failing'
      await noteDelivery(database, tried, state, error instanceof Error ? error.message : String(error))
      throw error
    } finally {
      former?.close()
    }
    if (file) log.info({ kind: mail.kind, file }, 'mail written')
    else log.info({ kind: mail.kind }, 'mail sent')
    const isWaiting = file !== undefined && !this.#needs.isDemo
    await noteDelivery(database, tried, isWaiting ? 'waiting' : file ? 'kept' : 'sent')
    if (isWaiting) throw new NoMailServer()
  }

  async #textOf(mail: Mail, brand: Brand, test?: MailWords): Promise<{ text: MailText; version: number }> {
    if (test) return { text: mailInWords(mail, brand, test).text, version: 0 }
    const row = await this.#needs.database.maybeOne<{
      version: number
      subject: string | null
      body: string | null
    }>(
      sql`select version, subject, body from mail_texts where kind = ${mail.kind} and language = ${mail.language}
           order by version desc limit 1`,
    )
    if (!row || row.subject === null || row.body === null) return { text: mailText(mail, brand), version: 0 }
    const { text, inWords } = mailInWords(mail, brand, { subject: row.subject, body: row.body })
    if (!inWords)
      this.#needs.log.info({ kind: mail.kind }, 'words of a mail no longer fit: the product’s are sent')
    return { text, version: inWords ? row.version : 0 }
  }

  async #readBrand(): Promise<Brand> {
    const row = await this.#needs.database.maybeOne<{
      name: string | null
      symbol: string | null
      seller: string | null
      contact: string | null
      is_demo: boolean
    }>(
      sql`select settings ->> 'name' as name, settings ->> 'symbol' as symbol, settings #>> '{seller,name}' as seller,
                 settings #>> '{seller,contact}' as contact, is_demo from campaign`,
    )
    return {
      name: row?.name || this.#host,
      symbol: row?.symbol ?? '',
      seller: row?.seller ?? '',
      contact: row?.contact ?? '',
      isDemo: row?.is_demo ?? false,
    }
  }
}

/** A test contains its text. */
type MailOrTest = Mail & { readonly words?: MailWords }

interface SealedMail {
  readonly kind: MailContent['kind']
  /** Base64 of the encrypted mail. */
  readonly sealed: string
}

/** Mails of several orders in one job: element n of each array is mail n. */
interface GatheredMails {
  readonly kinds: readonly string[]
  readonly orderIds: readonly string[]
  readonly refundIds: readonly (string | null)[]
}

/** Job keys prevent duplicates when this job is repeated; a call must not contain a key twice. */
async function addOrderMails(tx: Queryable, { kinds, orderIds, refundIds }: GatheredMails): Promise<void> {
  await tx.query(
    sql`select count(*) from graphile_worker.add_jobs(array(
          select ('order_mail',
                  json_strip_nulls(json_build_object('kind', m.kind, 'orderId', m.order_id, 'refundId', m.refund_id)),
                  null, null, ${MAIL_ATTEMPTS}::integer,
                  concat_ws(' ', 'order_mail', m.kind, m.order_id, m.refund_id), null, null)::graphile_worker.job_spec
            from (select distinct * from unnest(${kinds}::text[], ${orderIds}::bigint[], ${refundIds}::bigint[])
                    as given(kind, order_id, refund_id)) m
            join orders o on o.id = m.order_id join users u on u.id = o.user_id
           where not u.is_demo and u.deleted_at is null))`,
  )
}

/**
 * A paid refund is this one; a claimed or due one is the order's total debt in its coin, because several
 * payments share a mail.
 */
function readRefund(db: Database, kind: RefundMailKind, refundId: string): Promise<RefundRow | undefined> {
  return db.maybeOne<RefundRow>(
    sql`select o.id, o.token, r.currency, sum(d.amount) as amount, sum(d.usd) as usd, r.id as refund_id, ${storedRefundAddress} as address, r.transaction_id,
               r.paid_via is not distinct from 'operator' as is_by_word, u.email, u.reference, ${storedName} as name, u.language
          from refunds r join orders o on o.id = r.order_id join users u on u.id = r.user_id
          join refunds d on case when ${kind} = 'refund_paid' then d.id = r.id and d.state = 'paid'
                                 else d.order_id = r.order_id and d.currency_id = r.currency_id
                                      and d.state in ('owed', 'claimed', 'prepared') end
         where r.id = ${refundId} and u.deleted_at is null and not u.is_demo group by r.id, o.id, u.id`,
  )
}

function readOrder(db: Database, orderId: string): Promise<OrderRow | undefined> {
  return db.maybeOne<OrderRow>(
    sql`select o.id, o.token, o.currency, o.crypto_amount, o.base_tokens + o.bonus_tokens as receive_tokens,
               o.bonus_tokens, o.usd, o.status, o.detail, o.base_tokens, (asked_of(o)).base_tokens as asked_tokens, o.expires_at, o.watched,
               (select e.kind = 'reversed' from order_events e where e.order_id = o.id and e.kind in ('rejected', 'reversed')
                 order by e.id desc limit 1) is true as was_reversed,
               (select e.operator_id is not null from order_events e where e.order_id = o.id and e.kind in ('rejected', 'reversed')
                 order by e.id desc limit 1) is true as by_operator,
               (select e.actor = 'buyer' from order_events e where e.order_id = o.id and e.kind in ('rejected', 'reversed')
                 order by e.id desc limit 1) is true as was_taken_back,
               u.email, u.reference, ${storedName} as name, u.language
          from orders o join users u on u.id = o.user_id
         where o.id = ${orderId} and u.deleted_at is null and not u.is_demo`,
  )
}

/** The mail's content from the order's current state; undefined if it is obsolete. */
function orderContent(
  kind: OrderMailKind,
  row: Opened<OrderRow>,
  publicUrl: string,
): MailContent | undefined {
  const facts = factsOf(row, publicUrl)
  const { watched, status, detail, by_operator: byOperator } = row
  const until = row.expires_at.toISOString()
  if (kind === 'order_created') return { kind, ...facts, until, watched }
  if (kind === 'order_rejected' && row.was_reversed)
    return { kind: 'order_reversed', ...facts, isTakenBack: row.was_taken_back }
  if (kind === 'order_rejected')
    return { kind, ...facts, watched, byOperator, isOwed: detail === 'refund_due' || detail === 'refunded' }
  if (kind !== 'order_approved') return { kind, ...facts }
  // The end of an approval has its own mail.
  if (status !== 'approved') return undefined
  if (detail !== 'underpaid') return { kind, ...facts, watched }
  return {
    kind: 'order_underpaid',
    ...facts,
    bought: figure(row.base_tokens, row.language),
    asked: figure(row.asked_tokens, row.language),
    until,
  }
}

function refundContent(
  kind: RefundMailKind,
  row: Omit<Opened<RefundRow>, 'address'> & { readonly address: string },
  publicUrl: string,
): MailContent {
  const facts: RefundFacts = {
    name: row.name,
    number: row.id,
    currency: row.currency,
    amount: trimZeros(row.amount),
    usd: row.usd,
    link: orderLink(publicUrl, row.token),
  }
  if (kind === 'refund_due') return { kind, ...facts }
  const { address } = row
  if (kind === 'refund_claimed') return { kind, ...facts, address }
  return { kind, ...facts, address, transactionId: row.transaction_id ?? '', isByWord: row.is_by_word }
}

const orderLink = (publicUrl: string, token: string) =>
  `${publicUrl}/dashboard/transaction?order=${encodeURIComponent(token)}`

function factsOf(row: Opened<OrderRow>, publicUrl: string): OrderFacts {
  return {
    name: row.name,
    number: row.id,
    currency: row.currency,
    cryptoAmount: trimZeros(row.crypto_amount),
    receiveTokens: trimZeros(row.receive_tokens),
    bonusTokens: trimZeros(row.bonus_tokens),
    usd: row.usd,
    link: orderLink(publicUrl, row.token),
  }
}
