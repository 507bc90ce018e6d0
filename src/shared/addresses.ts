import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xrp, bech32, bech32m, createBase58check } from '@scure/base'
import { evmNetworks, type Network } from './api/currencies.ts'
import { looksLikePrivateKey } from './private-keys.ts'

export { looksLikePrivateKey, type PrivateKeyKind } from './private-keys.ts'
export { qrText, type WalletRequest, walletUri } from './wallet-links.ts'

/** Why an address is not one of its network. */
export type AddressProblem =
  | 'empty'
  | 'private_key'
  | 'malformed'
  | 'checksum'
  | 'wrong_network'
  | 'test_network'

/** Which of a coin's networks an address belongs to. */
export type AddressNet = 'main' | 'test' | 'regtest'

interface BitcoinAddresses {
  readonly segwit: Readonly<Record<string, AddressNet>>
  /** Version byte → network; pay to public key hash or to script hash. */
  readonly legacy: Readonly<Record<number, AddressNet>>
}

/** Version bytes and prefixes from each Core's chainparams.cpp. Litecoin's `3…` form is refused: Bitcoin's looks the same. */
const bitcoinAddresses: Partial<Record<Network, BitcoinAddresses>> = {
  bitcoin: {
    segwit: { bc: 'main', tb: 'test', bcrt: 'regtest' },
    legacy: { 0x00: 'main', 0x05: 'main', 0x6f: 'test', 0xc4: 'test' },
  },
  litecoin: {
    segwit: { ltc: 'main', tltc: 'test', rltc: 'regtest' },
    legacy: { 0x30: 'main', 0x32: 'main', 0x6f: 'test', 0x3a: 'test', 0xc4: 'test' },
  },
  dogecoin: {
    segwit: {},
    legacy: { 0x1e: 'main', 0x16: 'main', 0x71: 'test', 0xc4: 'test', 0x6f: 'regtest' },
  },
}

const base58check = createBase58check(sha256)

// Rules: WALLET-1
/**
 * Null where `address` is one of `network`, else why not. Test networks are refused unless `testnet` is set, which takes both. An EVM
 * address in mixed case must carry a right EIP-55 checksum. `other` has no check but length and a key's recognition.
 */
export function checkAddress(
  network: Network,
  address: string,
  options: { testnet?: boolean } = {},
): AddressProblem | null {
  const text = address.trim()
  if (text === '') return 'empty'
  if (looksLikePrivateKey(text)) return 'private_key'
  if (evmNetworks.includes(network)) return checkEvm(text)
  const known = bitcoinAddresses[network]
  if (known) {
    const net = bitcoinNet(known, text)
    if (net === 'malformed' || net === 'checksum' || net === 'wrong_network') return net
    return net === 'main' || options.testnet ? null : 'test_network'
  }
  if (network === 'tron') return checkTron(text)
  if (network === 'solana') return checkSolana(text)
  if (network === 'ripple') return checkRipple(text)
  return text.length >= 5 && text.length <= 200 && !/\s/.test(text) ? null : 'malformed'
}

/** The address in EIP-55 form; takes any case. */
export function evmChecksum(address: string): string {
  const lower = address.slice(2).toLowerCase()
  const hash = keccak_256(new TextEncoder().encode(lower))
  const letters = [...lower].map((letter, index) => {
    const byte = hash[index >> 1] ?? 0
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15
    return nibble >= 8 ? letter.toUpperCase() : letter
  })
  return `0x${letters.join('')}`
}

function checkEvm(text: string): AddressProblem | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return text.startsWith('0x') ? 'malformed' : 'wrong_network'
  const digits = text.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return null
  return evmChecksum(text) === text ? null : 'checksum'
}

function bitcoinNet(known: BitcoinAddresses, text: string): AddressNet | AddressProblem {
  const prefix = /^([a-z]{2,6})1/i.exec(text)?.[1]?.toLowerCase()
  if (prefix !== undefined && isSegwitPrefix(prefix)) return segwitNet(known, prefix, text)
  const bytes = base58Bytes(text)
  if (typeof bytes === 'string') return bytes
  if (bytes.length !== 21) return 'malformed'
  return known.legacy[bytes[0] ?? -1] ?? 'wrong_network'
}

function isSegwitPrefix(prefix: string): boolean {
  return Object.values(bitcoinAddresses).some((known) => known !== undefined && prefix in known.segwit)
}

/** BIP 173 and BIP 350: version 0 carries bech32, later ones bech32m; programs of version 0 have 20 or 32 bytes. */
function segwitNet(known: BitcoinAddresses, prefix: string, text: string): AddressNet | AddressProblem {
  const net = known.segwit[prefix]
  if (net === undefined) return 'wrong_network'
  const coder = /^.{2,6}1q/i.test(text) ? bech32 : bech32m
  const decoded = coder.decodeUnsafe(text, 90)
  if (!decoded) return 'checksum'
  const version = decoded.words[0]
  const program = coder.fromWordsUnsafe(decoded.words.slice(1))
  if (version === undefined || version > 16 || !program) return 'malformed'
  const isLengthRight =
    version === 0
      ? program.length === 20 || program.length === 32
      : program.length >= 2 && program.length <= 40
  return isLengthRight && (version !== 1 || program.length === 32) ? net : 'malformed'
}

function base58Bytes(text: string): Uint8Array | 'malformed' | 'checksum' {
  if (!/^[1-9A-HJ-NP-Za-km-z]{20,60}$/.test(text)) return 'malformed'
  try {
    return base58check.decode(text)
  } catch {
    return 'checksum'
  }
}

function checkTron(text: string): AddressProblem | null {
  const bytes = base58Bytes(text)
  if (typeof bytes === 'string') return text.startsWith('0x') ? 'wrong_network' : bytes
  if (bytes.length !== 21) return 'malformed'
  return bytes[0] === 0x41 ? null : 'wrong_network'
}

/** A Solana address is a bare public key: 32 bytes and no checksum. */
function checkSolana(text: string): AddressProblem | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return 'malformed'
  return base58.decode(text).length === 32 ? null : 'wrong_network'
}

/** `r…`: version 0 and 20 bytes in Ripple's own alphabet, with the usual double SHA-256 checksum. */
function checkRipple(text: string): AddressProblem | null {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text))
    return /^X[1-9A-HJ-NP-Za-km-z]{40,50}$/.test(text) ? 'malformed' : 'wrong_network'
  const bytes = base58xrp.decode(text)
  if (bytes.length !== 25 || bytes[0] !== 0) return 'checksum'
  const check = sha256(sha256(bytes.slice(0, 21)))
  return bytes.slice(21).every((byte, index) => byte === check[index]) ? null : 'checksum'
}
