import type { Report } from '../../../../verify/check.ts'
import type { Compared } from '../../../../verify/figures.ts'
import type { NotCompared, OrdersReport } from '../../../../verify/order-rows.ts'
import { amount, moment } from '../figures.ts'
import { fill, locale, part, type Words, wordsOf } from './page.ts'
import type { VerifyAsked, VerifyTold } from './verify-worker.ts'

const KEPT = 'journal-seen'
const LINES_MAX = 20
const VALUE_LENGTH_MAX = 60

export function mountVerify(root: HTMLElement): void {
  const words = wordsOf(root)
  const button = part<HTMLButtonElement>(root, '[data-start]')
  const bar = part<HTMLProgressElement>(root, '[data-progress]')
  const state = part(root, '[data-state]')
  const result = part(root, '[data-result]')
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    result.replaceChildren()
    state.textContent = words['begin'] ?? ''
    bar.removeAttribute('value')
    bar.hidden = false
    const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
    const end = (...found: HTMLElement[]) => {
      worker.terminate()
      bar.hidden = true
      button.removeAttribute('aria-disabled')
      result.replaceChildren(...found)
    }
    const fail = (message: string) => {
      state.replaceChildren(...inEnglish(words['unchecked'], message))
      end()
    }
    worker.addEventListener('error', (event) => fail(event.message))
    worker.addEventListener('message', ({ data }: MessageEvent<VerifyTold>) => {
      if (data.kind === 'unchecked') return fail(data.message)
      if (data.kind === 'progress') {
        bar.max = data.size
        bar.value = data.done
        state.textContent = fill(words['reading'], { done: written(data.done), size: written(data.size) })
        return
      }
      keep(data.state)
      state.textContent = ''
      end(...reportOf(words, data.report))
    })
    const asked: VerifyAsked = { url: location.origin, state: kept() }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name.
    worker.postMessage(asked)
  })
}

const written = (count: number) => amount(String(count), locale)
/** As many decimals as any coin has, so that compared values are shown exactly. */
const DECIMALS_MAX = 18
const exact = (value: string) => amount(value, locale, DECIMALS_MAX)

/** Without storage the verifier can't compare with the last run. */
function kept(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined
  } catch {
    return undefined
  }
}

/** After a fault the old state stays, as evidence. */
function keep(state: string | undefined): void {
  try {
    if (state !== undefined) localStorage.setItem(KEPT, state)
  } catch {
    // A browser that stores nothing can only skip this.
  }
}

function reportOf(words: Words, report: Report): HTMLElement[] {
  const { agrees, figures, checkpoint } = report
  const parts = [text('p', `display text-3xl ${toneOf(agrees)}`, words[agrees ? 'agree' : 'differ'] ?? '')]
  const differing = figures.filter((figure) => !figure.agrees)
  const wrong = wrongOf(words, report)
  if (differing[0]) wrong.push(tableOf(words, differing))
  if (wrong[0]) parts.push(text('h2', 'mt-6 text-xl font-semibold', words['wrongHead'] ?? ''), ...wrong)
  parts.push(...rightOf(words, report))
  for (const group of groups) {
    const own = figures.filter(({ agrees: isRight, name }) => isRight && groupNameOf(name) === group)
    if (own[0]) parts.push(groupOf(words, group, own))
  }
  for (const [name, value] of [
    ['root', checkpoint?.root],
    ['key', report.vkey],
  ] as const)
    if (value) parts.push(text('p', 'figures mt-3 text-sm text-soft break-all', `${words[name]}: ${value}`))
  return parts
}

/** The group of the sale's figures starts open. */
const groups = ['sale', 'stages', 'days', 'settings', 'texts']
/** The group by the prefix of the figure's name. */
function groupNameOf(name: string): string {
  const [first = ''] = name.split('.')
  if (groups.includes(first)) return first
  return /^(raised|approvedOrders)\.|^\w+$/.test(name) ? 'sale' : 'texts'
}

function groupOf(words: Words, group: string, figures: readonly Compared[]): HTMLElement {
  const details = text('details', 'border-t py-3', '') as HTMLDetailsElement
  details.open = group === 'sale'
  const of = { group: words[group] ?? group, count: written(figures.length) }
  details.append(text('summary', 'font-semibold', fill(words['group'], of)), tableOf(words, figures))
  return details
}

const toneOf = (agrees: boolean) => (agrees ? 'text-success' : 'text-danger')

function wrongOf(
  words: Words,
  { faults, wrongEntries, wrongEntriesCount, orders, equation }: Report,
): HTMLElement[] {
  const parts: HTMLElement[] = []
  const wrong = (template: string | undefined, message: string) => {
    const line = text('p', 'mt-2 text-danger wrap-anywhere', '')
    line.append(...inEnglish(template, message))
    parts.push(line)
  }
  for (const message of faults) wrong(words['fault'], message)
  for (const { index, row, message } of wrongEntries.slice(0, LINES_MAX))
    wrong(fill(words['wrong'], { index: written(index), row: row ?? '?' }), message)
  if (wrongEntriesCount > LINES_MAX) {
    const count = written(wrongEntriesCount - LINES_MAX)
    parts.push(text('p', 'mt-2 text-danger wrap-anywhere', fill(words['more'], { count })))
  }
  parts.push(...wrongOrders(words, orders))
  if (equation && !equation.agrees) parts.push(owedOf(words, equation))
  return parts
}

function rightOf(
  words: Words,
  { figures, comparedAt, faults, previous, orders, equation }: Report,
): HTMLElement[] {
  const parts: HTMLElement[] = []
  if (comparedAt !== null)
    parts.push(
      text(
        'p',
        'mt-1',
        fill(words['found'], {
          count: written(figures.filter((figure) => figure.agrees).length),
          size: written(comparedAt),
        }),
      ),
    )
  if (!faults[0]) {
    const line = previous
      ? fill(words['before'], { at: moment(previous.seenAt, locale) })
      : (words['first'] ?? '')
    parts.push(text('p', 'mt-1 text-soft', line))
  }
  if (typeof orders === 'string') parts.push(text('p', 'mt-1 text-soft', words['noOrders'] ?? ''))
  else if (orders.agrees)
    parts.push(text('p', 'mt-1 text-soft', fill(words['orders'], { count: written(orders.shown) })))
  if (equation?.agrees) parts.push(owedOf(words, equation))
  return parts
}

function owedOf(words: Words, { lines, total, rest, agrees }: NonNullable<Report['equation']>): HTMLElement {
  const said = lines.map(({ name, tokens }) => `${owerOf(words, name)}: ${exact(tokens)}`).join('; ') || '0'
  const line = fill(words['owed'], { total: exact(total), parts: said, rest: exact(rest) })
  return text('p', `mt-2 ${agrees ? '' : 'text-danger '}wrap-anywhere`, line)
}

function wrongOrders(words: Words, orders: OrdersReport | NotCompared): HTMLElement[] {
  if (typeof orders === 'string' || orders.agrees) return []
  const { differing, differingCount } = orders
  const nothing = words['nothing'] ?? ''
  const lines = differing.map((one) => {
    const [is, said] = [one.shown ?? nothing, one.journal ?? nothing]
    return fill(words['order'], { order: one.order, shown: is, journal: said })
  })
  if (differingCount > lines.length)
    lines.push(fill(words['moreOrders'], { count: written(differingCount - lines.length) }))
  return lines.map((line) => text('p', 'mt-2 text-danger wrap-anywhere', line))
}

/** Translates the verifier's `round 3` and `escrow ethereum`. */
function owerOf(words: Words, name: string): string {
  const [, kind = '', which = ''] = /^(round|escrow) (.*)$/.exec(name) ?? []
  if (!kind) return name
  return fill(words[kind], { which: words[which] ?? which })
}

function inEnglish(template = '', message: string): (string | HTMLElement)[] {
  const [before = '', after = ''] = template.split('{message}')
  const said = text('span', '', message)
  said.lang = 'en'
  return [before, said, after]
}

/** On narrow screens each row is a block: figure, result, and both values side by side. */
function tableOf(words: Words, figures: readonly Compared[]): HTMLElement {
  const frame = text('div', 'overflow-x-auto', '')
  frame.tabIndex = 0
  const table = cell(frame, 'table', 'table', 'w-full text-start text-sm max-sm:block')
  const head = cell(table, 'thead', 'rowgroup', 'text-soft max-sm:sr-only')
  const names = cell(head, 'tr', 'row', '')
  for (const name of ['figure', 'verdict', 'shown', 'journal'])
    cell(names, 'th', 'columnheader', 'py-1.5 pe-4 font-normal', words[name])
  const body = cell(table, 'tbody', 'rowgroup', 'max-sm:block')
  for (const figure of figures) addRow(body, words, figure)
  return frame
}

function addRow(body: HTMLElement, words: Words, figure: Compared): void {
  const { name, shown, journal, agrees } = figure
  const row = cell(body, 'tr', 'row', 'grid grid-cols-2 border-t align-top sm:table-row')
  cell(row, 'th', 'rowheader', 'figures py-1.5 pe-4 font-normal break-all', name)
  cell(row, 'td', 'cell', `py-1.5 pe-4 ${toneOf(agrees)}`, verdictOf(words, figure))
  for (const [label, value] of [
    [words['shown'], shown],
    [words['journal'], journal],
  ]) {
    const place = cell(row, 'td', 'cell', 'figures py-1.5 pe-4 break-all')
    const above = text('span', 'block font-text text-xs text-soft sm:hidden', label ?? '')
    above.setAttribute('aria-hidden', 'true')
    place.append(above, valueOf(value ?? words['nothing'] ?? ''))
  }
}

function verdictOf(words: Words, { agrees, difference, since }: Compared): string {
  if (agrees) return `✓ ${words['same'] ?? ''}`
  const by = difference === undefined ? [] : [fill(words['by'], { difference: exact(difference) })]
  const from = since ? fill(words['since'], { index: written(since.index), row: since.row }) : words['never']
  return `✗ ${[words['other'], ...by, from].join(', ')}`
}

/** Formats decimals for the page; other values are as in the journal, shortened. */
function valueOf(value: string): string {
  if (/^-?\d+(\.\d+)?$/.test(value)) return exact(value)
  return value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}…` : value
}

/** Some screen readers ignore a table with block layout, so its roles are explicit. */
function cell(parent: HTMLElement, name: string, role: string, className: string, content = ''): HTMLElement {
  const made = parent.appendChild(text(name, className, content))
  made.setAttribute('role', role)
  return made
}

function text(name: string, className: string, content: string): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.textContent = content
  return made
}
