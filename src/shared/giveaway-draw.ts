import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Canonical, canonicalJson } from './canonical-json.ts'
import { type Beacon, firstRoundAt, isSignatureOfRound, quicknet, randomnessOf } from './giveaway-beacon.ts'

/* The draw of a giveaway (docs/giveaway.md). Server, command and page share this file. */

// Rules: GIVE-3
/** Below `/api/v1`. */
export const giveawayFilePath = (id: number | string) => `/giveaways/${id}/file`

/** The rules that decide the draw; the file has all. */
export interface DrawRules {
  readonly closesAt: string
  /** Hours from closing to the random value. */
  readonly drawHours: number
  readonly beacon: Beacon
  readonly round: number
  readonly prizes: readonly { readonly count: number }[]
  readonly alternates: number
}

/** `fixed` is set at closing, `drawn` with the random value. */
export interface GiveawayFile {
  readonly v: 1
  readonly giveaway: number
  readonly rules: DrawRules & { readonly [name: string]: unknown }
  /** The hash of the rules' canonical JSON. */
  readonly rulesSha256: string
  readonly fixed: {
    readonly at: string
    /** One per entry, in ascending order. */
    readonly commitments: readonly string[]
    readonly root: string
  } | null
  readonly drawn: {
    readonly signature: string
    /** Winners, then alternates, in order. */
    readonly commitments: readonly string[]
  } | null
}

/** With nonce and reference anybody can recognise the entry. */
export function commitmentOf(nonce: string, reference: string): string {
  return bytesToHex(sha256(concatBytes(hexToBytes(nonce), utf8ToBytes(reference))))
}

export const hashOfRules = (rules: unknown): string =>
  bytesToHex(sha256(utf8ToBytes(canonicalJson(rules as Canonical))))

/** RFC 6962, section 2.1. */
export function rootOf(commitments: readonly string[]): string {
  const leaves = commitments.map((leaf) => sha256(concatBytes(Uint8Array.of(0), hexToBytes(leaf))))
  return bytesToHex(treeOf(leaves))
}

function treeOf(nodes: readonly Uint8Array[]): Uint8Array {
  const [first] = nodes
  if (!first) return sha256(new Uint8Array())
  if (nodes.length === 1) return first
  const left = 2 ** Math.ceil(Math.log2(nodes.length) - 1)
  return sha256(concatBytes(Uint8Array.of(1), treeOf(nodes.slice(0, left)), treeOf(nodes.slice(left))))
}

export const winnersOf = ({ prizes }: Pick<DrawRules, 'prizes'>): number =>
  prizes.reduce((sum, { count }) => sum + count, 0)

/**
 * Returns winners, then alternates. Each commitment's number is SHA-256 of seed and commitment, and the
 * smallest win; the seed is SHA-256 of root and random value. Without a modulo all entries have equal
 * chances.
 */
export function drawFrom(
  commitments: readonly string[],
  root: string,
  randomness: string,
  count: number,
): string[] {
  const places = placesFrom(commitments.map(hexToBytes), hexToBytes(root), hexToBytes(randomness), count)
  return places.map((place) => commitments[place] ?? '')
}

/** The same draw over bytes. */
export function placesFrom(
  entries: readonly Uint8Array[],
  root: Uint8Array,
  randomness: Uint8Array,
  count: number,
): number[] {
  const seeded = sha256.create().update(sha256(concatBytes(root, randomness)))
  // Creating a hasher takes longer than the hash.
  const hasher = sha256.create()
  // oxlint-disable-next-line no-underscore-dangle -- the library's name of what takes a hasher that is there
  const hashOf = (entry: Uint8Array) => seeded._cloneInto(hasher).update(entry).digest()
  return entries
    .map((entry, place) => ({ place, number: hashOf(entry) }))
    .toSorted((a, b) => compareBytes(a.number, b.number))
    .slice(0, count)
    .map(({ place }) => place)
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const differs = a.findIndex((byte, at) => byte !== b[at])
  return (a[differs] ?? 0) - (b[differs] ?? 0)
}

export type DrawFault =
  | 'rules_other'
  | 'round_other'
  | 'not_fixed'
  | 'time_wrong'
  | 'entry_wrong'
  | 'order_wrong'
  | 'root_other'
  | 'fixed_late'
  | 'not_drawn'
  | 'signature_wrong'
  | 'winners_other'

export interface DrawFindings {
  readonly faults: readonly DrawFault[]
  readonly drawn: readonly string[]
  /** True if the random values come from the known network's key. */
  readonly isKnownBeacon: boolean
}

/** `signature` comes from elsewhere while the file has none. */
export function checkDraw(file: GiveawayFile, signature = file.drawn?.signature): DrawFindings {
  const { rules, fixed, drawn } = file
  const isKnownBeacon = canonicalJson({ ...rules.beacon }) === canonicalJson({ ...quicknet })
  const faults: DrawFault[] = []
  if (hashOfRules(rules) !== file.rulesSha256) faults.push('rules_other')
  const earliest = Date.parse(rules.closesAt) + rules.drawHours * 3_600_000
  if (rules.drawHours < 2 || rules.round !== firstRoundAt(rules.beacon, earliest)) faults.push('round_other')
  if (!fixed) return { faults: [...faults, 'not_fixed'], drawn: [], isKnownBeacon }
  faults.push(...faultsOfList(rules, fixed))
  if (faults.includes('entry_wrong') || !isHash(fixed.root)) return { faults, drawn: [], isKnownBeacon }
  if (signature === undefined) return { faults: [...faults, 'not_drawn'], drawn: [], isKnownBeacon }
  if (!isSignatureOfRound(rules.beacon, rules.round, signature))
    return { faults: [...faults, 'signature_wrong'], drawn: [], isKnownBeacon }
  const count = winnersOf(rules) + rules.alternates
  const computed = drawFrom(fixed.commitments, fixed.root, randomnessOf(signature), count)
  if (drawn && String(drawn.commitments) !== computed.join()) faults.push('winners_other')
  return { faults, drawn: computed, isKnownBeacon }
}

const isHash = (text: unknown): boolean => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text)

function faultsOfList(rules: DrawRules, fixed: NonNullable<GiveawayFile['fixed']>): DrawFault[] {
  return [...faultsOfEntries(fixed), ...faultsOfTime(rules, fixed.at)]
}

/** The file may come from anybody. */
function faultsOfEntries({ commitments, root }: NonNullable<GiveawayFile['fixed']>): DrawFault[] {
  if (!Array.isArray(commitments) || !commitments.every(isHash)) return ['entry_wrong']
  const isOrdered = commitments.every((leaf, place) => place === 0 || (commitments[place - 1] ?? '') < leaf)
  if (!isOrdered) return ['order_wrong']
  return rootOf(commitments) === root ? [] : ['root_other']
}

/** Other formats could be read as different moments. */
function faultsOfTime(rules: DrawRules, at: unknown): DrawFault[] {
  const fixedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(fixedAt) || new Date(fixedAt).toISOString() !== at) return ['time_wrong']
  const isLate = fixedAt < Date.parse(rules.closesAt) || firstRoundAt(rules.beacon, fixedAt) > rules.round
  return isLate ? ['fixed_late'] : []
}

/** Null if it is no giveaway's. */
export function parseGiveawayFile(text: string): GiveawayFile | null {
  try {
    const file = JSON.parse(text) as Partial<GiveawayFile>
    const hasRules = typeof file.rules?.round === 'number' && Array.isArray(file.rules.prizes)
    return file.v === 1 && hasRules ? (file as GiveawayFile) : null
  } catch {
    return null
  }
}
