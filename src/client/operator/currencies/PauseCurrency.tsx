import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { call } from '../../area/call.ts'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { TextFields } from '../TextFields.tsx'
import { touched } from '../touched.ts'

/** Pauses one currency; everybody may read why. */
export function PauseCurrency({ currency, onClose }: { currency: OperatorCurrency; onClose: () => void }) {
  const { t } = useLingui()
  const { code } = currency
  const [reason, setReason] = useState({ en: '', ru: '' })
  const pause = useChange({
    run: () => call(operatorCurrencyRoutes.pause, { params: { code }, body: { paused: true, reason } }),
    touches: touched.currencies,
    done: () => {
      toast.success(t`${code} is paused.`)
      onClose()
    },
    failed: (message) => t`Failed to update cryptocurrency: ${message}`,
  })
  const hasReason = reason.en.trim() !== '' || reason.ru.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Pause ${code}`}
      description={t`It stays on the public list with this reason and can't be bought with until it is resumed. Open orders go on.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={pause.isPending} disabled={!hasReason} onClick={() => pause.mutate()}>
            <Trans>Pause {code}</Trans>
          </Button>
        </>
      }
    >
      <TextFields label={t`Public reason`} value={reason} onChange={setReason} />
    </Dialog>
  )
}
