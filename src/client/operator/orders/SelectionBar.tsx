import { Trans, useLingui } from '@lingui/react/macro'
import { sum } from '../../../shared/money.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { formatDollars } from '../../ui/numbers.tsx'
import { useRefusal } from '../session.ts'
import type { Selection } from './selection.ts'

export function SelectionBar({ selection, onReview }: { selection: Selection; onReview: () => void }) {
  const { i18n } = useLingui()
  const refusal = useRefusal()('orders:decide')
  const all = useChange({ run: selection.markAllThatMatch, touches: [] })
  const count = selection.orders.length
  if (count === 0) return null
  const total = formatDollars(sum(selection.orders.map(({ usd }) => usd)), i18n.locale)
  return (
    <div
      data-bottom-bar=""
      className="sticky bottom-4 z-20 mt-4 flex flex-wrap items-center gap-3 rounded-md border border-ink bg-raised px-4 py-3"
    >
      <p role="status" className="mr-auto font-semibold">
        <Trans>
          Marked: {count} · {total}
        </Trans>
      </p>
      <Button
        variant="link"
        size="sm"
        // Some languages need two lines on a phone.
        className="h-auto! min-h-8 shrink! text-left leading-tight! whitespace-normal! pointer-coarse:min-h-11"
        loading={all.isPending}
        onClick={() => all.mutate()}
      >
        <Trans>Mark all that match, at most 100</Trans>
      </Button>
      <Button variant="ghost" size="sm" onClick={selection.clear}>
        <Trans>Clear</Trans>
      </Button>
      <Button size="sm" disabledReason={refusal} onClick={onReview}>
        <Trans>
          Approve {count} · {total}
        </Trans>
      </Button>
    </div>
  )
}
