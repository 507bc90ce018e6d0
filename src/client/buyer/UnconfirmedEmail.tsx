import { Trans, useLingui } from '@lingui/react/macro'
import { accountRoutes } from '../../shared/api/account.ts'
import { call } from '../area/call.ts'
import { useChange } from '../area/use-change.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/states.tsx'
import { toast } from '../ui/Toast.tsx'

export function UnconfirmedEmail() {
  const { t } = useLingui()
  const resend = useChange({
    run: () => call(accountRoutes.resendConfirmation),
    touches: [],
    done: () => toast.success(t`The link is on its way`),
  })
  return (
    <div className="mb-5">
      <Notice
        action={
          <Button variant="secondary" size="sm" loading={resend.isPending} onClick={() => resend.mutate()}>
            <Trans>Send the link again</Trans>
          </Button>
        }
      >
        <Trans>Your address is not confirmed yet. The link for it is in your mail.</Trans>
      </Notice>
    </div>
  )
}
