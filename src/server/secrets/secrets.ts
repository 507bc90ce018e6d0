import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { assert } from '../refusal.ts'
import type { SealedPurpose } from './sealed-places.ts'
import { UnknownKeyError } from './unknown-key.ts'

export { isMarkOf, markCode, plainRecoveryCode } from './recovery-code.ts'
export {
  allOfRefundAddress,
  markRefundAddress,
  marksOfMailbox,
  openAccountKey,
  openInput,
  openName,
  openPhone,
  openRefundAddress,
  openRefundFile,
  type StoredText,
  sealAccountKey,
  sealMailbox,
  sealPerson,
  sealRefundAddress,
  storedAccountKey,
  storedInput,
  storedName,
  storedPhone,
  storedRefundAddress,
  storedRefundFile,
} from './stored-texts.ts'
export { UnknownKeyError } from './unknown-key.ts'

const VERSION = 2
/** Format without a key id: version byte, nonce, tag, ciphertext. */
const NAMELESS_VERSION = 1
const KEY_ID_LENGTH = 5
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
/** Version and key id: six bytes are eight characters of base64, which SQL can compare. */
const HEAD_LENGTH = 1 + KEY_ID_LENGTH

export interface SecretsNeeds {
  /**
   * At least 32 characters each: the first seals, all open. A function must return the same array while they
   * don't change.
   */
  readonly keys: readonly string[] | (() => readonly string[])
}

/**
 * Each purpose has its own key of `SECRET_KEY` (HKDF-SHA-256), so a value of one purpose is invalid for
 * another. A sealed value names its key.
 */
export class Secrets {
  readonly #known: () => readonly string[]
  #read: readonly string[] | undefined
  #ring: readonly RootKey[] = []

  constructor({ keys }: SecretsNeeds) {
    this.#known = typeof keys === 'function' ? keys : () => keys
    this.#keys()
  }

  encrypt(purpose: SealedPurpose, plaintext: string, context = ''): Buffer {
    const root = this.#first()
    const nonce = randomBytes(NONCE_LENGTH)
    const cipher = createCipheriv('aes-256-gcm', root.keyOf(purpose), nonce, { authTagLength: TAG_LENGTH })
    cipher.setAAD(Buffer.concat([root.head, Buffer.from(context)]))
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    return Buffer.concat([root.head, nonce, cipher.getAuthTag(), body])
  }

  /**
   * Throws if the bytes were changed or belong to another purpose or context; `UnknownKeyError` for an
   * unknown key.
   */
  decrypt(purpose: SealedPurpose, sealed: Buffer, context = ''): string {
    if (sealed[0] === NAMELESS_VERSION) return this.#decryptNameless(purpose, sealed.subarray(1), context)
    assert(sealed.length > HEAD_LENGTH && sealed[0] === VERSION, 'a sealed value of a known version')
    const head = sealed.subarray(0, HEAD_LENGTH)
    const root = this.#keys().find((known) => known.head.equals(head))
    if (!root) throw new UnknownKeyError()
    const aad = Buffer.concat([head, Buffer.from(context)])
    return open(root.keyOf(purpose), sealed.subarray(HEAD_LENGTH), aad)
  }

  /** Base64 prefixes of values sealed under each known key, the current one first. */
  heads(): readonly string[] {
    return this.#keys().map(({ head }) => head.toString('base64'))
  }

  /** HMAC-SHA-256. */
  mac(purpose: string, text: string): Buffer {
    return this.#first().mac(purpose, text)
  }

  /** Under every known key, the current one first: a value may be older than a key change. */
  macs(purpose: string, text: string): Buffer[] {
    return this.#keys().map((root) => root.mac(purpose, text))
  }

  /** The purpose's key of each known key, for marks checked without `mac`. */
  derivedKeys(purpose: string): Buffer[] {
    return this.#keys().map((root) => root.keyOf(purpose))
  }

  #decryptNameless(purpose: string, sealed: Buffer, context: string): string {
    for (const root of this.#keys()) {
      try {
        return open(root.keyOf(purpose), sealed, Buffer.from(context))
      } catch {
        // Without a key id every key is tried.
      }
    }
    throw new UnknownKeyError()
  }

  #first(): RootKey {
    const [first] = this.#keys()
    assert(first, 'a key')
    return first
  }

  #keys(): readonly RootKey[] {
    const keys = this.#known()
    if (keys !== this.#read) {
      this.#ring = keys.map((key) => new RootKey(key))
      this.#read = keys
    }
    return this.#ring
  }
}

class RootKey {
  /** The key id is derived and reveals nothing about the key. */
  readonly head: Buffer
  readonly #secretKey: string
  readonly #byPurpose = new Map<string, Buffer>()
  readonly #macKeys = new Map<string, KeyObject>()

  constructor(secretKey: string) {
    assert(secretKey.length >= 32, 'SECRET_KEY has at least 32 characters')
    this.#secretKey = secretKey
    this.head = Buffer.concat([Buffer.of(VERSION), this.keyOf('key id').subarray(0, KEY_ID_LENGTH)])
  }

  keyOf(purpose: string): Buffer {
    const known = this.#byPurpose.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', this.#secretKey, 'presale', purpose, 32))
    this.#byPurpose.set(purpose, key)
    return key
  }

  mac(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#macKeyOf(purpose)).update(text).digest()
  }

  /** Preparing a key takes four times as long as the HMAC. */
  #macKeyOf(purpose: string): KeyObject {
    const known = this.#macKeys.get(purpose)
    if (known) return known
    const key = createSecretKey(this.keyOf(purpose))
    this.#macKeys.set(purpose, key)
    return key
  }
}

function open(key: Buffer, sealed: Buffer, aad: Buffer): string {
  assert(sealed.length >= NONCE_LENGTH + TAG_LENGTH, 'a whole sealed value')
  const nonce = sealed.subarray(0, NONCE_LENGTH)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_LENGTH })
  decipher.setAAD(aad)
  decipher.setAuthTag(sealed.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH))
  const body = sealed.subarray(NONCE_LENGTH + TAG_LENGTH)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

/** 256 random bits; secret scanners recognise the prefix. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** Plain SHA-256 is safe for a random token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
