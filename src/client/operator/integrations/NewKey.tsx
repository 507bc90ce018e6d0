import { Trans, useLingui } from '@lingui/react/macro'
import { type ApiKeyScope, apiKeyScopes, integrationRoutes } from '../../../shared/api/integrations.ts'
import { call } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { CheckboxList } from '../CheckboxList.tsx'
import { useRightName } from '../session.ts'
import { touched } from '../touched.ts'

interface Values {
  name: string
  scopes: ApiKeyScope[]
  days: '30' | '90' | '365'
}

export function NewKey({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: { name: string; key: string }) => void
}) {
  const { t } = useLingui()
  const rightName = useRightName()
  const form = useForm({
    initial: { name: '', scopes: [], days: '90' } as Values,
    send: ({ name, scopes, days }: Values) =>
      call(integrationRoutes.addKey, {
        body: { name: name.trim(), scopes, expiresInDays: Number(days) },
      }),
    touches: touched.apiKeys,
    done: (made) => {
      onClose()
      onMade(made)
    },
  })
  const isReady = form.values.name.trim() !== '' && form.values.scopes.length > 0
  return (
    <FormDialog
      form={form}
      title={t`New API key`}
      submit={<Trans>Make the key</Trans>}
      disabledReason={isReady ? undefined : t`Give it a name and a scope.`}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t`Name`} hint={t`What uses it.`} maxLength={80} />
      <CheckboxList
        legend={t`Scopes`}
        className="flex flex-col gap-2"
        options={apiKeyScopes}
        nameOf={rightName}
        {...form.value('scopes')}
      />
      <SelectField
        form={form}
        name="days"
        label={t`Ends`}
        options={[
          { value: '30', label: t`in 30 days` },
          { value: '90', label: t`in 90 days` },
          { value: '365', label: t`in a year` },
        ]}
      />
    </FormDialog>
  )
}
