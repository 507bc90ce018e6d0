import { trimZeros } from '../../shared/money.ts'
import type { Config } from '../config.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import {
  openName,
  openRefundAddress,
  type Secrets,
  type StoredText,
  storedName,
  storedRefundAddress,
} from '../secrets/secrets.ts'
import { type Delivery, deliveryBy } from './delivery.ts'
import type { Language, Mail, MailContent, OrderFacts, RefundFacts } from './mail-kinds.ts'
import { renderMail } from './render.ts'
import type { Brand } from './templates/template.ts'
import { mailText } from './templates.ts'

export type { Mail, MailContent, OwnerNotice } from './mail-kinds.ts'

export type OrderMailKind =
  | 'order_created'
  | 'order_approved'
  | 'order_rejected'
  | 'order_underpaid'
  | 'order_late'
  | 'order_expired'
  | 'wallet_changed'
export type RefundMailKind = 'refund_due' | 'refund_claimed' | 'refund_paid'

/** A mail to the buyer of an order; of a refund of it. */
export type OrderMail =
  | { kind: OrderMailKind; orderId: string }
  | { kind: RefundMailKind; orderId: string; refundId: string }

/** What a job gets besides its payload. */
export interface JobTry {
  id: string
}

export interface NoticesNeeds {
  database: Database
  secrets: Secrets
  mail: Config['mail']
  publicUrl: string
  log: { info(fields: object, message: string): void }
}

/** With graphile's backoff of e^attempt seconds the last try is some 45 hours after the first. */
const ATTEMPTS = 12

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
  detail: string
  email: string
  reference: string
  name: StoredText
  language: Language
}

/** A row whose name was opened. */
type Opened<Row> = Omit<Row, 'name'> & { name: string }

/** Mails that ask for something as long as their order is in a state. */
const asked: Partial<Record<OrderMailKind, string>> = {
  order_underpaid: 'underpaid',
  order_late: 'late',
  order_expired: 'expired',
}

/** Mails: each is a job added in the transaction that causes it, so that the mail is sent if and only if that commits. */
export class Notices {
  /** By task name, for the job queue. */
  readonly tasks: Record<
    'send_mail' | 'order_mail' | 'order_mails',
    (payload: unknown, job: JobTry) => Promise<void>
  >
  readonly #needs: NoticesNeeds
  readonly #delivery: Delivery
  readonly #host: string

  constructor(needs: NoticesNeeds) {
    this.#needs = needs
    this.#delivery = deliveryBy(needs.mail)
    this.#host = new URL(needs.publicUrl).hostname
    this.tasks = {
      send_mail: (payload, job) => this.#sendSealed(payload as SealedMail, job),
      order_mail: (payload, job) => this.#sendOrderMail(payload as OrderMail, job),
      order_mails: (payload) => this.#addGathered(payload as GatheredMails),
    }
  }

  /** Adds a job in the transaction. The mail's content is encrypted until it is sent. */
  async sendMail(tx: Queryable, mail: Mail): Promise<void> {
    const sealed = this.#needs.secrets.encrypt('mail', JSON.stringify(mail), mail.kind).toString('base64')
    await tx.query(
      sql`select graphile_worker.add_job('send_mail',
            json_build_object('kind', ${mail.kind}::text, 'sealed', ${sealed}::text), max_attempts => ${ATTEMPTS})`,
    )
  }

  /** One mail to the buyer of each order; who is a demo account or has left gets none. Several wait as one job for a quieter moment. */
  async sendOrderMails(tx: Queryable, mails: readonly OrderMail[]): Promise<void> {
    if (mails.length === 0) return
    const gathered = {
      kinds: mails.map((mail) => mail.kind),
      orderIds: mails.map((mail) => mail.orderId),
      refundIds: mails.map((mail) => ('refundId' in mail ? mail.refundId : null)),
    }
    // In a rush one job holds them all: a job for each cost a sixth of the order itself.
    if (mails.length === 1) return addOrderMails(tx, gathered)
    await tx.query(
      sql`select graphile_worker.add_job('order_mails',
            json_build_object('kinds', ${gathered.kinds}::text[], 'orderIds', ${gathered.orderIds}::bigint[],
                              'refundIds', ${gathered.refundIds}::bigint[]), max_attempts => ${ATTEMPTS})`,
    )
  }

  close(): void {
    this.#delivery.close()
  }

  async #sendSealed({ kind, sealed }: SealedMail, job: JobTry): Promise<void> {
    const text = this.#needs.secrets.decrypt('mail', Buffer.from(sealed, 'base64'), kind)
    await this.#deliver(JSON.parse(text) as Mail, job)
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
    // Who has paid or chosen meanwhile is not asked to.
    const asksFor = asked[mail.kind]
    if (asksFor !== undefined && asksFor !== row.detail) return
    const facts = factsOf({ ...row, name: openName(secrets, row) }, publicUrl)
    await this.#deliver({ kind: mail.kind, to: row.email, language: row.language, ...facts }, job)
  }

  async #deliver(mail: Mail, job: JobTry): Promise<void> {
    const { log } = this.#needs
    const brand = await this.#readBrand()
    const rendered = renderMail(mailText(mail, brand), brand, mail.language)
    const messageId = `<job-${job.id}@${this.#host}>`
    const envelope = { to: mail.to, fromName: brand.name, messageId, kind: mail.kind }
    const { file } = await this.#delivery.send({ ...rendered, ...envelope })
    if (file) log.info({ kind: mail.kind, file }, 'mail written')
    else log.info({ kind: mail.kind }, 'mail sent')
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

/** Each job has a key, so that a repeat of the job that adds them finds those that wait already. */
async function addOrderMails(tx: Queryable, { kinds, orderIds, refundIds }: GatheredMails): Promise<void> {
  await tx.query(
    sql`select count(*) from graphile_worker.add_jobs(array(
          select ('order_mail',
                  json_strip_nulls(json_build_object('kind', m.kind, 'orderId', m.order_id, 'refundId', m.refund_id)),
                  null, null, ${ATTEMPTS}::integer,
                  concat_ws(' ', 'order_mail', m.kind, m.order_id, m.refund_id), null, null)::graphile_worker.job_spec
            from unnest(${kinds}::text[], ${orderIds}::bigint[], ${refundIds}::bigint[]) as m(kind, order_id, refund_id)
            join orders o on o.id = m.order_id join users u on u.id = o.user_id
           where not u.is_demo and u.deleted_at is null))`,
  )
}

/** A paid refund is this one; a claimed or due one is all that is still owed of its order in its coin, because several payments are one mail. */
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
               o.bonus_tokens, o.usd, o.detail, u.email, u.reference, ${storedName} as name, u.language
          from orders o join users u on u.id = o.user_id
         where o.id = ${orderId} and u.deleted_at is null and not u.is_demo`,
  )
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
