import { useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { createContext, useContext, useEffect, useSyncExternalStore } from 'react'
import { secondsAway, useNow } from './clock.ts'

type Decimal = string

interface FigureProps {
  value: Decimal | null | undefined
  className?: string
}

/** The number of decimals without trailing zeros. */
function places(value: Decimal): number {
  const point = value.indexOf('.')
  return point < 0 ? 0 : value.replace(/0+$/, '').length - point - 1
}

/** Western digits in every language. */
export const latin = (locale: string) => `${locale}-u-nu-latn`

/** The percent sign with the spacing before it. */
const percentSign = (locale: string) =>
  new Intl.NumberFormat(latin(locale), { style: 'percent' })
    .formatToParts(0)
    .map(({ type, value }) => (type === 'integer' ? '' : value))
    .join('')

/** `1234.5` → `1,234.5`, without trailing zeros. */
export function formatAmount(value: Decimal, locale: string, decimalsMax = 6, decimalsMin = 0): string {
  return new Intl.NumberFormat(latin(locale), {
    useGrouping: true,
    minimumFractionDigits: decimalsMin,
    maximumFractionDigits: decimalsMax,
    roundingMode: 'trunc',
  }).format(value as Intl.StringNumericLiteral)
}

/** Shows 2 decimals, or more if the price has more. */
export function formatDollars(
  value: Decimal,
  locale: string,
  options: { price?: boolean; whole?: boolean } = {},
): string {
  const decimals = options.whole ? 0 : options.price ? Math.max(2, places(value)) : 2
  return new Intl.NumberFormat(latin(locale), {
    useGrouping: true,
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    roundingMode: options.whole ? 'trunc' : 'halfExpand',
  }).format(value as Intl.StringNumericLiteral)
}

/** `42.37` → `42.37%`, rounded down, so that 100 % means full. */
export function formatPercent(value: Decimal, locale: string): string {
  const figure = new Intl.NumberFormat(latin(locale), {
    useGrouping: true,
    maximumFractionDigits: 2,
    roundingMode: 'trunc',
  }).format(value as Intl.StringNumericLiteral)
  return figure + percentSign(locale)
}

/** A dash that screen readers read out. */
function Unknown({ className }: { className?: string | undefined }) {
  const { t } = useLingui()
  return (
    <span className={cx('figures', className)}>
      <span aria-hidden="true">—</span>
      <span className="sr-only">{t`unknown`}</span>
    </span>
  )
}

/** `price` shows all decimals, at least two; `whole` drops the cents. */
export function Money({
  value,
  price,
  whole,
  className,
}: FigureProps & { price?: boolean; whole?: boolean }) {
  const { i18n } = useLingui()
  if (value == null) return <Unknown className={className} />
  return (
    <span className={cx('figures whitespace-nowrap', className)}>
      {formatDollars(value, i18n.locale, { price, whole })}
    </span>
  )
}

export function TokenAmount({
  value,
  unit,
  className,
  decimalsMax,
  decimalsMin,
}: FigureProps & { unit?: string | undefined; decimalsMax?: number; decimalsMin?: number }) {
  const { i18n } = useLingui()
  if (value == null) return <Unknown className={className} />
  return (
    <span className={cx('figures whitespace-nowrap', className)}>
      {formatAmount(value, i18n.locale, decimalsMax, decimalsMin)}
      {unit ? <span className="unit"> {unit}</span> : null}
    </span>
  )
}

export function Percent({ value }: Pick<FigureProps, 'value'>) {
  const { i18n } = useLingui()
  if (value == null) return <Unknown />
  return <span className="figures whitespace-nowrap">{formatPercent(value, i18n.locale)}</span>
}

export function Count({ value }: { value: number | Decimal | null | undefined }) {
  const { i18n } = useLingui()
  if (value == null) return <Unknown />
  return (
    <span className="figures">
      {new Intl.NumberFormat(latin(i18n.locale), { useGrouping: true }).format(
        value as Intl.StringNumericLiteral,
      )}
    </span>
  )
}

/** The zone of moments below; undefined: the viewer's. */
export const TimeZone = createContext<string | undefined>(undefined)

let momentsShown = 0
const watchers = new Set<() => void>()

function useShownMoment(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return
    const count = (change: number) => {
      momentsShown += change
      for (const tell of watchers) tell()
    }
    count(1)
    return () => count(-1)
  }, [isShown])
}

/** True if the page shows a moment and must name its zone. */
export function useMomentsShown(): boolean {
  return useSyncExternalStore(
    (tell) => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    () => momentsShown > 0,
    () => false,
  )
}

/** Shows a moment in `timeZone` or the surrounding zone. */
export function DateTime({
  value,
  part = 'both',
  long = false,
  timeZone,
  className,
}: {
  value: string | null | undefined
  part?: 'date' | 'time' | 'both'
  long?: boolean
  timeZone?: string
  className?: string
}) {
  const { i18n } = useLingui()
  const zone = useContext(TimeZone)
  useShownMoment(Boolean(value))
  if (!value) return <Unknown className={className} />
  return (
    <time dateTime={value} className={className}>
      {formatMoment(value, i18n.locale, { part, long, timeZone: timeZone ?? zone })}
    </time>
  )
}

export function formatMoment(
  value: string,
  locale: string,
  {
    part = 'both',
    long = false,
    timeZone,
  }: { part?: 'date' | 'time' | 'both'; long?: boolean; timeZone?: string | undefined } = {},
): string {
  return new Intl.DateTimeFormat(latin(locale), {
    dateStyle: part === 'time' ? undefined : long ? 'long' : 'medium',
    timeStyle: part === 'date' ? undefined : 'short',
    timeZone,
  }).format(new Date(value))
}

/** `40 min`, `3 hr`, `2 days`: rounded up, in the largest unit with a count of two or more. */
export function formatDuration(minutes: number, locale: string): string {
  const [unit, size] = minutes < 120 ? ['minute', 1] : minutes < 2_880 ? ['hour', 60] : ['day', 1_440]
  return new Intl.NumberFormat(latin(locale), {
    style: 'unit',
    unit: unit as string,
    unitDisplay: 'short',
  }).format(Math.ceil(minutes / (size as number)))
}

const relativeSteps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** Shows `5 minutes ago`. */
export function RelativeTime({
  value,
  mayLieAhead = false,
  className,
}: {
  value: string
  /** Left out: a seemingly future time is shown as now. */
  mayLieAhead?: boolean
  className?: string
}) {
  const { i18n } = useLingui()
  const timeZone = useContext(TimeZone)
  const now = useNow(1_000)
  const seconds = secondsAway(value, now, mayLieAhead)
  const [unit, size] =
    relativeSteps.find(([, least]) => Math.abs(seconds) >= least) ?? (['second', 1] as const)
  const numeric = seconds === 0 ? 'auto' : 'always'
  const text = new Intl.RelativeTimeFormat(latin(i18n.locale), { numeric }).format(
    Math.trunc(seconds / size),
    unit,
  )
  return (
    <time dateTime={value} title={formatMoment(value, i18n.locale, { timeZone })} className={className}>
      {text}
    </time>
  )
}
