import { useLingui } from '@lingui/react/macro'
import { Page } from '../../area/Page.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { Webhooks } from './Webhooks.tsx'

export function IntegrationsPage() {
  const { t } = useLingui()
  return (
    <Page title={t`Integrations`}>
      <ApiKeys />
      <Webhooks />
    </Page>
  )
}
