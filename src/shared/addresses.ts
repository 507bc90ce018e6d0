import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base58xrp, bech32, bech32m, createBase58check } from '@scure/base'
import {
  type AddressNet,
  addressNets,
  type CoreFacts,
  coreNetworks,
  type Network,
  type NetworkFamily,
  networkFacts,
  type WalletFamily,
} from './networks.ts'
import { looksLikePrivateKey } from './private-keys.ts'

export { looksLikePrivateKey, type PrivateKeyKind } from './private-keys.ts'
export { qrText, type WalletRequest, walletUri } from './wallet-links.ts'

export type AddressProblem =
  | 'empty'
  | 'private_key'
  | 'malformed'
  | 'checksum'
  | 'wrong_network'
  | 'test_network'

const base58check = createBase58check(sha256)

// Rules: WALLET-1
/**
 * Null for an address of `network`. Test networks are rejected unless `testnet` is set. A mixed-case EVM
 * address must have a valid EIP-55 checksum. `other` only checks length and rejects private keys.
 */
export function checkAddress(
  network: Network,
  address: string,
  options: { testnet?: boolean } = {},
): AddressProblem | null {
  const text = address.trim()
  if (text === '') return 'empty'
  if (looksLikePrivateKey(text)) return 'private_key'
  const facts = networkFacts[network]
  if (facts.family === 'bitcoin') return checkCore(facts, text, options.testnet ?? false)
  return checks[facts.family](text)
}

// Rules: WALLET-1
/**
 * All spellings of one address have the same key: compare keys, never raw texts. EVM: lower case. Core:
 * bech32 in lower case (BIP 173 allows capitals), an old script version byte replaced by the new one.
 */
export function addressKeyOf(network: Network | WalletFamily, address: string): string {
  const text = address.trim()
  const facts = network === 'evm' ? undefined : networkFacts[network]
  if (!facts || facts.family === 'evm') return text.toLowerCase()
  if (facts.family !== 'bitcoin') return text
  const prefix = segwitPrefixOf(text)
  if (prefix !== undefined) return text.toLowerCase()
  const bytes = base58Bytes(text)
  const net = addressNets
    .map((one) => facts.nets[one])
    .find(({ oldScriptHash }) => oldScriptHash === bytes[0])
  if (!net || typeof bytes === 'string') return text
  return base58check.encode(Uint8Array.of(net.scriptHash, ...bytes.subarray(1)))
}

/** The address key, in EIP-55 form on an EVM network. */
export function canonicalAddress(network: Network, address: string): string {
  const key = addressKeyOf(network, address)
  return networkFacts[network].family === 'evm' ? evmChecksum(key) : key
}

const checks: Record<Exclude<NetworkFamily, 'bitcoin'>, (text: string) => AddressProblem | null> = {
  evm: checkEvm,
  tron: checkTron,
  solana: checkSolana,
  ripple: checkRipple,
  other: (text) => (text.length >= 5 && text.length <= 200 && !/\s/.test(text) ? null : 'malformed'),
}

/** Takes any case. */
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

function checkCore(facts: CoreFacts, text: string, testnet: boolean): AddressProblem | null {
  const net = coreNet(facts, text)
  if (net === 'malformed' || net === 'checksum' || net === 'wrong_network') return net
  return net === 'main' || testnet ? null : 'test_network'
}

function coreNet(facts: CoreFacts, text: string): AddressNet | AddressProblem {
  const prefix = segwitPrefixOf(text)
  if (prefix !== undefined) return segwitNet(facts, prefix, text)
  const bytes = base58Bytes(text)
  if (typeof bytes === 'string') return bytes
  if (bytes.length !== 21) return 'malformed'
  // Test networks may share version bytes.
  const net = addressNets.find((one) => {
    const { pubKeyHash, scriptHash, oldScriptHash } = facts.nets[one]
    return [pubKeyHash, scriptHash, oldScriptHash].includes(bytes[0])
  })
  return net ?? 'wrong_network'
}

const netOfPrefix = ({ nets }: CoreFacts, prefix: string): AddressNet | undefined =>
  addressNets.find((net) => nets[net].segwit === prefix)

/** Of any Core network, in lower case. */
function segwitPrefixOf(text: string): string | undefined {
  const prefix = /^([a-z]{2,6})1/i.exec(text)?.[1]?.toLowerCase()
  const isKnown = prefix && coreNetworks.some((network) => netOfPrefix(networkFacts[network], prefix))
  return isKnown ? prefix : undefined
}

/** BIP 173 and BIP 350: version 0 uses bech32 with 20 or 32 bytes, later versions bech32m. */
function segwitNet(facts: CoreFacts, prefix: string, text: string): AddressNet | AddressProblem {
  const net = netOfPrefix(facts, prefix)
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
