import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base58xrp, createBase58check } from '@scure/base'
import { type PublicLocale, publicLocales } from './languages.ts'
import { addressNets, coreNetworks, networkFacts } from './networks.ts'

/** The product needs no such secret, so all are rejected before they are stored or logged. */
export type PrivateKeyKind =
  | 'hex_key'
  | 'wif'
  | 'encrypted_key'
  | 'extended_key'
  | 'seed_phrase'
  | 'seed'
  | 'key_file'

const base58check = createBase58check(sha256)
const BASE58 = '[1-9A-HJ-NP-Za-km-z]'

const cores = coreNetworks.map((network) => networkFacts[network])
const extendedPrivateKey = new RegExp(
  `(?:${['[xyztuvYZUV]prv', ...cores.flatMap(({ privateKeys = [] }) => privateKeys)].join('|')})${BASE58}{40,}`,
)
const seedLengths = new Set([12, 13, 15, 18, 21, 24, 25])
const wifVersions = new Set(cores.flatMap(({ nets }) => addressNets.map((net) => nets[net].wif)))
/** Matches WIF: version byte, 32 bytes, 1 if the public key is compressed, and a 4-byte checksum. */
const wifBegins = new RegExp(`^(?:[${firstsOfWif(37)}]${BASE58}{50}|[${firstsOfWif(38)}]${BASE58}{51})$`)

/**
 * Recognises hex, WIF (also BIP 38), extended private keys (also in a descriptor), seed phrases, Ripple and
 * Solana seeds, key files. Ignores a WIF's checksum, because a mistyped key is still secret.
 */
export function looksLikePrivateKey(text: string): PrivateKeyKind | null {
  const trimmed = text.trim()
  if (/-----BEGIN [A-Z ]*PRIVATE KEY/.test(trimmed)) return 'key_file'
  if (/"(?:crypto|Crypto)"\s*:\s*\{/.test(trimmed)) return 'key_file'
  if (extendedPrivateKey.test(trimmed)) return 'extended_key'
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(trimmed)) return 'hex_key'
  if (isByteList(trimmed)) return 'hex_key'
  if (/^6P[1-9A-HJ-NP-Za-km-z]{56}$/.test(trimmed)) return 'encrypted_key'
  if (isWif(trimmed)) return 'wif'
  if (isSolanaSecret(trimmed) || isRippleSeed(trimmed)) return 'seed'
  if (isSeedPhrase(trimmed)) return 'seed_phrase'
  return null
}

/** For secrets by purpose, which are hashed, encrypted or checked and never shown. */
const any: readonly PrivateKeyKind[] = [
  'hex_key',
  'wif',
  'encrypted_key',
  'extended_key',
  'seed_phrase',
  'seed',
  'key_file',
]
/** In prose twelve plain words are a sentence. */
const prose: readonly PrivateKeyKind[] = ['seed_phrase']
/** Transaction ids look like a hex key, and Solana's like a key pair. */
const transactions: readonly PrivateKeyKind[] = ['hex_key', 'seed']

/**
 * The kinds of keys that a field of this name may resemble, in every input. All other texts are rejected if
 * recognised as a key, so that new fields are protected by default.
 */
export const mayLookLikeKeys: Readonly<Record<string, readonly PrivateKeyKind[]>> = {
  password: any,
  pass: any,
  currentPassword: any,
  oldPassword: any,
  newPassword: any,
  confirmPassword: any,
  passwordHash: any,
  code: any,
  token: any,
  userToken: any,
  admin_token: any,
  answer: any,
  passkey: any,
  ...(Object.fromEntries(publicLocales.map((locale) => [locale, prose])) as Record<
    PublicLocale,
    typeof prose
  >),
  text: prose,
  reason: prose,
  description: prose,
  transactionId: transactions,
  /** A sentence, or a transaction. */
  evidence: [...prose, ...transactions],
  rulesSha256: ['hex_key'],
}

// Rules: WALLET-2
export function holdsPrivateKey(input: unknown): boolean {
  const open: (readonly [field: string, value: unknown, above: readonly PrivateKeyKind[]])[] = [
    ['', input, []],
  ]
  // Iterative, because a body may be nested deeper than the stack.
  for (let next = open.pop(); next; next = open.pop()) {
    const [field, value, above] = next
    // A field that may hold anything may contain anything but the fields named here.
    const allowed = Object.hasOwn(mayLookLikeKeys, field) ? (mayLookLikeKeys[field] ?? []) : above
    const below = allowed === any ? any : []
    if (typeof value === 'string') {
      const kind = looksLikePrivateKey(value)
      if (kind && !allowed.includes(kind)) return true
    } else if (Array.isArray(value)) {
      for (const item of value) open.push([field, item, below])
    } else if (isPlain(value)) {
      for (const name of Object.keys(value))
        if (mayHoldText(value[name])) open.push([name, value[name], below])
    }
  }
  return false
}

function mayHoldText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

/** True for plain JSON objects; a file's bytes are none. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The first letters of WIF. A version has at most two, because a base 58 digit outweighs a version byte. */
function firstsOfWif(size: number): string {
  const firstOf = (version: number, rest: number) =>
    base58.encode(Uint8Array.of(version, ...new Uint8Array(size - 1).fill(rest)))[0] ?? ''
  const letters = [...wifVersions].flatMap((version) => [firstOf(version, 0), firstOf(version, 255)])
  return [...new Set(letters)].join('')
}

function isWif(text: string): boolean {
  if (wifBegins.test(text)) return true
  // Check the length first, because every text of every request comes here.
  if (!/^[1-9A-HJ-NP-Za-km-z]{48,53}$/.test(text)) return false
  const bytes = decodedOrNull(() => base58check.decode(text))
  return bytes !== null && (bytes.length === 33 || bytes.length === 34) && wifVersions.has(bytes[0] ?? 0)
}

function isSolanaSecret(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text)) return false
  return decodedOrNull(() => base58.decode(text))?.length === 64
}

/** `[12,255,…]`: the key file of Solana's tools. */
function isByteList(text: string): boolean {
  return /^\[\s*(?:\d{1,3}\s*,\s*){31}(?:(?:\d{1,3}\s*,\s*){32})?\d{1,3}\s*\]$/.test(text)
}

/** `s…` and `sEd…`: version byte and 16 bytes in Ripple's alphabet. */
function isRippleSeed(text: string): boolean {
  if (!/^s[1-9A-HJ-NP-Za-km-z]{24,35}$/.test(text)) return false
  const bytes = decodedOrNull(() => base58xrp.decode(text))
  return bytes !== null && (bytes.length === 21 || bytes.length === 23)
}

/** True for words alone, as many as a seed phrase has, in any language of BIP 39. */
function isSeedPhrase(text: string): boolean {
  const words = text.split(/[\s,]+/u).filter(Boolean)
  return seedLengths.has(words.length) && words.every((word) => /^[\p{L}\p{M}]{1,12}$/u.test(word))
}

function decodedOrNull(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode()
  } catch {
    return null
  }
}
