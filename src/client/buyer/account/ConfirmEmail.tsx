import { Trans, useLingui } from '@lingui/react/macro'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { touched } from '../touched.ts'
import { AccountLink, AccountPage, LinkMissing, useLinkToken } from './AccountFrame.tsx'

/** Confirms by a click, so that a mail program that opens links by itself does not use the link up. */
export function ConfirmEmail() {
  const { t } = useLingui()
  useTitle(t`Confirm the address`)
  const token = useLinkToken()
  const confirm = useChange({
    run: () => call(accountRoutes.confirmEmail, { body: { token: token ?? '' } }),
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
          <FormError>{confirm.error ? errorText(confirm.error) : null}</FormError>
          <Button size="lg" wide loading={confirm.isPending} onClick={() => confirm.mutate()}>
            <Trans>Confirm the address</Trans>
          </Button>
          {refusalCode(confirm.error) === 'link_expired' ? again : null}
        </div>
      ) : (
        <LinkMissing>{again}</LinkMissing>
      )}
    </AccountPage>
  )
}
