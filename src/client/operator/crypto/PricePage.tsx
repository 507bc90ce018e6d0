import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { campaignRoutes } from '../../../shared/api/campaign.ts'
import { DateTime, Money } from '../../ui/numbers.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { act } from '../act.ts'
import { NextStep } from '../campaign/SetUp.tsx'
import { Band, Loaded, Page } from '../page.tsx'
import { PriceForm } from './PriceForm.tsx'

/** `Main currency`: its value and every value that it had. */
export function PricePage() {
  const { t } = useLingui()
  return (
    <Page title={t`Main currency`}>
      <NextStep />
      <PriceForm />
      <History />
    </Page>
  )
}

function History() {
  const { t } = useLingui()
  const query = useQuery({
    queryKey: ['public-campaign', 'prices'],
    queryFn: ({ signal }) => act(campaignRoutes.priceHistory, { signal }),
  })
  return (
    <Band title={t`Public price history`} className="mt-8">
      <Loaded query={query}>
        {({ items }) => (
          <Table caption={t`Public price history`}>
            <THead>
              <Th>{t`Date`}</Th>
              <Th numeric>{t`Value`}</Th>
              <Th numeric>{t`Before`}</Th>
            </THead>
            <TBody>
              {items.length === 0 ? <EmptyRow columns={3}>{t`No results.`}</EmptyRow> : null}
              {items.map((change) => (
                <Tr key={change.at}>
                  <Td>
                    <DateTime value={change.at} />
                  </Td>
                  <Td numeric>
                    <Money value={change.priceUsd} price />
                  </Td>
                  <Td numeric>
                    <Money value={change.previousUsd} price />
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
    </Band>
  )
}
