import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

/**
 * A drand network with the scheme `bls-unchained-g1-rfc9380`. Nobody knows the signature of a round's number
 * before its time.
 */
export interface Beacon {
  /** The network's hash. */
  readonly chain: string
  readonly publicKey: string
  /** The time of round 1, in Unix seconds. */
  readonly genesis: number
  /** Seconds between rounds. */
  readonly period: number
}

/** The main network of the League of Entropy (https://docs.drand.love), run by about twenty organisations. */
export const quicknet: Beacon = {
  chain: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis: 1_692_803_367,
  period: 3,
}

/** At or after a moment (milliseconds). */
export function firstRoundAt({ genesis, period }: Beacon, atMs: number): number {
  return Math.max(1, Math.ceil((atMs / 1000 - genesis) / period) + 1)
}

/** In milliseconds. */
export function timeOfRound({ genesis, period }: Beacon, round: number): number {
  return (genesis + (round - 1) * period) * 1000
}

const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** A point of G1. */
export function messageOfRound(round: number) {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round))
  return bls12_381.shortSignatures.hash(sha256(bytes), DOMAIN)
}

/** Takes about a second. */
export function isSignatureOfRound(beacon: Beacon, round: number, signature: string): boolean {
  try {
    return bls12_381.shortSignatures.verify(
      hexToBytes(signature),
      messageOfRound(round),
      hexToBytes(beacon.publicKey),
    )
  } catch {
    // Invalid hex or not a point of the curve.
    return false
  }
}

/** In hex. */
export const randomnessOf = (signature: string): string => bytesToHex(sha256(hexToBytes(signature)))
