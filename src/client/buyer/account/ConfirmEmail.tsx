import { Trans, useLingui } from '@lingui/react/macro'
import { accountRoutes } from '../../../shared/api/account.ts'
import { api } from '../../api.ts'
import { useTitle } from '../../area/document-title.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { touched } from '../touched.ts'
import { AccountLink, AccountPage, LinkMissing, useLinkToken } from './AccountFrame.tsx'

/** Confirms by a click, as in ConfirmDelivery.tsx. */
export function ConfirmEmail() {
  const { t } = useLingui()
  useTitle(t`Confirm the address`)
  const token = useLinkToken()
  const confirm = useChange({
    // `api` and not `call`: being signed out or in as another is not an ended session here.
    run: () => api(accountRoutes.confirmEmail, { body: { token: token ?? '' } }),
    touches: touched.profile,
    failed: false,
  })
  if (confirm.isSuccess)
    return (
      <AccountPage title={<Trans>The address is confirmed</Trans>} pose="cheer">
        <AccountLink to={paths.dashboard}>
          <Trans>Go to the dashboard</Trans>
        </AccountLink>
      </AccountPage>
    )
  const again = (
    <AccountLink to={paths.profile} question={<Trans>The link is gone?</Trans>}>
      <Trans>Send another from your profile</Trans>
    </AccountLink>
  )
  return (
    <AccountPage title={<Trans>Confirm your email address</Trans>} pose="wave">
      {token ? (
        <div className="flex flex-col gap-5">
          <FormError>
            {refusalCode(confirm.error) === 'not_signed_in'
              ? t`Log in to the account that the mail is about, then open its link again.`
              : confirm.error
                ? errorText(confirm.error)
                : null}
          </FormError>
          <Button size="lg" wide loading={confirm.isPending} onClick={() => confirm.mutate()}>
            <Trans>Confirm the address</Trans>
          </Button>
          {refusalCode(confirm.error) === 'link_expired' ? again : null}
          {refusalCode(confirm.error) === 'not_signed_in' ? <Entrances /> : null}
        </div>
      ) : (
        <LinkMissing>{again}</LinkMissing>
      )}
    </AccountPage>
  )
}

/** Somebody who never registered takes over an account that was made for this address. */
function Entrances() {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 gap-y-2">
      <AccountLink to={paths.login}>
        <Trans>Log in</Trans>
      </AccountLink>
      <AccountLink to={paths.forgotPassword} question={<Trans>You did not make this account?</Trans>}>
        <Trans>Set a password of your own</Trans>
      </AccountLink>
    </div>
  )
}
