import type { Report } from './check.ts'
import type { Equation } from './equation.ts'
import type { Compared } from './figures.ts'
import type { ChainReport } from './nodes.ts'
import { type NotCompared, type OrdersReport, ROWS_MAX } from './order-rows.ts'

/** Of many faults the first ones are printed. */
const LINES_MAX = 20
const VALUE_LENGTH_MAX = 60

/** Formats a check's result for a person. */
export function printReport(report: Report): string {
  const { checkpoint, previous, faults, wrongEntries, wrongEntriesCount, comparedAt, figures } = report
  const lines = [`Journal of ${report.site}, signed by ${report.vkey}`]
  if (checkpoint) lines.push(`Newest checkpoint: ${checkpoint.size} entries, root ${checkpoint.root}`)
  if (previous) lines.push(`Last look: ${previous.seenAt}, ${previous.size} entries then`)
  else
    lines.push('First look: whether the log was rewritten before cannot be known; the next look will compare')
  lines.push('')
  for (const fault of faults) lines.push(`FAULT  ${fault}`)
  if (faults.length > 0 && checkpoint && previous) {
    lines.push('Both are signed; keep them as evidence:', '', previous.note, checkpoint.note)
  }
  if (faults.length === 0) lines.push('The log is whole: signatures, entries and tree fit together.')
  for (const { index, row, message } of wrongEntries.slice(0, LINES_MAX)) {
    lines.push(`WRONG  entry ${index} (${row ?? 'no row'}): ${message}`)
  }
  if (wrongEntriesCount > LINES_MAX) lines.push(`WRONG  and ${wrongEntriesCount - LINES_MAX} entries more`)
  if (comparedAt !== null) lines.push('', ...figureLines(figures), '', ...orderLines(report.orders))
  for (const [name, amount] of Object.entries(report.further)) lines.push(`also follows: ${name} ${amount}`)
  if (report.chains) lines.push('', ...chainLines(report.chains))
  if (report.equation) lines.push('', ...equationLines(report.equation))
  lines.push('', conclusionOf(report))
  return `${lines.join('\n')}\n`
}

function orderLines(orders: OrdersReport | NotCompared): string[] {
  if (typeof orders === 'string') {
    const why = orders === 'none' ? 'none' : `more than ${ROWS_MAX}`
    return [`The rows of orders were not compared: the site shows ${why}.`]
  }
  const { shown, agrees, differing, differingCount } = orders
  if (agrees) return [`Each of the ${shown} rows of approved orders is what the journal says of its order.`]
  const more = differingCount - differing.length
  return [
    ...differing.map(({ order, since, ...values }) => {
      const from = since ? `since entry ${since.index} (${since.row})` : 'which it never was in the journal'
      return `DIFFERS  order ${order}: shown ${values.shown ?? 'nothing'}; journal ${values.journal ?? 'nothing'}; ${from}`
    }),
    ...(more > 0 ? [`DIFFERS  and ${more} orders more`] : []),
  ]
}

function chainLines({ found, missing, notAsked }: ChainReport): string[] {
  return [
    `On the chains: ${found} payments as the journal says`,
    ...missing
      .slice(0, LINES_MAX)
      .map(
        ({ subject, chain, transaction, reason }) =>
          `MISSING  ${subject} (${chain} ${transaction}): ${reason}`,
      ),
    ...(missing.length > LINES_MAX ? [`MISSING  and ${missing.length - LINES_MAX} payments more`] : []),
    ...Object.entries(notAsked).map(
      ([chain, count]) => `not looked up: ${count} payments, as no node of ${chain} was named`,
    ),
  ]
}

function equationLines({ lines, rest, total, agrees }: Equation): string[] {
  return [
    `${agrees ? 'Who owes the' : 'WRONG  Who owes the'} ${total} tokens that were sold, given and granted:`,
    ...lines.map(({ name, contract, tokens, shown, fault }) => {
      const chain = shown === null ? 'not asked' : `${contract} shows ${shown}${fault ? `: ${fault}` : ''}`
      return `${fault ? 'WRONG  ' : ''}${name}: ${tokens}, ${contract === null ? 'not live yet' : chain}`
    }),
    `in no round and no escrow yet: ${rest}`,
  ]
}

function figureLines(figures: readonly Compared[]): string[] {
  const rows = [['', 'figure', 'shown', 'journal', ''], ...figures.map(cellsOf)]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function cellsOf({ name, shown, journal, agrees, difference, since }: Compared): string[] {
  const values = [shown, journal].map((value) => shortened(value ?? 'nothing'))
  if (agrees) return ['agrees', name, ...values, '']
  const by = difference === undefined ? '' : `by ${difference}, `
  const from = since ? `since entry ${since.index} (${since.row})` : 'which it never was in the journal'
  return ['DIFFERS', name, ...values, by + from]
}

function shortened(text: string): string {
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text
}

function conclusionOf(report: Report): string {
  const { agrees, comparedAt, figures, faults, wrongEntriesCount, chains, equation, orders } = report
  if (agrees) return `All ${figures.length} figures agree with the journal's first ${comparedAt} entries.`
  const differing = figures.filter((figure) => !figure.agrees).length
  const found = [
    faults.length > 0 ? 'the log is at fault' : '',
    wrongEntriesCount > 0 ? `${wrongEntriesCount} entries break the folding rules` : '',
    comparedAt === null ? 'no figure could be compared' : '',
    differing > 0
      ? `${differing} of ${figures.length} figures differ from the journal's first ${comparedAt} entries`
      : '',
    typeof orders !== 'string' && !orders.agrees
      ? `${orders.differingCount} orders are shown otherwise than the journal has them`
      : '',
    chains && chains.missing.length > 0 ? `${chains.missing.length} payments are on no chain` : '',
    equation?.agrees === false ? 'a contract, or the sum of all, does not show the tokens that are owed' : '',
  ]
  return `This does NOT agree: ${found.filter(Boolean).join('; ')}.`
}
