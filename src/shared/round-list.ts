import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address, Hex } from 'viem'
import { checkAddress } from './addresses.ts'
import { canonicalJson } from './canonical-json.ts'
import { type Leaf, merkleTree, type Pause, rootOf } from './merkle-tree.ts'

/** Decimals of contracts/src/SaleToken.sol; the ledger has 6. */
export const TOKEN_DECIMALS = 18

/** Arguments in the order of contracts/src/IDistributor.sol. */
export interface Terms {
  readonly token: Address
  readonly root: Hex
  readonly total: bigint
  readonly start: number
  readonly schedule: { readonly startBps: number; readonly cliff: number; readonly linear: number }
  readonly leftoverTo: Address
  readonly leftoverFrom: number
}

/** Amounts in the token's smallest units, times in ISO form. */
export interface RoundList {
  readonly sale: { readonly name: string; readonly symbol: string }
  readonly round: number
  readonly network: string
  readonly chainId: number
  readonly cutAt: string
  readonly frozenAt: string
  readonly distributor: Terms
  readonly ways: { readonly purchased: bigint; readonly bonus: bigint; readonly granted: bigint }
  readonly rows: readonly Leaf[]
}

const FORMAT = 'presale-round-1'
const LEAF = ['uint256 place', 'address account', 'uint256 tokens'] as const

/** Returns canonical JSON, whose SHA-256 identifies the list. */
export function contentOfList(list: RoundList): string {
  const { distributor, ways, rows } = list
  return canonicalJson({
    format: FORMAT,
    sale: list.sale,
    round: list.round,
    network: list.network,
    chainId: list.chainId,
    cutAt: list.cutAt,
    frozenAt: list.frozenAt,
    decimals: TOKEN_DECIMALS,
    distributor: { ...distributor, total: String(distributor.total) },
    ways: {
      purchased: String(ways.purchased),
      bonus: String(ways.bonus),
      granted: String(ways.granted),
    },
    leaf: LEAF,
    rows: rows.map(({ place, account, tokens }) => ({ place, account, tokens: String(tokens) })),
  })
}

export const sha256OfText = (text: string) => bytesToHex(sha256(utf8ToBytes(text)))

export type ListFault = 'not_a_list' | 'other_places' | 'other_total' | 'other_root'

export interface CheckedList {
  readonly list: RoundList
  readonly sha256: string
  readonly tree: Uint8Array
}

// Rules: DELIVER-38
/**
 * Checks all that needs no chain: canonical form, each row's place, the sums against the total and the ways,
 * and the Merkle root.
 */
export async function checkList(text: string, pause: Pause): Promise<CheckedList | ListFault> {
  const list = readList(text)
  if (!list || list.rows.length === 0) return 'not_a_list'
  const { rows, distributor, ways } = list
  if (new Set(rows.map(({ place }) => place)).size !== rows.length) return 'other_places'
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0n)
  const ofWays = ways.purchased + ways.bonus + ways.granted
  if (total !== distributor.total || ofWays !== total) return 'other_total'
  const tree = await merkleTree(rows, pause)
  return rootOf(tree) === distributor.root ? { list, sha256: sha256OfText(text), tree } : 'other_root'
}

/** Undefined for a text that the list would not serialise to. */
function readList(text: string): RoundList | undefined {
  try {
    const list = listOf(JSON.parse(text) as Fields)
    return contentOfList(list) === text ? list : undefined
  } catch {
    return undefined
  }
}

type Fields = Record<string, unknown>

function listOf(file: Fields): RoundList {
  const sale = file['sale'] as Fields
  const ways = file['ways'] as Fields
  return {
    sale: { name: textIn(sale['name']), symbol: textIn(sale['symbol']) },
    round: wholeIn(file['round']),
    network: textIn(file['network']),
    chainId: wholeIn(file['chainId']),
    cutAt: textIn(file['cutAt']),
    frozenAt: textIn(file['frozenAt']),
    distributor: termsIn(file['distributor'] as Fields),
    ways: {
      purchased: unitsIn(ways['purchased']),
      bonus: unitsIn(ways['bonus']),
      granted: unitsIn(ways['granted']),
    },
    rows: (file['rows'] as Fields[]).map((row) => ({
      place: wholeIn(row['place']),
      account: addressIn(row['account']),
      tokens: unitsIn(row['tokens']),
    })),
  }
}

function termsIn(terms: Fields): Terms {
  const schedule = terms['schedule'] as Fields
  return {
    token: addressIn(terms['token']),
    root: matching(/^0x[0-9a-f]{64}$/, terms['root']) as Hex,
    total: unitsIn(terms['total']),
    start: wholeIn(terms['start']),
    schedule: {
      startBps: wholeIn(schedule['startBps']),
      cliff: wholeIn(schedule['cliff']),
      linear: wholeIn(schedule['linear']),
    },
    leftoverTo: addressIn(terms['leftoverTo']),
    leftoverFrom: wholeIn(terms['leftoverFrom']),
  }
}

function matching(pattern: RegExp, value: unknown): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError('another text is expected')
  return value
}

const textIn = (value: unknown) => matching(/^/, value)
const unitsIn = (value: unknown) => BigInt(matching(/^\d{1,40}$/, value))

function addressIn(value: unknown): Address {
  const address = matching(/^0x[0-9a-fA-F]{40}$/, value)
  if (checkAddress('ethereum', address)) throw new TypeError('the address has another checksum')
  return address as Address
}

function wholeIn(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new TypeError('a whole number is expected')
  return value as number
}
