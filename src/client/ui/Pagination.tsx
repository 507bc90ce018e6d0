import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Button } from './Button.tsx'

/** Leave `total` out if it is unknown (keyset pagination). */
export function Pagination({
  page,
  total,
  onPrevious,
  onNext,
  hasPrevious = page === undefined ? false : page > 1,
  hasNext = page !== undefined && total !== undefined && page < total,
}: {
  page?: number
  total?: number
  onPrevious: () => void
  onNext: () => void
  hasPrevious?: boolean
  hasNext?: boolean
}) {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Pages`} className="flex items-center justify-between gap-4 py-3">
      <Button variant="secondary" size="sm" disabled={!hasPrevious} onClick={onPrevious}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        <Trans>Previous</Trans>
      </Button>
      {page !== undefined ? (
        <span className="figures text-sm text-soft" aria-live="polite">
          {total !== undefined ? `${page} / ${total}` : page}
        </span>
      ) : null}
      <Button variant="secondary" size="sm" disabled={!hasNext} onClick={onNext}>
        <Trans>Next</Trans>
        <ArrowRight aria-hidden="true" className="size-4" />
      </Button>
    </nav>
  )
}
