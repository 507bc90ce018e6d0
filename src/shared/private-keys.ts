import { sha256 } from '@noble/hashes/sha2.js'
import { base58, base58xrp, createBase58check } from '@scure/base'
import { type PublicLocale, publicLocales } from './languages.ts'
import { addressNets, coreNetworks, networkFacts } from './networks.ts'

/** What a pasted secret was recognised as. None is ever needed here: each is refused before it is stored or logged. */
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
/** Version bytes of WIF. */
const wifVersions = new Set(cores.flatMap(({ nets }) => addressNets.map((net) => nets[net].wif)))
/** How a WIF key begins: its version byte, 32 bytes, 1 where its public key is compressed, and 4 bytes of checksum. */
const wifBegins = new RegExp(`^(?:[${firstsOfWif(37)}]${BASE58}{50}|[${firstsOfWif(38)}]${BASE58}{51})$`)

/**
 * Recognises what no form here may take: a key in hex, WIF (BIP 38 too), an extended private key (xprv and kin, also inside a
 * descriptor), a seed phrase, a Ripple or Solana seed, a key file. Null for anything else. A WIF key with a typo is recognised too,
 * because the rest of the key is still a secret.
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

/** Any kind: a secret by its nature, which is hashed, encrypted or checked and never shown. */
const any: readonly PrivateKeyKind[] = [
  'hex_key',
  'wif',
  'encrypted_key',
  'extended_key',
  'seed_phrase',
  'seed',
  'key_file',
]
/** Twelve plain words are a sentence here. */
const prose: readonly PrivateKeyKind[] = ['seed_phrase']
/** Ids of transactions look like a key in hex, and Solana's like a pair of keys. */
const transactions: readonly PrivateKeyKind[] = ['hex_key', 'seed']

/**
 * What may look like a private key in a field of this name, the same name in every input. Every other text of every input is
 * refused where it is recognised as one, so that a new field is guarded before anybody thinks of it.
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
  /** What shows that a prize was handed over: a sentence, or a transaction. */
  evidence: [...prose, ...transactions],
  rulesSha256: ['hex_key'],
}

// Rules: WALLET-2
/** Whether a text anywhere in an input is a private key in the place of something else. */
export function holdsPrivateKey(input: unknown): boolean {
  const open: (readonly [field: string, value: unknown, above: readonly PrivateKeyKind[]])[] = [
    ['', input, []],
  ]
  // A list of what is left to see, because a body may be nested deeper than a stack is.
  for (let next = open.pop(); next; next = open.pop()) {
    const [field, value, above] = next
    // What lies in a field that may hold anything may be anything too, but where it has a name of its own here.
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

/** Numbers and the like hold none, and are most of what there is. */
function mayHoldText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

/** What JSON makes; a file's bytes are no fields. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The first letters of keys of `size` bytes. Those of one version have two at most, because a letter is worth more than a version byte. */
function firstsOfWif(size: number): string {
  const firstOf = (version: number, rest: number) =>
    base58.encode(Uint8Array.of(version, ...new Uint8Array(size - 1).fill(rest)))[0] ?? ''
  const letters = [...wifVersions].flatMap((version) => [firstOf(version, 0), firstOf(version, 255)])
  return [...new Set(letters)].join('')
}

function isWif(text: string): boolean {
  if (wifBegins.test(text)) return true
  // 37 or 38 bytes with their checksum. Nothing else is decoded, for each text of each request comes by here.
  if (!/^[1-9A-HJ-NP-Za-km-z]{48,53}$/.test(text)) return false
  const bytes = decodedOrNull(() => base58check.decode(text))
  return bytes !== null && (bytes.length === 33 || bytes.length === 34) && wifVersions.has(bytes[0] ?? 0)
}

function isSolanaSecret(text: string): boolean {
  if (!/^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text)) return false
  return decodedOrNull(() => base58.decode(text))?.length === 64
}

/** `[12,255,…]`: the file that Solana's tools write. */
function isByteList(text: string): boolean {
  return /^\[\s*(?:\d{1,3}\s*,\s*){31}(?:(?:\d{1,3}\s*,\s*){32})?\d{1,3}\s*\]$/.test(text)
}

/** `s…` and `sEd…`: version byte and 16 bytes of entropy in Ripple's own alphabet. */
function isRippleSeed(text: string): boolean {
  if (!/^s[1-9A-HJ-NP-Za-km-z]{24,35}$/.test(text)) return false
  const bytes = decodedOrNull(() => base58xrp.decode(text))
  return bytes !== null && (bytes.length === 21 || bytes.length === 23)
}

/** Words alone, as many as a seed phrase has, in any of the languages of BIP 39. */
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
