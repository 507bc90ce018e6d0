import { useLingui } from '@lingui/react/macro'
import { Page } from '../../area/Page.tsx'
import { AttentionList } from '../Attention.tsx'
import { PriceForm } from '../PriceForm.tsx'
import { AddCurrency } from './AddCurrency.tsx'
import { CurrencyTable } from './CurrencyTable.tsx'
import { RateSources } from './RateSources.tsx'
import { RateTools } from './RateTools.tsx'

export function CurrenciesPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Crypto`} action={<RateTools />}>
      <AttentionList />
      <div className="mb-6">
        <PriceForm />
      </div>
      <CurrencyTable />
      <AddCurrency />
      <RateSources />
    </Page>
  )
}
