import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'

const ED25519 = Buffer.from([1])
/** What stands before the 32 bytes of an Ed25519 public key in its DER form. */
const SPKI_HEAD_BYTES = 12

/** A new private key for a log, as PKCS #8 in base64. */
export function newLogKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}

/** A log's name and key: signs its checkpoints (C2SP signed-note and tlog-checkpoint). */
export class CheckpointSigner {
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: Buffer

  /** `key` as `newLogKey` gives it. */
  constructor(origin: string, key: string) {
    this.#origin = origin
    this.#key = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
    this.#publicKey = createPublicKey(this.#key)
      .export({ type: 'spki', format: 'der' })
      .subarray(SPKI_HEAD_BYTES)
  }

  /** The verifier key as signed-note writes it: name, key id, key. */
  get vkey(): string {
    const key = Buffer.concat([ED25519, this.#publicKey]).toString('base64')
    return `${this.#origin}+${this.#keyId().toString('hex')}+${key}`
  }

  /** The signed checkpoint of a tree. */
  sign(size: bigint, root: Buffer): string {
    const text = `${this.#origin}\n${size}\n${root.toString('base64')}\n`
    const signature = Buffer.concat([this.#keyId(), sign(null, Buffer.from(text), this.#key)])
    return `${text}\n— ${this.#origin} ${signature.toString('base64')}\n`
  }

  #keyId(): Buffer {
    return createHash('sha256')
      .update(`${this.#origin}\n`)
      .update(ED25519)
      .update(this.#publicKey)
      .digest()
      .subarray(0, 4)
  }
}
