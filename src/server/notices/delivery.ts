import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { RenderedMail } from './render.ts'

export interface Envelope extends RenderedMail {
  to: string
  fromName: string
  /** The same for every try at one mail, so that a repeat can be known as one. */
  messageId: string
  kind: string
}

/** Loaded by the first mail: it takes 24 MB and 40 ms of the start. */
const nodemailer = () => import('nodemailer')

/** Gets one mail out of the house; throws where it did not go, so that the job tries again. */
export interface Delivery {
  send(envelope: Envelope): Promise<{ file?: string }>
  close(): void
}

export function createDelivery(mail: Config['mail']): Delivery {
  return mail.kind === 'smtp' ? smtpDelivery(mail) : folderDelivery(mail)
}

function smtpDelivery(mail: { url: string; from: string }): Delivery {
  const connect = async () =>
    (await nodemailer()).createTransport({
      url: mail.url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  let transport: ReturnType<typeof connect> | undefined
  return {
    async send(envelope) {
      transport ??= connect()
      await (await transport).sendMail(messageOf(envelope, mail.from))
      return {}
    },
    close() {
      transport?.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}

/** Without `SMTP_URL`: one file a mail, readable by this user only, since a mail may hold a link that opens an account. */
function folderDelivery(mail: { folder: string; from: string }): Delivery {
  const compose = async () =>
    (await nodemailer()).createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'unix',
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  return {
    async send(envelope) {
      const { message } = await (await compose()).sendMail(messageOf(envelope, mail.from))
      const stamp = new Date().toISOString().replace(/[:.]/g, '-')
      const file = join(mail.folder, `${stamp}-${envelope.kind}-${randomBytes(3).toString('hex')}.eml`)
      await mkdir(mail.folder, { recursive: true, mode: 0o700 })
      await writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' })
      return { file }
    },
    close: () => undefined,
  }
}

function messageOf(envelope: Envelope, from: string) {
  return {
    from: { name: envelope.fromName, address: from },
    to: { name: '', address: envelope.to },
    subject: envelope.subject,
    text: envelope.text,
    html: envelope.html,
    messageId: envelope.messageId,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
