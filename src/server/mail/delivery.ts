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
  /** The same for every try at one mail, so that a repeat can be known as one. */
  messageId: string
  kind: string
  /** Where the reader ends mails of this kind, by a GET for people and the POST of RFC 8058 for mail programs. */
  leaveLink?: string | undefined
}

/** Gets one mail out of the house; throws where it did not go, so that the job tries again. */
export interface Delivery {
  send(envelope: Envelope): Promise<{ file?: string }>
  close(): void
}

/** A mail server that a page named. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Empty: the server asks for none. */
  readonly login: string
  readonly password: string | null
  readonly from: string
}

export type MailWay = Config['mail'] | { readonly kind: 'named'; readonly server: SmtpServer }

export function deliveryBy(way: MailWay, outside?: Outside): Delivery {
  if (way.kind === 'folder') return new FolderDelivery(way)
  if (way.kind === 'named')
    return new SmtpDelivery(way.server.from, () => connectToNamed(way.server, outside))
  // Without TLS whoever sits on the line takes STARTTLS out of the answer and reads links that open accounts.
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
      // The next mail asks anew where the server is.
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

/** Whether a mail server answered that it does not take this mail. */
const isVerdict = (error: unknown) => typeof (error as { responseCode?: unknown }).responseCode === 'number'

/** Without `SMTP_URL`: one file a mail, readable by this user only, since a mail may hold a link that opens an account. */
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

/** Loaded by the first mail: it takes 24 MB and 40 ms of the start. */
const nodemailer = () => import('nodemailer')

/** To the very address that was checked, always by TLS. */
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

/** The one click of a mail program (RFC 8058) goes to an https address only. */
function leavingHeaders(link: string): Record<string, string> {
  const headers = { 'List-Unsubscribe': `<${link}>` }
  return link.startsWith('https:')
    ? { ...headers, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : headers
}
