import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { p2pkh, p2sh, p2wpkh } from '@scure/btc-signer'
import { evmChecksum, looksLikePrivateKey } from '../../shared/addresses.ts'
import {
  type AccountKeyVersion,
  type AddressNet,
  type CoreNetwork,
  coreNetworks,
  networkFacts,
  type WalletFamily,
  type WalletScript,
  walletScriptsOf,
} from '../../shared/networks.ts'
import { refuse } from '../refusal.ts'
import { addressParameters } from './bitcoin/networks.ts'

/** In stored form: BIP 32 with the version bytes of `xpub`. */
export interface AccountKey {
  readonly family: WalletFamily
  readonly script: WalletScript
  readonly net: AddressNet
  readonly key: string
  /** From the master key, `73c5da0a/84'/0'/0'` (BIP 380). */
  readonly origin?: string | null
}

/**
 * SLIP-132 versions that wallets of any coin export. Multisig versions (Ypub, Zpub) are missing on purpose.
 */
const anyCoin: readonly AccountKeyVersion[] = [
  { version: 0x0488b21e, nets: ['main'], script: 'p2pkh' },
  { version: 0x049d7cb2, nets: ['main'], script: 'p2sh-p2wpkh' },
  { version: 0x04b24746, nets: ['main'], script: 'p2wpkh' },
  { version: 0x043587cf, nets: ['test', 'regtest'], script: 'p2pkh' },
  { version: 0x044a5262, nets: ['test', 'regtest'], script: 'p2sh-p2wpkh' },
  { version: 0x045f1cf6, nets: ['test', 'regtest'], script: 'p2wpkh' },
]
const keyVersions: readonly (AccountKeyVersion & { readonly family: CoreNetwork | null })[] = [
  ...anyCoin.map((version) => ({ ...version, family: null })),
  ...coreNetworks.flatMap((family) =>
    (networkFacts[family].accountKeys ?? []).map((version) => ({ ...version, family })),
  ),
]

/** The stored form of an account key. */
export const ACCOUNT_KEY = /^xpub[1-9A-HJ-NP-Za-km-z]{107}$/

const xpubVersions = { private: 0x0488ade4, public: 0x0488b21e }
const base58check = createBase58check(sha256)

// Rules: WALLET-9
/**
 * Reads an account public key (xpub, ypub, zpub, tpub…, Ltub, Mtub, dgub), perhaps after an origin
 * `[73c5da0a/84'/0'/0']`. The version decides the address type; `script` overrides it for wallets that export
 * everything as xpub. Errors, in order: private_key_refused, account_key_invalid, account_key_network.
 */
export function readAccountKey(
  text: string,
  want: { family: WalletFamily; net: AddressNet; script?: WalletScript | undefined },
): AccountKey {
  const [origin, trimmed] = splitOrigin(text.trim())
  if (looksLikePrivateKey(trimmed)) refuse('private_key_refused')
  const bytes = decode(trimmed)
  if (!bytes) refuse('account_key_invalid', { why: 'checksum' })
  const given = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const version = keyVersions.find((known) => known.version === given)
  if (!version) refuse('account_key_invalid', { why: 'version' })
  const depth = bytes[4] ?? 0
  // An account is m/purpose'/coin'/account'. Some EVM wallets export its external chain, one level deeper; other families need
  // the change chain.
  if (depth !== 3 && !(depth === 4 && want.family === 'evm'))
    refuse('account_key_invalid', { why: 'depth', depth })
  if (origin && origin.split('/').length - 1 !== depth) refuse('account_key_invalid', { why: 'origin' })
  if (version.family !== null && version.family !== want.family)
    refuse('account_key_network', { keyOf: version.family })
  // On every chain EVM accounts have the same addresses.
  if (want.family !== 'evm' && !version.nets.includes(want.net))
    refuse('account_key_network', { keyOf: version.nets[0] })
  const scripts = walletScriptsOf(want.family)
  const ofKey = scripts.includes(version.script) ? version.script : 'p2pkh'
  const script = want.family === 'evm' ? 'evm' : (want.script ?? ofKey)
  if (!scripts.includes(script)) refuse('account_key_invalid', { why: 'script' })
  const normal = Uint8Array.from(bytes)
  new DataView(normal.buffer).setUint32(0, xpubVersions.public)
  const key = base58check.encode(normal)
  try {
    HDKey.fromExtendedKey(key, xpubVersions)
  } catch {
    refuse('account_key_invalid', { why: 'point' })
  }
  return { family: want.family, script, net: want.net, key, origin }
}

/** `[fingerprint/path]key` (BIP 380); hardened steps get an apostrophe. */
function splitOrigin(text: string): [origin: string | null, key: string] {
  const found = /^\[([0-9a-f]{8}(?:\/\d{1,10}['hH]?)*)\](.*)$/is.exec(text)
  if (!found) return [null, text]
  return [(found[1] ?? '').replaceAll(/[hH]/g, "'").toLowerCase(), (found[2] ?? '').trim()]
}

function decode(text: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{111,112}$/.test(text)) return null
  try {
    const bytes = base58check.decode(text)
    return bytes.length === 78 ? bytes : null
  } catch {
    return null
  }
}

const parsedKeys = new Map<string, HDKey>()

/**
 * 0 for payments, 1 for change. Parsed once. A key of depth 4 is the payment chain only: account_key_invalid
 * for change.
 */
function chainOf(key: string, branch: number): HDKey {
  const name = `${key}/${branch}`
  const known = parsedKeys.get(name)
  if (known) return known
  const account = HDKey.fromExtendedKey(key, xpubVersions)
  if (account.depth === 4 && branch !== 0) refuse('account_key_invalid', { why: 'depth', depth: 4 })
  const chain = account.depth === 4 ? account : account.deriveChild(branch)
  if (parsedKeys.size > 100) parsedKeys.clear()
  parsedKeys.set(name, chain)
  return chain
}

function paymentOf(account: AccountKey & { family: CoreNetwork }, publicKey: Uint8Array) {
  const parameters = addressParameters(account.family, account.net)
  if (account.script === 'p2wpkh') return p2wpkh(publicKey, parameters)
  if (account.script === 'p2sh-p2wpkh') return p2sh(p2wpkh(publicKey, parameters), parameters)
  return p2pkh(publicKey, parameters)
}

// Rules: REFUND-3
/**
 * For an unsigned transaction: of an input, or of change (branch 1). The redeem script is for nested segwit.
 */
export function ownScripts(account: AccountKey & { family: CoreNetwork }, index: number, branch = 0) {
  const publicKey = chainOf(account.key, branch).deriveChild(index).publicKey
  if (!publicKey) throw new Error('an account public key has public children')
  const payment = paymentOf(account, publicKey)
  return {
    script: payment.script,
    bip32Derivation: [[publicKey, keyPath(account, [branch, index])]] as [
      Uint8Array,
      { fingerprint: number; path: number[] },
    ][],
    ...('redeemScript' in payment && payment.redeemScript && { redeemScript: payment.redeemScript }),
  }
}

const HARDENED = 0x80000000

/** From the master key (BIP 174), or from the account if there is no origin. */
function keyPath({ key, origin }: AccountKey, below: number[]): { fingerprint: number; path: number[] } {
  if (!origin) return { fingerprint: HDKey.fromExtendedKey(key, xpubVersions).fingerprint, path: below }
  const [fingerprint = '', ...steps] = origin.split('/')
  const path = steps.map((step) => Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0))
  return { fingerprint: Number.parseInt(fingerprint, 16), path: [...path, ...below] }
}

/** A key of depth 4 is itself the chain of buyers' addresses. */
export function hasChangeChain({ key }: AccountKey): boolean {
  return HDKey.fromExtendedKey(key, xpubVersions).depth === 3
}

/** BIP 44: …/branch/index; branch 1 takes change. */
export function addressAt(account: AccountKey, index: number, branch = 0): string {
  const child = chainOf(account.key, branch).deriveChild(index).publicKey
  if (!child) throw new Error('an account public key has public children')
  if (account.family === 'evm') return evmAddress(child)
  const payment = paymentOf({ ...account, family: account.family }, child)
  return payment.address as string
}

/**
 * Keccak-256 of the uncompressed point, last 20 bytes (Ethereum Yellow Paper, appendix F), in EIP-55 form.
 */
function evmAddress(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false).slice(1)
  return evmChecksum(`0x${Buffer.from(keccak_256(point).slice(-20)).toString('hex')}`)
}
