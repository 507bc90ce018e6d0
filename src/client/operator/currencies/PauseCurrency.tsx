import { Trans, useLingui } from '@lingui/react/macro'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { type Texts } from '../../../shared/languages.ts'
import { noTexts } from '../../../shared/texts.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { useEdit } from '../../area/use-edit.ts'
import { toast } from '../../ui/Toast.tsx'
import { allOf, hasText, TextFields } from '../TextFields.tsx'
import { touched } from '../touched.ts'

export function PauseCurrency({ currency, onClose }: { currency: OperatorCurrency; onClose: () => void }) {
  const { t } = useLingui()
  const { code } = currency
  const form = useEdit({
    thing: currency,
    valuesOf: ({ pauseReason }) => ({ reason: pauseReason ?? noTexts }),
    send: ({ reason }: { reason: Texts }, { pausedAt: previousPausedAt }) =>
      call(operatorCurrencyRoutes.pause, {
        params: { code },
        body: { paused: true, previousPausedAt, reason },
      }),
    touches: touched.currencies,
    done: () => {
      toast.success(t`${code} is paused.`)
      onClose()
    },
    failed: (message) => t`Failed to update cryptocurrency: ${message}`,
  })
  return (
    <FormDialog
      form={form}
      title={t`Pause ${code}`}
      description={t`It stays on the public list with this reason and can't be bought with until it is resumed. Open orders go on.`}
      submit={<Trans>Pause {code}</Trans>}
      disabled={!hasText(form.values.reason)}
      conflict={
        <FormConflict
          form={form}
          labels={{ reason: t`Public reason` }}
          show={(reason) => allOf(reason as Texts)}
        />
      }
      onClose={onClose}
    >
      <TextFields form={form} name="reason" label={t`Public reason`} />
    </FormDialog>
  )
}
