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
/** How values were sealed before they named their key: version byte, nonce, tag, ciphertext. */
const NAMELESS_VERSION = 1
const KEY_ID_LENGTH = 5
const NONCE_LENGTH = 12
const TAG_LENGTH = 16
/** What stands before the nonce; six bytes are eight letters of base64, which SQL can look at. */
const HEAD_LENGTH = 1 + KEY_ID_LENGTH

export interface SecretsNeeds {
  /**
   * The keys that are known, each of at least 32 characters: the first one seals, all of them open. Given as a function where they may
   * change while the program runs; it answers the same array for as long as they do not.
   */
  readonly keys: readonly string[] | (() => readonly string[])
}

/**
 * What is encrypted or signed with `SECRET_KEY`. Every purpose has a key of its own, derived by HKDF-SHA-256, so that
 * a value made for one purpose means nothing for another. A sealed value names the key that it was sealed under.
 */
export class Secrets {
  readonly #known: () => readonly string[]
  #read: readonly string[] | undefined
  #ring: readonly RootKey[] = []

  constructor({ keys }: SecretsNeeds) {
    this.#known = typeof keys === 'function' ? keys : () => keys
    this.#keys()
  }

  /** AES-256-GCM under the first key. `context` (whose value it is) is authenticated too. */
  encrypt(purpose: SealedPurpose, plaintext: string, context = ''): Buffer {
    const root = this.#first()
    const nonce = randomBytes(NONCE_LENGTH)
    const cipher = createCipheriv('aes-256-gcm', root.keyOf(purpose), nonce, { authTagLength: TAG_LENGTH })
    cipher.setAAD(Buffer.concat([root.head, Buffer.from(context)]))
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
    return Buffer.concat([root.head, nonce, cipher.getAuthTag(), body])
  }

  /** Throws where the bytes were changed or made for another purpose or context; `UnknownKeyError` where their key is not known. */
  decrypt(purpose: SealedPurpose, sealed: Buffer, context = ''): string {
    if (sealed[0] === NAMELESS_VERSION) return this.#decryptNameless(purpose, sealed.subarray(1), context)
    assert(sealed.length > HEAD_LENGTH && sealed[0] === VERSION, 'a sealed value of a known version')
    const head = sealed.subarray(0, HEAD_LENGTH)
    const root = this.#keys().find((known) => known.head.equals(head))
    if (!root) throw new UnknownKeyError()
    const aad = Buffer.concat([head, Buffer.from(context)])
    return open(root.keyOf(purpose), sealed.subarray(HEAD_LENGTH), aad)
  }

  /** What a value that is sealed under each known key begins with, in base64; the first one is how values are sealed now. */
  heads(): readonly string[] {
    return this.#keys().map(({ head }) => head.toString('base64'))
  }

  /** HMAC-SHA-256: for what must be recognised but never read back. */
  mac(purpose: string, text: string): Buffer {
    return this.#first().mac(purpose, text)
  }

  /** The same under each known key, the first one first: for what may have been written before the keys changed. */
  macs(purpose: string, text: string): Buffer[] {
    return this.#keys().map((root) => root.mac(purpose, text))
  }

  /** The key of one purpose, of each known key: for marks that were made with `mac` and shall be checked without it. */
  derivedKeys(purpose: string): Buffer[] {
    return this.#keys().map((root) => root.keyOf(purpose))
  }

  #decryptNameless(purpose: string, sealed: Buffer, context: string): string {
    for (const root of this.#keys()) {
      try {
        return open(root.keyOf(purpose), sealed, Buffer.from(context))
      } catch {
        // Which key it was is found by trying them.
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

/** One `SECRET_KEY`, from which the keys of all purposes are derived. */
class RootKey {
  /** Version and id of the key. The id is derived too and tells nothing about the key. */
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

  /** Prepared once: from bytes it would be prepared for each mark, which takes four times as long as the mark. */
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

/** A random 256-bit token with a prefix that says what it opens, so that scanners for leaked secrets can know it. */
export function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** What is stored instead of a token: the token is random, so a plain SHA-256 can't be searched. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
