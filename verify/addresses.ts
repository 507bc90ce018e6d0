import { bytesFromText, hexFromBytes } from './bytes.ts'
import { parseCanonical } from './canonical.ts'
import { parseEntry } from './entries.ts'
import { LogFault } from './fault.ts'
import type { Sha256 } from './hash.ts'
import { checkInclusion, type Proven } from './inclusion.ts'
import type { VerifierKey } from './notes.ts'
import { rootFromInclusion, TreeHash } from './tree.ts'

// The origin of an order's address: docs/journal.md, “Whose an address is”.

export interface CheckedAddress {
  address: string
  /** The wallet and the address's index; null for a fixed address. */
  wallet: { number: number; index: number; key: string } | null
  /** The currency of a fixed address; null for a wallet's. */
  currency: string | null
  /** The journal's time of the announcement. */
  announcedAt: string
  proven: Proven
}

interface AddressLeaf {
  address: string
  index: number
  key: string
}

const isHex = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

const FORM: Readonly<Record<string, (value: unknown) => boolean>> = {
  v: (value) => value === 1,
  address: (value) => typeof value === 'string' && value !== '',
  index: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  key: isHex,
  salt: isHex,
}

function parseLeaf(text: string): AddressLeaf {
  const leaf = parseCanonical(text)
  const isObject = typeof leaf === 'object' && leaf !== null && !Array.isArray(leaf)
  const names = isObject ? Object.keys(leaf) : []
  const fits =
    isObject &&
    names.length === Object.keys(FORM).length &&
    Object.entries(FORM).every(([name, check]) => Object.hasOwn(leaf, name) && check(leaf[name]))
  if (!fits) throw new LogFault('The leaf of the address is none.')
  return leaf as unknown as AddressLeaf
}

function bytesOf(hash: unknown): Uint8Array {
  if (!isHex(hash)) throw new LogFault(`The path has a line that is no hash: “${String(hash)}”.`)
  const text = hash as string
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
}

// Rules: LOG-13
/** Throws a LogFault with the reason if the log with this key did not announce it. */
export async function checkAddress(sha256: Sha256, text: string, key: VerifierKey): Promise<CheckedAddress> {
  const file = parseFile(text)
  const proven = await checkInclusion(sha256, file.proof, key)
  const { kind, at: announcedAt, fields } = parseEntry(bytesFromText(proven.entry))
  if (file.leaf === undefined) {
    const isShown = kind === 'currency.set' && fields['wallet'] === null && fields['isAccepted'] === true
    if (!isShown || file.address === undefined || file.address === '' || fields['address'] !== file.address)
      throw new LogFault(`Entry ${proven.index} does not show the address ${file.address} to everybody.`)
    return {
      address: file.address,
      wallet: null,
      currency: fields['currency'] as string,
      announcedAt,
      proven,
    }
  }
  if (kind !== 'wallet.announced') throw new LogFault(`Entry ${proven.index} announces no wallet.`)
  const leaf = parseLeaf(file.leaf)
  const [number, first, size] = [fields['wallet'], fields['first'], fields['count']] as [
    number,
    number,
    number,
  ]
  const index = leaf.index - first
  if (leaf.key !== fields['key'])
    throw new LogFault(
      `The address is one of the key ${leaf.key}; entry ${proven.index} announces ${String(fields['key'])}.`,
    )
  if (index < 0 || index >= size)
    throw new LogFault(
      `Entry ${proven.index} announces the addresses ${first} to ${first + size - 1}, not ${leaf.index}.`,
    )
  const hash = new TreeHash(sha256)
  const root = rootFromInclusion(hash, { index, size }, hash.ofLeaf(bytesFromText(file.leaf)), file.path)
  if (root === undefined || hexFromBytes(root) !== fields['root'])
    throw new LogFault(
      `${leaf.address} is not address ${leaf.index} of the wallet ${number} that entry ${proven.index} announces.`,
    )
  return {
    address: leaf.address,
    wallet: { number, index: leaf.index, key: leaf.key },
    currency: null,
    announcedAt,
    proven,
  }
}

interface AddressFile {
  leaf: string | undefined
  address: string | undefined
  path: Uint8Array[]
  proof: string
}

function parseFile(text: string): AddressFile {
  let file: Record<string, unknown> | null = null
  try {
    file = JSON.parse(text)
  } catch {
    // Reported below.
  }
  const { v, leaf, address, path, proof } = file ?? {}
  const isWallets = typeof leaf === 'string' && Array.isArray(path) && address === undefined
  const isFixed = typeof address === 'string' && leaf === undefined && path === undefined
  if (v !== 1 || typeof proof !== 'string' || !(isWallets || isFixed))
    throw new LogFault('This is no file of an address.')
  return {
    leaf: isWallets ? leaf : undefined,
    address: isFixed ? address : undefined,
    path: isWallets ? path.map(bytesOf) : [],
    proof,
  }
}
