import { useLingui } from '@lingui/react/macro'
import { Page } from '../../area/Page.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { Chains } from './Chains.tsx'
import { PaymentTable } from './PaymentTable.tsx'
import { Refunds } from './Refunds.tsx'
import { Wallets } from './Wallets.tsx'

export function PaymentsPage() {
  const { t } = useLingui()
  const url = useUrlState()
  return (
    <Page title={t`Payments`}>
      <Tabs
        value={url.get('tab') ?? 'payments'}
        onValueChange={(tab) =>
          url.set({ tab: tab === 'payments' ? null : tab, search: null, state: null, network: null })
        }
        tabs={[
          { value: 'payments', label: t`Payments`, content: <PaymentTable /> },
          { value: 'refunds', label: t`Refunds`, content: <Refunds /> },
          { value: 'wallets', label: t`Wallets`, content: <Wallets /> },
          { value: 'chains', label: t`Chains`, content: <Chains /> },
        ]}
      />
    </Page>
  )
}
