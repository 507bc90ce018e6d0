import { useLingui } from '@lingui/react/macro'
import { isTexts } from '../../shared/texts.ts'
import { plain } from '../area/Conflict.tsx'
import { formatMoment } from '../ui/numbers.tsx'
import { useOperatorZone } from './queries.ts'
import { allOf } from './TextFields.tsx'

const isMoment = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)

export function useInWords(): (value: unknown) => string {
  const { t, i18n } = useLingui()
  const timeZone = useOperatorZone()
  const inWords = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? t`yes` : t`no`
    if (typeof value === 'string' && isMoment(value)) return formatMoment(value, i18n.locale, { timeZone })
    if (typeof value !== 'object' || value === null) return plain(value)
    if (isTexts(value)) return allOf(value)
    return (
      Object.values(value)
        .map(inWords)
        .join(Array.isArray(value) ? '; ' : ', ') || '—'
    )
  }
  return inWords
}
