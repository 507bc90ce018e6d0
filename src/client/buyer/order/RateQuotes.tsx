import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import type { OrderRate } from '../../../shared/api/payments.ts'
import { roundTo } from '../../../shared/money.ts'
import { Band } from '../../area/Page.tsx'
import { saveFile } from '../../area/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, Money, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { orderRateQuery } from '../queries.ts'

/** The order's rate and everything that stands behind it, to read and to keep. */
export function RateQuotes({ order, symbol }: { order: BuyerOrder; symbol: string }) {
  const rate = useQuery(orderRateQuery(order.token))
  return (
    <Band
      title={<Trans>The rate</Trans>}
      action={
        rate.data ? (
          <Button variant="secondary" size="sm" onClick={() => save(order, rate.data)}>
            <Download aria-hidden="true" className="size-4" />
            <Trans>Download the quotes</Trans>
          </Button>
        ) : null
      }
    >
      {rate.data ? (
        <RateFacts rate={rate.data} symbol={symbol} />
      ) : rate.isError ? (
        <ErrorState
          title={<Trans>Failed to load the quotes</Trans>}
          onRetry={() => void rate.refetch()}
          retrying={rate.isFetching}
        />
      ) : (
        <Skeleton className="h-16" />
      )}
    </Band>
  )
}

function save(order: BuyerOrder, rate: OrderRate) {
  const file = { order: order.number, createdAt: order.createdAt, ...rate }
  saveFile(`rate-order-${order.number}.json`, 'application/json', `${JSON.stringify(file, null, 2)}\n`)
}

function RateFacts({ rate, symbol }: { rate: OrderRate; symbol: string }) {
  const { t } = useLingui()
  const { reading } = rate
  return (
    <>
      <p>
        1 {rate.currency} = <TokenAmount value={roundTo(rate.rate, 6)} unit={symbol} />
        <span className="text-soft">
          {' · '}1 {symbol} = <Money value={rate.priceUsd} price />
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
      {reading ? (
        <details className="mt-3">
          <summary className="cursor-pointer py-1 text-sm font-semibold">
            <Trans>What each source said</Trans>
          </summary>
          <Table caption={t`What each source said`} stack>
            <THead>
              <Th>
                <Trans>Source</Trans>
              </Th>
              <Th numeric>
                <Trans>Price</Trans>
              </Th>
              <Th>
                <Trans>Time</Trans>
              </Th>
              <Th>
                <Trans>Used</Trans>
              </Th>
            </THead>
            <TBody>
              {reading.sources.map((source) => (
                <Tr key={source.source}>
                  <Td label={t`Source`}>{source.source}</Td>
                  <Td label={t`Price`} numeric>
                    <Money value={source.priceUsd} price />
                  </Td>
                  <Td label={t`Time`}>
                    <DateTime value={source.at} />
                  </Td>
                  <Td label={t`Used`}>
                    {source.used ? <Trans>yes</Trans> : <Trans>no</Trans>}
                    {source.problem ? <span className="text-soft"> · {source.problem}</span> : null}
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </details>
      ) : null}
    </>
  )
}
