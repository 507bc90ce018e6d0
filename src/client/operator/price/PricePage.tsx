import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { campaignRoutes } from '../../../shared/api/campaign.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Page } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { DateTime, Money } from '../../ui/numbers.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { PriceForm } from '../PriceForm.tsx'
import { NextStep } from '../SetUp.tsx'

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
    ...read(campaignRoutes.priceHistory),
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
