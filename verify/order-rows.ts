import { LogFault, Unchecked } from './fault.ts'
import type { Since, Value } from './figures.ts'
import type { Site } from './site.ts'

// The rows of approved orders that a site shows one by one, beside what the journal says of each: docs/journal.md, “What follows”.

const PATH = 'transparency/orders.csv'
const HEAD = 'order,day,stage,currency,base,bonus,dollars,approved_by'
const LINE_LENGTH_MAX = 2_000
// Rules: LOG-8
/** More would not fit in the memory that a check may need. */
export const ROWS_MAX = 200_000
/** Of many that differ a person reads the first. */
const DIFFERING_MAX = 20

/** An order that is shown otherwise than the journal has it. */
export interface DifferingOrder {
  /** As entries name it. */
  order: string
  /** Stage, currency, tokens, bonus, dollars and way; null where it is not there. */
  shown: string | null
  journal: string | null
  /** Since which entry; null where it never was what is shown. */
  since: Since | null
}

/** What came of comparing them. */
export interface OrdersReport {
  shown: number
  agrees: boolean
  differingCount: number
  /** The first of them. */
  differing: DifferingOrder[]
}

interface Said {
  row: string
  since: Since | null
}

/** Holds the rows against the journal while it is folded. Rows that agree are let go, so that it grows lighter as the journal comes up to them. */
export class OrderRows {
  readonly shown: number
  private readonly stageName: (id: unknown) => string
  /** Shown and, by the journal so far, not so. */
  private readonly waiting: Map<string, Said>
  /** What the journal has that is not shown, or not so. */
  private readonly unshown = new Map<string, Said>()
  private entry: Since | null = null
  private best: OrdersReport | undefined

  constructor(rows: Map<string, Said>, stageName: (id: unknown) => string) {
    this.shown = rows.size
    this.waiting = rows
    this.stageName = stageName
  }

  /** Every change that follows is this entry's. */
  at(index: number, row: string): void {
    this.entry = { index, row }
  }

  /** An order that is approved now, or no more. */
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
    // What is taken back was shown and agreed, or it was not shown so.
    else if (!this.unshown.delete(order)) this.waiting.set(order, said)
  }

  /** The rows may have been read when the journal was as long as it is now. */
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

/** Reads the rows. Stages stand in them by the names that are shown. */
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

/** The name in English, else in Russian, else in the first language that has it by its code. */
function plainName(name: string | Readonly<Record<string, string>>): string {
  if (typeof name === 'string') return name
  const codes = ['en', 'ru', ...Object.keys(name).toSorted()]
  return codes.map((code) => name[code]).find((text) => text?.trim()) ?? ''
}

const rowOf = (cells: readonly unknown[]) => cells.join(' · ')

/** A decimal without zeros at its end. */
const trimmed = (amount = '') => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount)

/** A name as a table shows it: in one line, and no formula. */
export function defused(name: string): string {
  const flat = name.replace(/[\r\n]+/g, ' ')
  if (/^-?\d{1,40}(\.\d{1,40})?$/.test(flat)) return flat
  const inner = flat.replace(INNER_FORMULA, "$&'")
  return FORMULA.test(flat) ? `'${inner}` : inner
}

/** What begins a formula in some spreadsheet, as the site that writes the table has it. */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const FORMULA = /^(?:[\s\u0000-\u001f\u00a0\u200b\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])/

/** The same behind a sign at which a spreadsheet may split the table. */
// oxlint-disable-next-line no-control-regex -- these are among the characters that spreadsheets skip
const INNER_FORMULA = /[;|\t\r\n][\s\u0000-\u001f\u00a0\u200b\ufeff"]*(?=[=+\-@＝＋－＠])/g

/** The cells of a line, of which those with a comma or a quotation mark are quoted. */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  )
}
