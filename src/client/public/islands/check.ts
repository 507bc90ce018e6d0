import { amount, dollars } from '../figures.ts'
import { millionths, plain } from './exact.ts'
import { call, fill, locale, part, type Words, wordsOf } from './page.ts'

interface Shown {
  raised: { usd: string; onChainUsd: string; byOperatorUsd: string }
  purchasedTokens: string
  bonusTokens: string
  approvedOrders: { onChain: number; byOperator: number }
  settings: { shares: { percent: string }[] }
}

export interface Counted {
  rows: number
  usd: bigint
  onChainUsd: bigint
  byOperatorUsd: bigint
  baseTokens: bigint
  bonusTokens: bigint
}

const attemptsMax = 3

/** Adds up the public rows on this device and compares them with the site's figures. */
export function mountCheck(root: HTMLElement): void {
  const words = wordsOf(root)
  const button = part<HTMLButtonElement>(root, '[data-analyze]')
  const result = part(root, '[data-result]')
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-disabled') === 'true') return
    button.setAttribute('aria-disabled', 'true')
    root.querySelector('[data-ornament]')?.remove()
    result.textContent = words['reading'] ?? ''
    try {
      const { shown, counted } = await readBoth()
      result.replaceChildren(...report(words, shown, counted))
    } catch {
      result.textContent = words['failed'] ?? ''
    }
    button.removeAttribute('aria-disabled')
  })
}

/** If an order was approved between the two reads, reads both again. */
async function readBoth(): Promise<{ shown: Shown; counted: Counted }> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await call<Shown>('/campaign')
    const counted = await countRows()
    const shown = await call<Shown>('/campaign')
    const isStill = JSON.stringify(before.raised) === JSON.stringify(shown.raised)
    if (isStill && (agrees(shown, counted) || attempt > 1)) return { shown, counted }
    if (attempt >= attemptsMax) return { shown, counted }
    // The site's figures may be a second old.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
  }
}

async function countRows(): Promise<Counted> {
  const response = await fetch('/transparency/orders.csv')
  if (!response.ok || !response.body) throw new Error(`rows: ${response.status}`)
  const counter = createCounter()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return counter.end()
    counter.take(value)
  }
}

/** Columns: day, stage, currency, base, bonus, dollars, confirmation. */
export function createCounter(): { take(text: string): void; end(): Counted } {
  const counted: Counted = {
    rows: 0,
    usd: 0n,
    onChainUsd: 0n,
    byOperatorUsd: 0n,
    baseTokens: 0n,
    bonusTokens: 0n,
  }
  let rest = ''
  let isHead = true
  const takeLine = (line: string) => {
    if (isHead || line === '') {
      isHead = false
      return
    }
    const cells = line.split(',')
    const [base, bonus, usd, via] = [cells.at(-4), cells.at(-3), cells.at(-2), cells.at(-1)]
    const [baseTokens, bonusTokens, dollarsOf] = [base, bonus, usd].map((cell) => millionths(cell ?? ''))
    if (baseTokens == null || bonusTokens == null || dollarsOf == null) throw new Error('a row is unreadable')
    counted.rows += 1
    counted.baseTokens += baseTokens
    counted.bonusTokens += bonusTokens
    counted.usd += dollarsOf
    if (via === 'chain') counted.onChainUsd += dollarsOf
    else counted.byOperatorUsd += dollarsOf
  }
  return {
    take(text) {
      const lines = (rest + text).split(/\r?\n/)
      rest = lines.pop() ?? ''
      for (const line of lines) takeLine(line)
    },
    end() {
      takeLine(rest)
      return counted
    },
  }
}

interface Line {
  name: string
  shown: string
  counted: string
  isSame: boolean
}

function linesOf(words: Words, shown: Shown, counted: Counted): Line[] {
  const line = (
    name: string | undefined,
    text: string,
    sum: bigint,
    write: (value: string) => string,
  ): Line => ({
    name: name ?? '',
    shown: write(text),
    counted: write(plain(sum)),
    isSame: millionths(text) === sum,
  })
  const usd = (value: string) => dollars(value, locale)
  const plainly = (value: string) => amount(value, locale)
  const orders = String(shown.approvedOrders.onChain + shown.approvedOrders.byOperator)
  const shares = shown.settings.shares.reduce((sum, share) => sum + (millionths(share.percent) ?? 0n), 0n)
  return [
    line(words['raised'], shown.raised.usd, counted.usd, usd),
    line(words['onChain'], shown.raised.onChainUsd, counted.onChainUsd, usd),
    line(words['byOperator'], shown.raised.byOperatorUsd, counted.byOperatorUsd, usd),
    line(words['purchased'], shown.purchasedTokens, counted.baseTokens, plainly),
    line(words['bonus'], shown.bonusTokens, counted.bonusTokens, plainly),
    line(words['orders'], orders, BigInt(counted.rows) * 1_000_000n, plainly),
    line(words['shares'], '100', shares, plainly),
  ]
}

export function agrees(shown: Shown, counted: Counted): boolean {
  return linesOf({}, shown, counted).every((line) => line.isSame)
}

function report(words: Words, shown: Shown, counted: Counted): HTMLElement[] {
  const lines = linesOf(words, shown, counted)
  const isSame = lines.every((line) => line.isSame)
  const verdict = element('p', `display text-3xl ${isSame ? 'text-success' : 'text-danger'}`)
  verdict.textContent = (isSame ? words['agree'] : words['differ']) ?? ''
  const rows = element('p', 'mt-1 text-soft')
  rows.textContent = fill(words['rows'], { count: amount(String(counted.rows), locale) })
  const table = element('table', 'mt-3 w-full text-start')
  const head = table.appendChild(element('thead', 'text-soft')).appendChild(element('tr', ''))
  for (const name of ['figure', 'shown', 'counted', 'same']) {
    const cell = head.appendChild(element('th', name === 'figure' ? 'font-normal' : 'text-end font-normal'))
    cell.setAttribute('scope', 'col')
    cell.textContent = name === 'same' ? '' : (words[name] ?? '')
  }
  const body = table.appendChild(element('tbody', ''))
  for (const line of lines) body.appendChild(rowOf(words, line))
  return [verdict, rows, table]
}

function rowOf(words: Words, line: Line): HTMLElement {
  const row = element('tr', 'border-t')
  const name = row.appendChild(element('th', 'py-1.5 font-normal'))
  name.setAttribute('scope', 'row')
  name.textContent = line.name
  for (const text of [line.shown, line.counted])
    row.appendChild(element('td', 'figures py-1.5 ps-3 text-end')).textContent = text
  const mark = row.appendChild(element('td', `ps-3 text-end ${line.isSame ? 'text-success' : 'text-danger'}`))
  mark.textContent = line.isSame ? '✓' : '✗'
  mark.setAttribute('aria-label', (line.isSame ? words['same'] : words['other']) ?? '')
  return row
}

function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  return made
}
