import { useLingui } from '@lingui/react/macro'
import { campaignRoutes } from '../../../shared/api/campaign.ts'
import { List, useList } from '../../area/List.tsx'
import { Band, Page } from '../../area/Page.tsx'
import { DateTime, Money } from '../../ui/numbers.tsx'
import { PriceForm } from '../PriceForm.tsx'
import { NextStep } from '../SetUp.tsx'

export function PricePage() {
  const { t } = useLingui()
  const history = useList(campaignRoutes.priceHistory, { limit: 50 })
  return (
    <Page title={t`Main currency`}>
      <NextStep />
      <PriceForm />
      <Band title={t`Public price history`} className="mt-8">
        <List
          list={history}
          caption={t`Public price history`}
          scrolls
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
      </Band>
    </Page>
  )
}
