import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { OrderRate } from '../../../shared/api/payments.ts'
import { roundTo } from '../../../shared/money.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateTime, Money, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { toast } from '../../ui/Toast.tsx'
import { orderRateQuery } from '../queries.ts'
import type { RateSource } from './RateSources.tsx'

const RateSources = lazy(() => import('./RateSources.tsx').then((part) => ({ default: part.RateSources })))

export function RateQuotes({ order, symbol }: { order: BuyerOrder; symbol: string }) {
  const { t } = useLingui()
  const rate = useQuery(orderRateQuery(order.token))
  const keep = (read: OrderRate) => save(order, read).catch(() => toast.error(t`Failed to load the quotes`))
  return (
    <Band
      title={<Trans>The rate</Trans>}
      action={
        rate.data ? (
          <Button variant="secondary" size="sm" onClick={() => keep(rate.data)}>
            <Download aria-hidden="true" className="size-4" />
            <Trans>Download the quotes</Trans>
          </Button>
        ) : null
      }
    >
      <Loaded
        query={rate}
        skeleton={<Skeleton className="h-16" />}
        failed={<Trans>Failed to load the quotes</Trans>}
      >
        {(read) => <RateFacts rate={read} symbol={symbol} />}
      </Loaded>
    </Band>
  )
}

async function save(order: BuyerOrder, rate: OrderRate) {
  const { saveFile } = await import('../../area/save-file.ts')
  const file = { order: order.number, createdAt: order.createdAt, ...rate }
  saveFile(`rate-order-${order.number}.json`, 'application/json', `${JSON.stringify(file, null, 2)}\n`)
}

function RateFacts({ rate, symbol }: { rate: OrderRate; symbol: string }) {
  const { reading } = rate
  return (
    <>
      <p className="flex flex-wrap gap-x-6">
        <span>
          1 {rate.currency} = <TokenAmount value={roundTo(rate.rate, 6)} unit={symbol} />
        </span>
        <span className="text-soft">
          1 {symbol} = <Money value={rate.priceUsd} price />
        </span>
      </p>
      <p className="mt-1 text-sm text-soft">
        {reading ? (
          <Trans>
            The median of the sources that agreed, <Money value={reading.priceUsd} price /> for 1{' '}
            {rate.currency}, read <DateTime value={reading.readAt} />.
          </Trans>
        ) : rate.fromAt ? (
          <Trans>
            Set by an operator by hand on <DateTime value={rate.fromAt} />; no price service stands behind it.
          </Trans>
        ) : (
          <Trans>The records hold no quotes behind it.</Trans>
        )}
      </p>
      {reading ? <Sources sources={reading.sources} /> : null}
    </>
  )
}

function Sources({ sources }: { sources: readonly RateSource[] }) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className="mt-3" onToggle={() => setWasOpened(true)}>
      <summary className="cursor-pointer py-1 text-sm font-semibold">
        <Trans>The answer of each source</Trans>
      </summary>
      <Suspense>{wasOpened ? <RateSources sources={sources} /> : null}</Suspense>
    </details>
  )
}
