import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { campaignRoutes } from '../../../shared/api/campaign.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { DateTime, Money } from '../../ui/numbers.tsx'
import { PriceForm } from '../PriceForm.tsx'
import { NextStep } from '../SetUp.tsx'

/** `Main currency`: its value and every value that it had. */
export function PricePage() {
  const { t } = useLingui()
  const history = useQuery(readItems(campaignRoutes.priceHistory))
  return (
    <Page title={t`Main currency`}>
      <NextStep />
      <PriceForm />
      <Band title={t`Public price history`} className="mt-8">
        <Loaded query={history}>
          {(changes) => (
            <DataTable
              caption={t`Public price history`}
              scrolls
              rows={changes}
              keyOf={({ at }) => at}
              empty={t`No results.`}
              columns={[
                { label: t`Date`, cell: ({ at }) => <DateTime value={at} /> },
                {
                  label: t`Value`,
                  numeric: true,
                  cell: ({ priceUsd }) => <Money value={priceUsd} price />,
                },
                {
                  label: t`Before`,
                  numeric: true,
                  cell: ({ previousUsd }) => <Money value={previousUsd} price />,
                },
              ]}
            />
          )}
        </Loaded>
      </Band>
    </Page>
  )
}
