import { areEqual, base64FromBytes } from './bytes.ts'
import { formatDecimal } from './decimals.ts'
import { type Entry, EntryError, parseEntry, rowOf } from './entries.ts'
import { type Equation, equationOf } from './equation.ts'
import { LogFault, messageOf, Unchecked } from './fault.ts'
import { type Compared, Comparison } from './figures.ts'
import { Fold, isFurther } from './fold.ts'
import type { Sha256 } from './hash.ts'
import { checkUpperTiles, type Leaf, readLeaves } from './log.ts'
import { type ChainReport, lookUp, type TrustedNode } from './nodes.ts'
import {
  type Checkpoint,
  describeTree,
  openCheckpoint,
  openNote,
  parseVerifierKey,
  type VerifierKey,
} from './notes.ts'
import { type NotCompared, OrderRows, type OrdersReport, readOrderRows } from './order-rows.ts'
import { changedSince, type FormerKey, readSeen, type Seen } from './seen.ts'
import { readShown } from './shown.ts'
import type { Site } from './site.ts'
import { GrowingTree, TILE_WIDTH, TreeHash } from './tree.ts'

const NOTE_BYTES_MAX = 200_000
/** Slightly more than two seconds, after which the checkpoint covers the figures. */
const BETWEEN_CHECKPOINTS_MS = 2_100
/** A log that changes its key each time is invalid. */
const KEY_TRIES = 3
/** Beyond this number, errors are only counted. */
const ERRORS_MAX = 1_000

export interface WrongEntry {
  index: number
  row: string | null
  message: string
}

export interface Report {
  site: string
  vkey: string
  /** Former keys, oldest first. Each has signed its successor's first list, and no longer one. */
  formerKeys: FormerKey[]
  /** The newest signed checkpoint. */
  checkpoint: { size: number; root: string; note: string } | null
  /** The previous check. */
  previous: { size: number; seenAt: string; note: string } | null
  /** The log's violations. */
  faults: string[]
  wrongEntries: WrongEntry[]
  wrongEntriesCount: number
  /** The log's size for the compared figures; null if it could not be read. */
  comparedAt: number | null
  figures: Compared[]
  /** The comparison of approved orders' rows, or why there is none. */
  orders: OrdersReport | NotCompared
  /** Further results of the journal, which the campaign's API does not show. */
  further: Record<string, string>
  /** The chains' answers about the payments; null without nodes. */
  chains: ChainReport | null
  /** The obligations that cover the tokens; null if the log could not be read. */
  equation: Equation | null
  agrees: boolean
}

interface Parts {
  site: Site
  sha256: Sha256
  /** The state file's content; undefined on the first check. */
  state?: string | undefined
  /** Nodes to look payments up, by network. */
  nodes?: ReadonlyMap<string, TrustedNode> | undefined
  onProgress?: (done: number, size: number) => void
}

interface SignedBy {
  key: VerifierKey
  checkpoint: Checkpoint
}

/** The log's own key, as it states. */
export async function readKey(site: Site, sha256: Sha256): Promise<VerifierKey> {
  const text = await site.text('journal/vkey', NOTE_BYTES_MAX)
  return parseVerifierKey(sha256, text.replace(/\n$/, ''))
}

/** With the site's key that signed it. Asks again if the key is replaced in between. */
export async function readNewest(site: Site, sha256: Sha256): Promise<SignedBy> {
  let key = await readKey(site, sha256)
  for (let tries = 1; ; tries += 1) {
    site.follow(key.name)
    const note = await site.text('journal/checkpoint', NOTE_BYTES_MAX)
    try {
      return { key, checkpoint: await openCheckpoint(note, key) }
    } catch (error) {
      const next = await readKey(site, sha256)
      if (next.text === key.text || tries === KEY_TRIES) throw error
      key = next
    }
  }
}

/** Opens the checkpoint at which the key was replaced, signed by both keys. */
async function openRotation(
  sha256: Sha256,
  note: string,
  previous: string,
  vkey: string,
): Promise<Checkpoint> {
  await openNote(note, parseVerifierKey(sha256, vkey))
  return openCheckpoint(note, parseVerifierKey(sha256, previous))
}

/** `seen` is the state to store; undefined after a fault of the log. */
export async function checkSite(parts: Parts): Promise<{ report: Report; seen: Seen | undefined }> {
  const { site, sha256, state } = parts
  const before = state === undefined ? undefined : await readSeen(sha256, state)
  const key = await readKey(site, sha256)
  const check = new Check(parts, key, before)
  const { report } = check
  try {
    await check.read()
    await check.compareKeys()
  } catch (error) {
    const isKnown = error instanceof LogFault || (error instanceof Unchecked && report.faults.length > 0)
    if (!isKnown) throw error
    report.faults.push(messageOf(error))
  }
  const areFiguresRight = report.comparedAt !== null && report.figures.every(({ agrees }) => agrees)
  report.agrees =
    report.faults.length === 0 &&
    report.wrongEntriesCount === 0 &&
    areFiguresRight &&
    (typeof report.orders === 'string' || report.orders.agrees) &&
    report.equation?.agrees === true &&
    (report.chains?.missing.length ?? 0) === 0
  return { report, seen: report.faults.length === 0 ? check.seen() : undefined }
}

class Check {
  readonly report: Report
  private readonly parts: Parts
  private key: VerifierKey
  private fold = new Fold(() => undefined)
  /** The tree at the end of each entry that replaces the key. */
  private readonly rekeyed: Uint8Array[] = []
  private readonly before: (Seen & { tree: Checkpoint }) | undefined
  private readonly hash: TreeHash
  private readonly tree: GrowingTree
  /** The leaves of the partial last tile. */
  private leaves: Uint8Array[] = []
  /** The last tile's leaves at the previous check. */
  private readonly oldLeaves: Uint8Array[] = []
  private newest: Checkpoint | undefined
  private replaced: SignedBy | undefined

  constructor(parts: Parts, key: VerifierKey, before: (Seen & { tree: Checkpoint }) | undefined) {
    this.parts = parts
    this.key = key
    this.before = before
    this.hash = new TreeHash(parts.sha256)
    this.tree = new GrowingTree(this.hash)
    this.report = {
      site: parts.site.url,
      vkey: key.text,
      formerKeys: [],
      checkpoint: null,
      previous: before ? { size: before.tree.size, seenAt: before.seenAt, note: before.checkpoint } : null,
      faults: [],
      wrongEntries: [],
      wrongEntriesCount: 0,
      comparedAt: null,
      figures: [],
      orders: 'none',
      further: {},
      chains: null,
      equation: null,
      agrees: false,
    }
  }

  // Rules: LOG-16
  /** Checks that today's key is the journal's, and that each earlier key signed its replacement. */
  async compareKeys(): Promise<void> {
    const { report, before } = this
    const { keys } = this.fold
    const newest = keys.at(-1)?.vkey
    const known = before?.vkey ?? report.vkey
    const isFormer = newest === report.vkey && keys.some(({ vkey }) => vkey === known)
    if (known !== report.vkey && !isFormer)
      report.faults.push(`The log has another key: ${report.vkey} instead of ${known}.`)
    if (newest !== undefined && newest !== report.vkey) {
      const said =
        keys.length === 1
          ? `The first entry opens a log with the vkey ${newest}`
          : `The journal has the key ${newest}`
      report.faults.push(`${said}, not ${report.vkey}.`)
    }
    for (const [at, { vkey, size }] of keys.entries()) {
      const previous = keys[at - 1]?.vkey
      if (previous === undefined) continue
      const note = await this.parts.site.promised(`journal/rotation/${at}`, NOTE_BYTES_MAX)
      const signed = await openRotation(this.parts.sha256, note, previous, vkey)
      if (signed.size !== size || !areEqual(signed.root, this.rekeyed[at - 1] as Uint8Array))
        throw new LogFault(
          `The keys have signed another change of the key than entry ${size - 1} of this log.`,
        )
    }
    report.formerKeys = keys.slice(0, -1).map(({ vkey }, at) => ({ vkey, until: keys[at + 1]?.size ?? 0 }))
    if (this.replaced) this.compareSigner(this.replaced)
  }

  /** The signer of a list must have been the log's key at that length. */
  private compareSigner({ key: { text }, checkpoint: { size } }: SignedBy): void {
    const { report } = this
    const until = report.formerKeys.find(({ vkey }) => vkey === text)?.until ?? Number.POSITIVE_INFINITY
    const isOwn = this.fold.keys.some(({ vkey, size: from }) => vkey === text && from <= size)
    if (!isOwn || size > until)
      report.faults.push(
        `The list of ${size} entries was signed with ${text}, which was not the log’s key then.`,
      )
  }

  /** Reads checkpoint, figures, checkpoint, then all entries up to the second one. */
  async read(): Promise<void> {
    const { site, sha256 } = this.parts
    const first = await readNewest(site, sha256)
    const older = first.checkpoint
    const shown = await readShown(site, sha256)
    const read = await readOrderRows(site, shown)
    const rows = read instanceof OrderRows ? read : undefined
    const readAt = new Date().toISOString()
    await site.reach.wait(BETWEEN_CHECKPOINTS_MS)
    // The key may have been replaced meanwhile.
    const last = await readNewest(site, sha256)
    this.key = last.key
    this.report.vkey = this.key.text
    if (first.key.text !== last.key.text) this.replaced = first
    const newer = last.checkpoint
    this.newest = newer
    this.report.checkpoint = { size: newer.size, root: base64FromBytes(newer.root), note: newer.text }
    this.compareSizes(older, newer)
    let fold: Fold | undefined = undefined as Fold | undefined
    const comparison = new Comparison(
      shown,
      (name) => !name.startsWith('days.') && !isFurther(name) && !fold?.isToCome(name, readAt),
    )
    fold = new Fold(comparison.follow, (fields, isApproved) => rows?.take(fields, isApproved))
    this.fold = fold
    const consider = (size: number) => {
      comparison.consider(size)
      rows?.consider()
    }
    if (older.size === 0) consider(0)
    for await (const leaves of readLeaves(site, this.hash, newer.size)) {
      for (const leaf of leaves) {
        this.take(leaf, fold, comparison, rows)
        this.grow(leaf)
        if (fold.keys.at(-1)?.size === this.tree.size && fold.keys.length > 1)
          this.rekeyed.push(this.tree.root())
        if (this.tree.size >= older.size) consider(this.tree.size)
        this.compareRoots(older, newer)
      }
      this.parts.onProgress?.(this.tree.size, newer.size)
    }
    if (newer.size === 0) this.report.faults.push('The log has no entry, not even the one that opens it.')
    const { size, figures } = comparison.result()
    const further = [...fold.further()].map(([name, amount]) => [name, formatDecimal(amount)])
    const orders = read instanceof OrderRows ? read.result() : read
    Object.assign(this.report, { comparedAt: size, figures, orders, further: Object.fromEntries(further) })
    await checkUpperTiles(site, this.tree)
    await this.lookUp(fold)
    this.report.equation = await equationOf(fold, fold.standingPayments(), this.parts.nodes ?? new Map())
  }

  /** A payment in another asset than its currency is invalid, whatever a chain shows. */
  private async lookUp(fold: Fold): Promise<void> {
    const { nodes, onProgress } = this.parts
    if (nodes === undefined || nodes.size === 0) return
    const payments = [...fold.standingPayments()]
    const odd = payments.filter((payment) => !fold.isInItsCurrency(payment))
    const rest = payments.filter((payment) => fold.isInItsCurrency(payment))
    const chains = await lookUp(nodes, rest, onProgress)
    for (const { subject, chain, transaction, output, order, asset, currency } of odd) {
      const reason = `it is in ${asset} of ${chain}, which the journal never called ${currency}`
      chains.missing.push({ subject, chain, transaction, output, order, reason })
    }
    this.report.chains = chains
  }

  seen(): Seen | undefined {
    if (this.newest === undefined) return undefined
    return {
      vkey: this.key.text,
      formerKeys: this.report.formerKeys,
      checkpoint: this.newest.text,
      seenAt: new Date().toISOString(),
      tiles: this.tree.levels[1] ?? [],
      leaves: this.leaves,
    }
  }

  private compareSizes(older: Checkpoint, newer: Checkpoint): void {
    if (newer.size < older.size) {
      throw new LogFault(`The log signed ${describeTree(older)}, and after that ${describeTree(newer)}.`)
    }
    const { before } = this
    if (before === undefined || before.tree.size <= newer.size) return
    this.report.faults.push(
      `The log has lost entries: it had ${before.tree.size} on ${before.seenAt}, and has ${newer.size} now.`,
    )
  }

  private take(
    { index, bytes }: Leaf,
    fold: Fold,
    comparison: Comparison,
    rows: OrderRows | undefined,
  ): void {
    try {
      const entry = parseEntry(bytes)
      comparison.at(index, entry.row)
      rows?.at(index, entry.row)
      if (index === 0) this.compareIdentity(entry)
      fold.take(index, entry)
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      this.report.wrongEntriesCount += 1
      if (this.report.wrongEntries.length >= ERRORS_MAX) return
      this.report.wrongEntries.push({ index, row: rowOf(bytes) ?? null, message: error.message })
    }
  }

  /** The first entry names the log. */
  private compareIdentity({ fields }: Entry): void {
    const { name } = this.key
    if (fields['origin'] === name) return
    this.report.faults.push(`The first entry opens a log with the origin ${fields['origin']}, not ${name}.`)
  }

  private grow({ index, hash }: Leaf): void {
    this.tree.append(hash)
    this.leaves.push(hash)
    if (this.leaves.length === TILE_WIDTH) this.leaves = []
    if (this.before === undefined) return
    const { tiles, tree } = this.before
    if (index >= tiles.length * TILE_WIDTH && index < tree.size) this.oldLeaves.push(hash)
  }

  /** Compares the root so far with a checkpoint's. */
  private compareRoots(older: Checkpoint, newer: Checkpoint): void {
    const { size } = this.tree
    for (const signed of new Set([older, newer])) {
      if (signed.size !== size || areEqual(signed.root, this.tree.root())) continue
      const found = describeTree({ size, root: this.tree.root() })
      this.report.faults.push(`The log signed ${describeTree(signed)}, but serves ${found}.`)
    }
    const { before } = this
    const isEnd = size === newer.size
    if (before === undefined || (before.tree.size !== size && !(isEnd && before.tree.size > size))) return
    const changed = changedSince(before, { tiles: this.tree.levels[1] ?? [], leaves: this.oldLeaves })
    if (changed === undefined && (before.tree.size > size || areEqual(before.tree.root, this.tree.root())))
      return
    const then = `On ${before.seenAt} it had ${describeTree(before.tree)}, now the same entries`
    this.report.faults.push(
      `The log was rewritten. ${then} have the root ${base64FromBytes(this.tree.root())}; ${changed ?? 'where they differ is not known'}.`,
    )
  }
}
