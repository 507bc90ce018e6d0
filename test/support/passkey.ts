import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** A software device with one ES256 passkey for an origin. */
export function createPasskeyDevice(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0

  const authenticatorData = (flags: number, tail: Buffer = Buffer.alloc(0)) => {
    counter += 1
    const head = Buffer.alloc(37)
    createHash('sha256').update(new URL(origin).hostname).digest().copy(head)
    head.writeUInt8(flags, 32)
    head.writeUInt32BE(counter, 33)
    return Buffer.concat([head, tail])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    register(options: Record<string, unknown>) {
      const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)])
      const authData = new Uint8Array(
        authenticatorData(USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, credential),
      )
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]) as unknown as Parameters<typeof isoCBOR.encode>[0],
      )
      return answer({
        clientDataJSON: clientData('webauthn.create', String(options['challenge'])).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
        transports: ['internal'],
      })
    },
    /** `isVerified` false: the user did not prove their identity. */
    login(options: Record<string, unknown>, { isVerified = true } = {}) {
      const data = clientData('webauthn.get', String(options['challenge']))
      const authData = authenticatorData(isVerified ? USER_PRESENT | USER_VERIFIED : USER_PRESENT)
      const signed = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      return answer({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}
