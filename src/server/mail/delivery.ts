import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Outside, publicAddressByName } from '../outside/outside.ts'
import type { RenderedMail } from './render.ts'

const IMPLICIT_TLS_PORT = 465

// Rules: TEXT-11
export interface Envelope extends RenderedMail {
  to: string
  fromName: string
  /** Equal in all tries of a mail, so that repeats can be recognised. */
  messageId: string
  kind: string
  /** Of this kind: GET for people, POST for mail programs (RFC 8058). */
  leaveLink?: string | undefined
}

/** Throws if the mail was not sent; the job retries. */
export interface Delivery {
  send(envelope: Envelope): Promise<{ file?: string }>
  close(): void
}

export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly login: string
  readonly password: string | null
  readonly from: string
}

export type MailWay = Config['mail'] | { readonly kind: 'named'; readonly server: SmtpServer }

export function deliveryBy(way: MailWay, outside?: Outside): Delivery {
  if (way.kind === 'folder') return new FolderDelivery(way)
  if (way.kind === 'named')
    return new SmtpDelivery(way.server.from, () => connectToNamed(way.server, outside))
  // Without TLS an attacker could strip STARTTLS and read links that open accounts.
  return new SmtpDelivery(way.from, () => connect({ url: way.url, requireTLS: !way.mayBePlain }))
}

class SmtpDelivery implements Delivery {
  readonly #from: string
  readonly #connect: () => ReturnType<typeof connect>
  #transport: ReturnType<typeof connect> | undefined

  constructor(from: string, connectAnew: () => ReturnType<typeof connect>) {
    this.#from = from
    this.#connect = connectAnew
  }

  async send(envelope: Envelope): Promise<Record<string, never>> {
    this.#transport ??= this.#connect()
    try {
      await (await this.#transport).sendMail(messageOf(envelope, this.#from))
    } catch (error) {
      // The next mail resolves the server again.
      if (!isVerdict(error)) this.close()
      throw error
    }
    return {}
  }

  close(): void {
    this.#transport?.then((opened) => opened.close()).catch(() => undefined)
    this.#transport = undefined
  }
}

/** The mail server rejected this mail. */
const isVerdict = (error: unknown) => typeof (error as { responseCode?: unknown }).responseCode === 'number'

/** Without `SMTP_URL`: one file per mail, readable by this user only: a link in it may open an account. */
class FolderDelivery implements Delivery {
  readonly #folder: string
  readonly #from: string
  #composer: ReturnType<typeof compose> | undefined

  constructor({ folder, from }: { folder: string; from: string }) {
    this.#folder = folder
    this.#from = from
  }

  async send(envelope: Envelope): Promise<{ file: string }> {
    this.#composer ??= compose()
    const { message } = await (await this.#composer).sendMail(messageOf(envelope, this.#from))
    const stamp = new Date().toISOString().replace(/[:.]/g, '-')
    const file = join(this.#folder, `${stamp}-${envelope.kind}-${randomBytes(3).toString('hex')}.eml`)
    const write = () => writeFile(file, message as Buffer, { mode: 0o600, flag: 'wx' })
    await write().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await write()
    })
    return { file }
  }

  close(): void {}
}

/** Takes 24 MB and 40 ms. */
const nodemailer = () => import('nodemailer')

/** Connects to exactly the checked address, always with TLS. */
async function connectToNamed({ host, port, login, password }: SmtpServer, outside: Outside = {}) {
  return connect({
    host: await publicAddressByName(host, outside),
    port,
    secure: port === IMPLICIT_TLS_PORT,
    requireTLS: true,
    tls: { servername: host, ca: outside.ca },
    ...(login ? { auth: { user: login, pass: password ?? '' } } : {}),
  })
}

async function connect(options: object) {
  return (await nodemailer()).createTransport({
    ...options,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

async function compose() {
  return (await nodemailer()).createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function messageOf(envelope: Envelope, from: string) {
  return {
    from: { name: envelope.fromName, address: from },
    to: { name: '', address: envelope.to },
    subject: envelope.subject,
    text: envelope.text,
    html: envelope.html,
    messageId: envelope.messageId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(envelope.leaveLink ? leavingHeaders(envelope.leaveLink) : {}),
    },
  }
}

/** RFC 8058 only uses https addresses. */
function leavingHeaders(link: string): Record<string, string> {
  const headers = { 'List-Unsubscribe': `<${link}>` }
  return link.startsWith('https:')
    ? { ...headers, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : headers
}
