import { LogFault, Unchecked } from './fault.ts'
import type { Since, Value } from './figures.ts'
import type { Site } from './site.ts'

// The site's rows of approved orders against the journal: docs/journal.md, “What follows”.

const PATH = 'transparency/orders.csv'
const HEAD = 'order,day,stage,currency,base,bonus,dollars,approved_by'
const LINE_LENGTH_MAX = 2_000
// Rules: LOG-8
/** The limit of rows that fit into the check's memory. */
export const ROWS_MAX = 200_000
const DIFFERING_MAX = 20

/** An order whose row differs from the journal. */
export interface DifferingOrder {
  /** Its name in entries. */
  order: string
  /** Stage, currency, tokens, bonus, dollars and confirmation; null if absent. */
  shown: string | null
  journal: string | null
  /** The entry since which it differs; null if it never matched. */
  since: Since | null
}

export interface OrdersReport {
  shown: number
  agrees: boolean
  differingCount: number
  differing: DifferingOrder[]
}

interface Said {
  row: string
  since: Since | null
}

/** During the fold. Matching rows are released, so memory shrinks. */
export class OrderRows {
  readonly shown: number
  private readonly stageName: (id: unknown) => string
  /** Shown rows that the journal so far lacks. */
  private readonly waiting: Map<string, Said>
  private readonly unshown = new Map<string, Said>()
  private entry: Since | null = null
  private best: OrdersReport | undefined

  constructor(rows: Map<string, Said>, stageName: (id: unknown) => string) {
    this.shown = rows.size
    this.waiting = rows
    this.stageName = stageName
  }

  at(index: number, row: string): void {
    this.entry = { index, row }
  }

  take(fields: Readonly<Record<string, unknown>>, isApproved: boolean): void {
    const order = fields['order'] as string
    const { currency, base, bonus, usd, way } = fields
    const said = {
      row: rowOf([this.stageName(fields['stage']), currency, base, bonus, usd, way]),
      since: this.entry,
    }
    const isShown = this.waiting.get(order)?.row === said.row
    if (isApproved && isShown) this.waiting.delete(order)
    else if (isApproved) this.unshown.set(order, said)
    // A reversed row either matched or was not shown.
    else if (!this.unshown.delete(order)) this.waiting.set(order, said)
  }

  /** The rows may have been read at this length of the journal. */
  consider(): void {
    const orders = new Set([...this.waiting.keys(), ...this.unshown.keys()])
    if (this.best !== undefined && this.best.differingCount <= orders.size) return
    const differing = [...orders].slice(0, DIFFERING_MAX).map((order) => {
      const [shown, journal] = [this.waiting.get(order), this.unshown.get(order)]
      return {
        order,
        shown: shown?.row ?? null,
        journal: journal?.row ?? null,
        since: journal?.since ?? shown?.since ?? null,
      }
    })
    this.best = { shown: this.shown, agrees: orders.size === 0, differingCount: orders.size, differing }
  }

  result(): OrdersReport {
    if (this.best === undefined) throw new Error('no size was considered')
    return this.best
  }
}

/** Why rows were not compared: the site shows none, or more than `ROWS_MAX`. */
export type NotCompared = 'none' | 'too many'

/** Reads the rows, in which stages have their displayed names. */
export async function readOrderRows(
  site: Site,
  figures: ReadonlyMap<string, Value>,
  rowsMax = ROWS_MAX,
): Promise<OrderRows | NotCompared> {
  const pieces = await site.pieces(PATH)
  if (pieces === undefined) return 'none'
  const rows = new Map<string, Said>()
  let rest = ''
  let line = -1
  const take = (text: string) => {
    if (++line === 0) {
      if (text !== HEAD)
        throw new Unchecked(`${site.url}/${PATH} has other columns than this verifier knows.`)
    } else if (text !== '') {
      const [order = '', _day, stage, currency, base, bonus, dollars, way] = cellsOf(text)
      if (rows.has(order)) throw new LogFault(`${PATH} shows the order ${order} twice.`)
      rows.set(order, { row: rowOf([stage, currency, base, bonus, trimmed(dollars), way]), since: null })
    }
  }
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\r\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_LENGTH_MAX) throw new LogFault(`${PATH} has a line that is too long.`)
    for (const one of lines) take(one)
    if (rows.size > rowsMax) return 'too many'
  }
  take(rest)
  const nameOf = (id: unknown) => {
    const name = figures.get(`stages.${String(id)}.name`)
    return typeof name === 'string' ? defused(plainName(JSON.parse(name))) : `stage ${String(id)}`
  }
  return new OrderRows(rows, nameOf)
}

/** The name in English, Russian, or the first language by code. */
function plainName(name: string | Readonly<Record<string, string>>): string {
  if (typeof name === 'string') return name
  const codes = ['en', 'ru', ...Object.keys(name).toSorted()]
  return codes.map((code) => name[code]).find((text) => text?.trim()) ?? ''
}

const rowOf = (cells: readonly unknown[]) => cells.join(' · ')

/** Drops trailing zeros. */
const trimmed = (amount = '') => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

/** A name as in a table: one line, no formula. */
export function defused(name: string): string {
  const flat = name.replace(/[\r\n]+/g, ' ')
  if (/^-?\d{1,40}(\.\d{1,40})?$/.test(flat)) return flat
  const inner = flat.replace(INNER_FORMULA, "$&'")
  return FORMULA.test(flat) ? `'${inner}` : inner
}

/** Starts a formula in some spreadsheet, by the rule of the site that writes the table. */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const FORMULA = /^(?:[\s\u0000-\u001f\u00a0\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/

/** The same after a character at which a spreadsheet may split the table. */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const INNER_FORMULA = /[;|\t\r\n][\s\u0000-\u001f\u00a0\u200b\ufeff"]*(?=[=+\-@＝＋－＠])/g

function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  )
}
