import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Canonical, canonicalJson } from './canonical-json.ts'
import { type Beacon, firstRoundAt, isSignatureOfRound, quicknet, randomnessOf } from './giveaway-beacon.ts'

/*
 * The draw of a giveaway, as docs/giveaway.md says it: whoever has the published file computes the winners again. The server, the command and
 * the page in the browser run this one file.
 */

// Rules: GIVE-3
/** The published file, below `/api/v1`. */
export const giveawayFilePath = (id: number | string) => `/giveaways/${id}/file`

/** What of the published rules decides the draw; the file holds all of them. */
export interface DrawRules {
  readonly closesAt: string
  /** At least so many hours from closing to the random value. */
  readonly drawHours: number
  readonly beacon: Beacon
  readonly round: number
  readonly prizes: readonly { readonly count: number }[]
  readonly alternates: number
}

/** The published file. `fixed` comes at closing, `drawn` with the random value. */
export interface GiveawayFile {
  readonly v: 1
  readonly giveaway: number
  readonly rules: DrawRules & { readonly [name: string]: unknown }
  /** SHA-256 of the canonical JSON of the rules. */
  readonly rulesSha256: string
  readonly fixed: {
    readonly at: string
    /** One for each entry, in ascending order. */
    readonly commitments: readonly string[]
    readonly root: string
  } | null
  readonly drawn: {
    readonly signature: string
    /** Winners, then alternates, in order. */
    readonly commitments: readonly string[]
  } | null
}

/** What an entrant keeps: with the account's reference and these bytes anybody recognises the entry. */
export function commitmentOf(nonce: string, reference: string): string {
  return bytesToHex(sha256(concatBytes(hexToBytes(nonce), utf8ToBytes(reference))))
}

export const hashOfRules = (rules: unknown): string =>
  bytesToHex(sha256(utf8ToBytes(canonicalJson(rules as Canonical))))

/** The root of RFC 6962, section 2.1, over the commitments. */
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

/** How many winners the prizes make. */
export const winnersOf = ({ prizes }: Pick<DrawRules, 'prizes'>): number =>
  prizes.reduce((sum, { count }) => sum + count, 0)

/**
 * Winners and alternates in order. Each commitment gets a number, SHA-256 of the seed and the commitment, and the smallest ones win; the seed is
 * SHA-256 of the root and the random value. No remainder is taken anywhere, so no place is likelier than another.
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

/** The same over bytes: where in the list the winners and alternates stand. */
export function placesFrom(
  entries: readonly Uint8Array[],
  root: Uint8Array,
  randomness: Uint8Array,
  count: number,
): number[] {
  const seeded = sha256.create().update(sha256(concatBytes(root, randomness)))
  // Of a million entries each would make a hasher of its own, which takes longer than the hash.
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

/** What is wrong with a file. */
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
  /** Winners and alternates as computed here; empty until a valid signature is there. */
  readonly drawn: readonly string[]
  /** Whether the random values come from the network that this program knows, and not from another key. */
  readonly isKnownBeacon: boolean
}

/** Computes everything of a published file again. `signature` is one from elsewhere, where the file has none yet. */
export function checkDraw(file: GiveawayFile, signature = file.drawn?.signature): DrawFindings {
  const { rules, fixed, drawn } = file
  const isKnownBeacon = canonicalJson({ ...rules.beacon }) === canonicalJson({ ...quicknet })
  const faults: DrawFault[] = []
  if (hashOfRules(rules) !== file.rulesSha256) faults.push('rules_other')
  const earliest = Date.parse(rules.closesAt) + rules.drawHours * 3_600_000
  if (rules.drawHours < 2 || rules.round !== firstRoundAt(rules.beacon, earliest)) faults.push('round_other')
  if (!fixed) return { faults: [...faults, 'not_fixed'], drawn: [], isKnownBeacon }
  faults.push(...faultsOfList(rules, fixed))
  // Nothing can be drawn from what is no list.
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

/** The file is somebody's, so its list may be anything. */
function faultsOfEntries({ commitments, root }: NonNullable<GiveawayFile['fixed']>): DrawFault[] {
  if (!Array.isArray(commitments) || !commitments.every(isHash)) return ['entry_wrong']
  const isOrdered = commitments.every((leaf, place) => place === 0 || (commitments[place - 1] ?? '') < leaf)
  if (!isOrdered) return ['order_wrong']
  return rootOf(commitments) === root ? [] : ['root_other']
}

/** A time in another form could be read as different moments, and none is before any round. */
function faultsOfTime(rules: DrawRules, at: unknown): DrawFault[] {
  const fixedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(fixedAt) || new Date(fixedAt).toISOString() !== at) return ['time_wrong']
  const isLate = fixedAt < Date.parse(rules.closesAt) || firstRoundAt(rules.beacon, fixedAt) > rules.round
  return isLate ? ['fixed_late'] : []
}

/** A file as somebody gave it; null where it is no giveaway's. */
export function parseGiveawayFile(text: string): GiveawayFile | null {
  try {
    const file = JSON.parse(text) as Partial<GiveawayFile>
    const hasRules = typeof file.rules?.round === 'number' && Array.isArray(file.rules.prizes)
    return file.v === 1 && hasRules ? (file as GiveawayFile) : null
  } catch {
    return null
  }
}
