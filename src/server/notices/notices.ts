import { trimZeros } from '../../shared/money.ts'
import type { Config } from '../config.ts'
import { type Database, type Queryable, statement } from '../database/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { createDelivery } from './delivery.ts'
import type { Language, Mail, MailContent, OrderFacts, RefundFacts } from './mail-kinds.ts'
import { renderMail } from './render.ts'
import { type Brand, mailText } from './templates.ts'

export type { Mail, MailContent, OwnerNotice } from './mail-kinds.ts'

export type OrderMailKind = 'order_created' | 'order_approved' | 'order_rejected' | 'wallet_changed'
export type RefundMailKind = 'refund_due' | 'refund_paid'

/** A mail to the buyer of an order; of a refund of it. */
export type OrderMail =
  | { kind: OrderMailKind; orderId: string }
  | { kind: RefundMailKind; orderId: string; refundId: string }

/** What a job gets besides its payload. */
export interface JobTry {
  id: string
}

export interface Notices {
  /** Adds a job in the transaction: the mail is sent if and only if it commits. Its content is encrypted until then. */
  sendMail(tx: Queryable, mail: Mail): Promise<void>
  /** One mail to the buyer of each order; who is a demo account or has left gets none. Several wait as one job for a quieter moment. */
  sendOrderMails(tx: Queryable, mails: readonly OrderMail[]): Promise<void>
  /** By task name, for the job queue. */
  tasks: Record<'send_mail' | 'order_mail' | 'order_mails', (payload: unknown, job: JobTry) => Promise<void>>
  close(): void
}

export interface NoticesOptions {
  database: Database
  secrets: Secrets
  mail: Config['mail']
  publicUrl: string
  log: { info(fields: object, message: string): void }
}

/** With graphile's backoff of e^attempt seconds the last try is some 45 hours after the first. */
const ATTEMPTS = 12

const addMail = statement(
  'notices_add_mail',
  `select graphile_worker.add_job('send_mail', json_build_object('kind', $1::text, 'sealed', $2::text), max_attempts => ${ATTEMPTS})`,
)
const addOrderMailsLater = statement(
  'notices_add_order_mails_later',
  `select graphile_worker.add_job('order_mails', json_build_object('kinds', $1::text[], 'orderIds', $2::bigint[], 'refundIds', $3::bigint[]), max_attempts => ${ATTEMPTS})`,
)
/** Keyed: a repeat of the job that adds them finds those that wait already. */
const addOrderMails = statement(
  'notices_add_order_mails',
  `select count(*) from graphile_worker.add_jobs(array(
     select ('order_mail', json_strip_nulls(json_build_object('kind', m.kind, 'orderId', m.order_id, 'refundId', m.refund_id)), null, null, ${ATTEMPTS},
             concat_ws(' ', 'order_mail', m.kind, m.order_id, m.refund_id), null, null)::graphile_worker.job_spec
       from unnest($1::text[], $2::bigint[], $3::bigint[]) as m(kind, order_id, refund_id)
       join orders o on o.id = m.order_id join users u on u.id = o.user_id
      where not u.is_demo and u.deleted_at is null))`,
)
const readBrand = statement(
  'notices_brand',
  `select settings ->> 'name' as name, settings ->> 'symbol' as symbol, settings #>> '{seller,name}' as seller,
     settings #>> '{seller,contact}' as contact, is_demo from campaign`,
)
const readOrder = statement(
  'notices_order',
  `select o.id, o.token, o.currency, o.crypto_amount, o.base_tokens + o.bonus_tokens as receive_tokens, o.bonus_tokens,
     o.usd, u.email, u.name, u.language
   from orders o join users u on u.id = o.user_id where o.id = $1 and u.deleted_at is null and not u.is_demo`,
)

/** Paid: this one. Due: all that is still owed of its order in its coin, because several payments are one mail. */
const readRefund = statement(
  'notices_refund',
  `select o.id, o.token, r.currency, sum(d.amount) as amount, sum(d.usd) as usd, r.address, r.transaction_id, u.email, u.name, u.language
     from refunds r join orders o on o.id = r.order_id join users u on u.id = r.user_id
     join refunds d on case when $2 = 'refund_paid' then d.id = r.id and d.state = 'paid'
                            else d.order_id = r.order_id and d.currency_id = r.currency_id and d.state in ('owed', 'claimed', 'prepared') end
    where r.id = $1 and u.deleted_at is null and not u.is_demo group by r.id, o.id, u.id`,
)

interface RefundRow {
  id: string
  token: string
  currency: string
  amount: string
  usd: string
  address: string | null
  transaction_id: string | null
  email: string
  name: string
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
  email: string
  name: string
  language: Language
}

export function createNotices(options: NoticesOptions): Notices {
  const { database, secrets, publicUrl } = options
  const delivery = createDelivery(options.mail)
  const host = new URL(publicUrl).hostname

  const brandOf = async (): Promise<Brand> => {
    const row = await database.maybeOne<{
      name: string | null
      symbol: string | null
      seller: string | null
      contact: string | null
      is_demo: boolean
    }>(readBrand)
    return {
      name: row?.name || host,
      symbol: row?.symbol ?? '',
      seller: row?.seller ?? '',
      contact: row?.contact ?? '',
      isDemo: row?.is_demo ?? false,
    }
  }

  const deliver = async (mail: Mail, job: JobTry): Promise<void> => {
    const brand = await brandOf()
    const rendered = renderMail(mailText(mail, brand), brand, mail.language)
    const messageId = `<job-${job.id}@${host}>`
    const { file } = await delivery.send({
      ...rendered,
      to: mail.to,
      fromName: brand.name,
      messageId,
      kind: mail.kind,
    })
    options.log.info(
      file ? { kind: mail.kind, file } : { kind: mail.kind },
      file ? 'mail written' : 'mail sent',
    )
  }

  return {
    async sendMail(tx, mail) {
      const sealed = secrets.encrypt('mail', JSON.stringify(mail), mail.kind).toString('base64')
      await tx.query(addMail, [mail.kind, sealed])
    },
    async sendOrderMails(tx, mails) {
      if (mails.length === 0) return
      // In a rush one job holds them all: a job for each cost a sixth of the order itself.
      await tx.query(mails.length === 1 ? addOrderMails : addOrderMailsLater, [
        mails.map((mail) => mail.kind),
        mails.map((mail) => mail.orderId),
        mails.map((mail) => ('refundId' in mail ? mail.refundId : null)),
      ])
    },
    tasks: {
      async send_mail(payload, job) {
        const { kind, sealed } = payload as { kind: MailContent['kind']; sealed: string }
        await deliver(JSON.parse(secrets.decrypt('mail', Buffer.from(sealed, 'base64'), kind)) as Mail, job)
      },
      async order_mails(payload) {
        const { kinds, orderIds, refundIds } = payload as Record<
          'kinds' | 'orderIds' | 'refundIds',
          unknown[]
        >
        await database.query(addOrderMails, [kinds, orderIds, refundIds])
      },
      async order_mail(payload, job) {
        const mail = payload as OrderMail
        if ('refundId' in mail) {
          const row = await database.maybeOne<RefundRow>(readRefund, [String(mail.refundId), mail.kind])
          if (row)
            await deliver(
              { to: row.email, language: row.language, ...refundContent(mail.kind, row, publicUrl) },
              job,
            )
          return
        }
        const { kind, orderId } = mail
        const row = await database.maybeOne<OrderRow>(readOrder, [String(orderId)])
        if (!row) return
        await deliver({ kind, to: row.email, language: row.language, ...factsOf(row, publicUrl) }, job)
      },
    },
    close: () => delivery.close(),
  }
}

function refundContent(kind: RefundMailKind, row: RefundRow, publicUrl: string): MailContent {
  const facts: RefundFacts = {
    name: row.name,
    number: row.id,
    currency: row.currency,
    amount: trimZeros(row.amount),
    usd: row.usd,
    link: orderLink(publicUrl, row.token),
  }
  return kind === 'refund_due'
    ? { kind, ...facts }
    : { kind, ...facts, address: row.address ?? '', transactionId: row.transaction_id ?? '' }
}

const orderLink = (publicUrl: string, token: string) =>
  `${publicUrl}/dashboard/transaction?order=${encodeURIComponent(token)}`

function factsOf(row: OrderRow, publicUrl: string): OrderFacts {
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
