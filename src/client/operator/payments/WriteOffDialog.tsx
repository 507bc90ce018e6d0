import { Trans, useLingui } from '@lingui/react/macro'
import { FormDialog } from '../../area/FormDialog.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

export function WriteOffDialog({
  title,
  description,
  send,
  onClose,
}: {
  title: string
  description: string
  send: (body: { reason: string }) => Promise<unknown>
  onClose: () => void
}) {
  const { t } = useLingui()
  const form = useForm({
    initial: { reason: '' },
    send,
    touches: touched.orders,
    done: () => {
      toast.success(t`Written off.`)
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={title}
      description={description}
      submit={<Trans>Write it off</Trans>}
      disabled={form.values.reason.trim().length < 3}
      onClose={onClose}
    >
      <TextField form={form} name="reason" label={t`Reason`} />
    </FormDialog>
  )
}
