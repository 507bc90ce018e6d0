import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'

// Rules: TEXT-12
export interface PushTarget {
  /** At the push service. */
  readonly endpoint: string
  /** A public key on P-256 (65 bytes) and 16 secret bytes, as base64url. */
  readonly p256dh: string
  readonly auth: string
}

/** RFC 8292: the public part in the browsers' format, the private one as PKCS #8. */
export interface SenderKey {
  readonly publicKey: string
  readonly privateKey: string
}

const CURVE = 'prime256v1'
const RECORD_SIZE = 4_096
/** Push services may reject tokens that live longer than a day. */
const TOKEN_HOURS = 12

const bytesOf = (text: string) => Buffer.from(text, 'base64url')
const hkdf = (key: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

export function newSenderKey(): SenderKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: CURVE })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: Buffer.concat([Buffer.of(4), bytesOf(x), bytesOf(y)]).toString('base64url'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}

/** True for a valid point, with which encryption works. */
export function isKeyOfBrowser({ p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>): boolean {
  if (bytesOf(p256dh).length !== 65 || bytesOf(auth).length !== 16) return false
  try {
    const own = createECDH(CURVE)
    own.generateKeys()
    own.computeSecret(bytesOf(p256dh))
    return true
  } catch {
    return false
  }
}

/**
 * One `aes128gcm` record (RFC 8188) with a key by RFC 8291, unreadable to the push service. A test passes RFC
 * 8291's salt and sender's key.
 */
export function encryptForBrowser(
  { p256dh, auth }: PushTarget,
  text: string,
  { salt = randomBytes(16), ephemeral }: { salt?: Buffer; ephemeral?: Buffer } = {},
): Buffer {
  const own = createECDH(CURVE)
  if (ephemeral) own.setPrivateKey(ephemeral)
  else own.generateKeys()
  const theirs = bytesOf(p256dh)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own.getPublicKey()])
  const agreed = hkdf(own.computeSecret(theirs), bytesOf(auth), info, 32)
  const key = hkdf(agreed, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(agreed, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The byte 2 marks the last record.
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_SIZE)
  const sender = own.getPublicKey()
  return Buffer.concat([salt, size, Buffer.of(sender.length), sender, body, cipher.getAuthTag()])
}

/** For one push service and half a day. */
export function authorizationOf(endpoint: string, key: SenderKey, subject: string, now = Date.now()): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(now / 1_000) + TOKEN_HOURS * 3_600
  const claims = { aud: new URL(endpoint).origin, exp, sub: subject }
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const privateKey = createPrivateKey({
    key: Buffer.from(key.privateKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  })
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${key.publicKey}`
}
