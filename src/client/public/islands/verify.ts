import type { Report } from '../../../../verify/check.ts'
import type { Compared } from '../../../../verify/figures.ts'
import { amount, moment } from '../figures.ts'
import { fill, locale, part, type Words, wordsOf } from './page.ts'
import type { VerifyAsked, VerifyTold } from './verify-worker.ts'

/** What is kept of the last look, as the verifier writes it. */
const KEPT = 'journal-seen'
/** Of what is wrong in many places, a person reads the first. */
const LINES_MAX = 20
const VALUE_LENGTH_MAX = 60

/** Runs the verifier beside the page and shows how far it is and what it found. */
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
      state.textContent = fill(words['unchecked'], { message })
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

/** A browser that keeps nothing only can't compare with the last look. */
function kept(): string | undefined {
  try {
    return localStorage.getItem(KEPT) ?? undefined
  } catch {
    return undefined
  }
}

/** A log that is at fault leaves what was seen before, which is evidence. */
function keep(state: string | undefined): void {
  try {
    if (state !== undefined) localStorage.setItem(KEPT, state)
  } catch {
    // As above.
  }
}

function reportOf(words: Words, report: Report): HTMLElement[] {
  const { agrees, figures, comparedAt, previous, checkpoint, faults, wrongEntries, wrongEntriesCount } =
    report
  const tone = agrees ? 'text-success' : 'text-danger'
  const parts = [text('p', `display text-3xl ${tone}`, (agrees ? words['agree'] : words['differ']) ?? '')]
  const right = figures.filter((figure) => figure.agrees).length
  if (comparedAt !== null)
    parts.push(text('p', 'mt-1', fill(words['found'], { count: written(right), size: written(comparedAt) })))
  if (faults.length === 0) {
    const at = previous ? moment(previous.seenAt, locale) : ''
    const line = previous ? fill(words['before'], { at }) : (words['first'] ?? '')
    parts.push(text('p', 'mt-1 text-soft', line))
  }
  for (const message of faults)
    parts.push(text('p', 'mt-2 text-danger wrap-anywhere', fill(words['fault'], { message })))
  for (const { index, row, message } of wrongEntries.slice(0, LINES_MAX)) {
    const line = fill(words['wrong'], { index: written(index), row: row ?? '?', message })
    parts.push(text('p', 'mt-2 text-danger wrap-anywhere', line))
  }
  if (wrongEntriesCount > LINES_MAX) {
    const count = written(wrongEntriesCount - LINES_MAX)
    parts.push(text('p', 'mt-2 text-danger', fill(words['more'], { count })))
  }
  if (report.equation) {
    const { lines, total, rest, agrees: isOwed } = report.equation
    const said = lines.map(({ name, tokens }) => `${owerOf(words, name)}: ${tokens}`).join(', ') || '0'
    const line = fill(words['owed'], { total, parts: said, rest })
    parts.push(text('p', `mt-2 wrap-anywhere ${isOwed ? 'text-soft' : 'text-danger'}`, line))
  }
  parts.push(tableOf(words, figures))
  const facts = [
    [words['root'], checkpoint?.root],
    [words['key'], report.vkey],
  ]
  for (const [name, value] of facts)
    if (value) parts.push(text('p', 'figures mt-3 text-sm text-soft break-all', `${name}: ${value}`))
  return parts
}

/** `round 3` and `escrow ethereum`, as the verifier names them, in the language of the page. */
function owerOf(words: Words, name: string): string {
  const [, kind = '', which = ''] = /^(round|escrow) (.*)$/.exec(name) ?? []
  return kind ? fill(words[kind], { which }) : name
}

/** What differs stands first. */
function tableOf(words: Words, figures: readonly Compared[]): HTMLElement {
  const frame = text('div', 'mt-5 overflow-x-auto', '')
  frame.tabIndex = 0
  const table = frame.appendChild(text('table', 'w-full min-w-xl text-start text-sm', ''))
  const head = table.appendChild(text('thead', 'text-soft', '')).appendChild(text('tr', '', ''))
  for (const name of ['figure', 'shown', 'journal', 'verdict']) {
    const cell = head.appendChild(text('th', 'pe-4 pb-2 font-normal', words[name] ?? ''))
    cell.setAttribute('scope', 'col')
  }
  const body = table.appendChild(text('tbody', '', ''))
  const sorted = [...figures.filter(({ agrees }) => !agrees), ...figures.filter(({ agrees }) => agrees)]
  for (const figure of sorted) body.appendChild(rowOf(words, figure))
  return frame
}

function rowOf(words: Words, { name, shown, journal, agrees, since }: Compared): HTMLElement {
  const row = text('tr', 'border-t align-top', '')
  row
    .appendChild(text('th', 'figures min-w-52 py-1.5 pe-4 font-normal break-all', name))
    .setAttribute('scope', 'row')
  for (const value of [shown, journal])
    row.appendChild(text('td', 'figures py-1.5 pe-4 break-all', shortened(value ?? words['nothing'] ?? '')))
  const tone = agrees ? 'text-success' : 'text-danger'
  const from = since ? fill(words['since'], { index: written(since.index), row: since.row }) : words['never']
  const mark = row.appendChild(text('td', `py-1.5 ${tone}`, agrees ? '✓' : `✗ ${from ?? ''}`))
  mark.setAttribute('aria-label', agrees ? (words['same'] ?? '') : `${words['other']}: ${from}`)
  return row
}

const shortened = (value: string) =>
  value.length > VALUE_LENGTH_MAX ? `${value.slice(0, VALUE_LENGTH_MAX)}…` : value

function text(name: string, className: string, content: string): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.textContent = content
  return made
}
