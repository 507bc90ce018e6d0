import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  subject: string
  /** The plain text part. */
  text: string
}

export interface MailSink {
  /** For `SMTP_URL`. */
  url: string
  mails: ReceivedMail[]
  /** The first mail, received or to come, that fits. */
  next(fits: (mail: ReceivedMail) => boolean, waitMs?: number): Promise<ReceivedMail>
  close(): Promise<void>
}

/** A real SMTP server on a loopback port that keeps what it is given. */
export async function startMailSink(): Promise<MailSink> {
  const mails: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const raw = Buffer.concat(chunks).toString('utf8')
        const from = mailFrom ? mailFrom.address : ''
        mails.push({ from, to: rcptTo.map((recipient) => recipient.address), ...parse(raw) })
        for (const wake of waiting) wake()
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    next: (fits, waitMs = 10_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = mails.find(fits)
          if (!found) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(
            new Error(
              `no such mail in ${waitMs} ms; there are: ${mails.map((mail) => mail.subject).join(', ')}`,
            ),
          )
        }, waitMs)
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

function parse(raw: string): { subject: string; text: string } {
  const { headers, body } = split(raw)
  return { subject: decodeWords(headers.get('subject') ?? ''), text: plainText(headers, body) ?? '' }
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const [, head = '', body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(raw) ?? []
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body }
}

function plainText(headers: Map<string, string>, body: string): string | undefined {
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary) {
    const parts = body.split(`--${boundary}`).slice(1, -1)
    return parts
      .map((part) => split(part.replace(/^\r?\n/, '')))
      .map((part) => plainText(part.headers, part.body))
      .find((text) => text !== undefined)
  }
  if (!/^text\/plain/i.test(type)) return undefined
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return unquote(body.replace(/=\r?\n/g, ''))
  return body
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : unquote(word.replaceAll('_', ' ')),
    )
}

function unquote(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
