import { countdown } from '../figures.ts'
import { locale, part, wordsOf } from './page.ts'

/** Counts down by the server's clock, whose time the page carries. */
export function mountCountdown(root: HTMLElement): void {
  const words = wordsOf(root)
  const label = part(root, '[data-label]')
  const clock = part(root, '[data-clock]')
  // The script may run long after the page was made.
  const madeAt = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined
  const skewMs =
    Date.parse(root.dataset['now'] ?? '') - (performance.timeOrigin + (madeAt?.responseStart ?? 0))
  const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' })

  let phase: string | undefined

  const show = () => {
    // An end may move while the page is open.
    const starts = Date.parse(root.dataset['starts'] ?? '')
    const ends = Date.parse(root.dataset['ends'] ?? '')
    const now = Date.now() + skewMs
    const next = now < starts ? 'upcoming' : now < ends ? 'running' : 'over'
    const left = countdown((next === 'upcoming' ? starts : ends) - now)
    label.textContent = words[next] ?? ''
    clock.textContent = `${left.days > 0 ? `${days.format(left.days)} ` : ''}${left.clock}`
    if (phase && phase !== next) root.dispatchEvent(new Event('stage-changed', { bubbles: true }))
    phase = next
    setTimeout(show, 1000 - (now % 1000))
  }
  show()
}
