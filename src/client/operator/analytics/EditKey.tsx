import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type AnalyticsKey, operatorAnalyticsRoutes } from '../../../shared/api/analytics.ts'
import { analyticsKeyInput } from '../../../shared/api/analytics-inputs.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { rulesOf } from '../../area/rules.ts'
import { useEdit } from '../../area/use-edit.ts'
import { Checkbox } from '../../ui/Choice.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { KeyFields, type KeyValues } from './KeyFields.tsx'

const valuesOf = ({ apiKey, location, provider }: AnalyticsKey): KeyValues => ({
  apiKey,
  apiKeySecondary: '',
  location,
  provider,
})

/** The secondary key is never sent back; an empty field keeps it. */
export function EditKey({ shown, onClose }: { shown: AnalyticsKey; onClose: () => void }) {
  const { t } = useLingui()
  const [clears, setClears] = useState(false)
  const form = useEdit({
    thing: shown,
    valuesOf,
    rules: rulesOf(analyticsKeyInput),
    send: ({ apiKeySecondary, ...typed }, { id, revision }) => {
      const secondary = clears ? { apiKeySecondary: null } : apiKeySecondary ? { apiKeySecondary } : {}
      return call(operatorAnalyticsRoutes.update, {
        params: { id },
        body: { ...typed, ...secondary, revision },
      })
    },
    touches: touched.analytics,
    done: () => {
      toast.success(t`API key updated successfully`)
      onClose()
    },
    failed: t`Failed to update API key`,
  })
  const { secondaryMasked } = form.base
  return (
    <FormDialog
      form={form}
      title={t`Edit API Key`}
      description={t`Make changes to your API key and location here. Click save when you're done.`}
      submit={<Trans>Save Changes</Trans>}
      close={<Trans>Close</Trans>}
      conflict={
        <FormConflict
          form={form}
          labels={{ apiKey: t`API Key`, location: t`Location`, provider: t`Provider` }}
        />
      }
      onClose={onClose}
    >
      <KeyFields
        form={form}
        secondary={{
          hint: secondaryMasked
            ? t`Stored: ${secondaryMasked}. Left empty, it stays. It is used for nothing yet: this program sends no events of its own to a provider.`
            : t`No secondary key: it is kept encrypted and used for nothing yet; page views need only the API key.`,
          disabled: clears,
          extra: secondaryMasked ? (
            <Checkbox checked={clears} onCheckedChange={setClears}>
              <Trans>Remove the secondary key</Trans>
            </Checkbox>
          ) : null,
        }}
      />
    </FormDialog>
  )
}
