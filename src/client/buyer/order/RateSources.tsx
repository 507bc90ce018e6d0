import { useLingui } from '@lingui/react/macro'
import type { OrderRate } from '../../../shared/api/payments.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { DateTime, Money } from '../../ui/numbers.tsx'

export type RateSource = NonNullable<OrderRate['reading']>['sources'][number]

export function RateSources({ sources }: { sources: readonly RateSource[] }) {
  const { t } = useLingui()
  const columns: Column<RateSource>[] = [
    { label: t`Source`, cell: ({ source }) => source },
    { label: t`Price`, numeric: true, cell: ({ priceUsd }) => <Money value={priceUsd} price /> },
    { label: t`Time`, cell: ({ at }) => <DateTime value={at} /> },
    {
      label: t`Used`,
      cell: ({ used, problem }) => (
        <>
          {used ? t`yes` : t`no`}
          {problem ? <span className="text-soft"> · {problem}</span> : null}
        </>
      ),
    },
  ]
  return (
    <DataTable
      caption={t`The answer of each source`}
      columns={columns}
      rows={sources}
      keyOf={({ source }) => source}
    />
  )
}
