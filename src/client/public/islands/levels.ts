import type { Holdings } from '../../../shared/api/holdings.ts'
import { amount, percent } from '../figures.ts'
import { millionths, plain } from './exact.ts'
import { call, fill, locale, part, wordsOf } from './page.ts'

interface Rule {
  /** For a signed-in buyer only. */
  key?: string
  name: string
  threshold: string
  bonus: string
}

const million = 1_000_000n

/** The slider is logarithmic, so that low levels get as much room as high ones. */
export function mountLevels(root: HTMLElement): void {
  const words = wordsOf(root)
  const rules = JSON.parse(root.dataset['rules'] ?? '[]') as Rule[]
  const slider = part<HTMLInputElement>(root, 'input')
  const shown = part(root, '[data-amount]')
  const held = part(root, '[data-held]')
  const next = part(root, '[data-next]')
  const minimum = millionths(root.dataset['minimum'] ?? '0') ?? 0n
  const maximum = millionths(root.dataset['maximum'] ?? '0') ?? 0n
  const thresholds = rules.map((rule) => millionths(rule.threshold) ?? 0n)

  const show = () => {
    const tokens = amountAt(Number(slider.value) / Number(slider.max), minimum, maximum)
    const reached = Math.max(
      0,
      thresholds.findLastIndex((threshold) => tokens >= threshold),
    )
    const rule = rules[reached]
    const following = rules[reached + 1]
    const text = fill(words['amount'], { amount: amount(plain(tokens), locale) })
    shown.textContent = text
    held.textContent = fill(words['held'], {
      level: rule?.name ?? '',
      bonus: percent(rule?.bonus ?? '0', locale),
    })
    next.textContent = following
      ? fill(words['next'], {
          amount: amount(plain((thresholds[reached + 1] ?? 0n) - tokens), locale),
          level: following.name,
        })
      : (words['top'] ?? '')
    slider.style.setProperty('--reach', `${(100 * Number(slider.value)) / Number(slider.max)}%`)
    slider.setAttribute('aria-valuetext', `${text}, ${held.textContent}`)
    for (const figure of root.querySelectorAll<HTMLElement>('[data-rank]'))
      figure.toggleAttribute('data-reached', Number(figure.dataset['rank']) <= reached)
  }
  slider.addEventListener('input', show)
  show()
  const own = root.querySelector<HTMLElement>('[data-own]')
  if (own) void showOwn(own, rules, words['own'])
}

/** Empty if the request fails. */
async function showOwn(own: HTMLElement, rules: readonly Rule[], words: string | undefined): Promise<void> {
  const holdings = await call<Pick<Holdings, 'balanceTokens' | 'levelKey' | 'bonusPercent'>>(
    '/holdings',
  ).catch(() => null)
  if (!holdings) return
  own.textContent = fill(words, {
    amount: amount(holdings.balanceTokens, locale),
    level: rules.find(({ key }) => key === holdings.levelKey)?.name ?? holdings.levelKey,
    bonus: percent(holdings.bonusPercent, locale),
  })
}

/** Returns whole tokens with two significant digits; the ends are the limits. */
export function amountAt(place: number, minimum: bigint, maximum: bigint): bigint {
  if (place <= 0) return minimum
  if (place >= 1) return maximum
  const low = Number(minimum / million) || 1
  const high = Number(maximum / million) || 1
  const exact = low * (high / low) ** place
  const step = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1)
  const rounded = BigInt(Math.round(exact / step) * step) * million
  return rounded < minimum ? minimum : rounded > maximum ? maximum : rounded
}
