import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** A browser's side of RFC 8291, which shares no line with the product's. */
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
