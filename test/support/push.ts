import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tlsCertificate, tlsKey, tlsName } from './tls.ts'
import { until } from './until.ts'

/** The browser's side of RFC 8291, independent of the product's code. */
export function newPushBrowser() {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  return {
    p256dh: own.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
    open(message: Buffer): string {
      const salt = message.subarray(0, 16)
      const sender = message.subarray(21, 21 + (message[20] ?? 0))
      const sealed = message.subarray(21 + sender.length)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender])
      const agreed = Buffer.from(hkdfSync('sha256', own.computeSecret(sender), auth, info, 32))
      const of = (what: string, length: number) =>
        Buffer.from(hkdfSync('sha256', agreed, salt, `Content-Encoding: ${what}\0`, length))
      const decipher = createDecipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12))
      decipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      if (plain.at(-1) !== 2) throw new Error('no last record')
      return plain.subarray(0, -1).toString('utf8')
    },
  }
}

export interface PushGot {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A push service that stores its messages. */
export async function startPushService() {
  const got: PushGot[] = []
  const answers = { status: 201, drips: false }
  const server = createServer({ key: tlsKey, cert: tlsCertificate }, (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
      response.writeHead(answers.status)
      if (!answers.drips) return void response.end()
      const drop = setInterval(() => response.write('.'), 300)
      response.on('close', () => clearInterval(drop))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    got,
    answers,
    origin: `https://${tlsName}:${(server.address() as AddressInfo).port}`,
    /** Network settings by which a tested server reaches it. */
    outside: {
      resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
      isPublic: () => true,
      ca: tlsCertificate,
    },
    /** Removes and returns the next message to a path. */
    async take(path: string): Promise<PushGot> {
      const at = () => got.findIndex((message) => message.path === path)
      await until(() => at() >= 0)
      return got.splice(at(), 1)[0] as PushGot
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

/** Reads the header of RFC 8292. Throws if the signature is invalid. */
export function senderOf(authorization: string | undefined): {
  key: string
  claims: { aud: string; exp: number; sub: string }
} {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('not signed by its key')
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) }
}
