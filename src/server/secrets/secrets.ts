import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '../refusal.ts'

const VERSION = 1
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
const HEADER_LENGTH = 1 + NONCE_LENGTH + TAG_LENGTH

export interface SecretsNeeds {
  /** `SECRET_KEY`, at least 32 characters. */
  readonly secretKey: string
}

/**
 * What is encrypted or signed with `SECRET_KEY`. Every purpose has a key of its own, derived by HKDF-SHA-256, so that
 * a value made for one purpose means nothing for another.
 */
export class Secrets {
  readonly #secretKey: string
  readonly #keys = new Map<string, Buffer>()

  constructor({ secretKey }: SecretsNeeds) {
    assert(secretKey.length >= 32, 'SECRET_KEY has at least 32 characters')
    this.#secretKey = secretKey
  }

  /** AES-256-GCM: version byte, 12-byte nonce, 16-byte tag, ciphertext. `context` (whose value it is) is authenticated too. */
  encrypt(purpose: string, plaintext: string, context = ''): Buffer {
    const nonce = randomBytes(NONCE_LENGTH)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(purpose), nonce, { authTagLength: TAG_LENGTH })
    cipher.setAAD(Buffer.from(context))
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body])
  }

  /** Throws where the bytes were changed, made for another purpose or context, or under another `SECRET_KEY`. */
  decrypt(purpose: string, sealed: Buffer, context = ''): string {
    assert(sealed.length >= HEADER_LENGTH && sealed[0] === VERSION, 'a sealed value of a known version')
    const nonce = sealed.subarray(1, 1 + NONCE_LENGTH)
    const decipher = createDecipheriv('aes-256-gcm', this.#keyOf(purpose), nonce, {
      authTagLength: TAG_LENGTH,
    })
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(sealed.subarray(1 + NONCE_LENGTH, HEADER_LENGTH))
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_LENGTH)), decipher.final()]).toString('utf8')
  }

  /** HMAC-SHA-256: for what must be recognised but never read back. */
  mac(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#keyOf(purpose)).update(text).digest()
  }

  #keyOf(purpose: string): Buffer {
    const known = this.#keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', this.#secretKey, 'presale', purpose, 32))
    this.#keys.set(purpose, key)
    return key
  }
}

/** A random 256-bit token with a prefix that says what it opens, so that scanners for leaked secrets can know it. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** What is stored instead of a token: the token is random, so a plain SHA-256 can't be searched. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
