import { Trans, useLingui } from '@lingui/react/macro'
import { deliveryRoutes } from '../../../shared/api/delivery.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { touched } from '../touched.ts'
import { AccountLink, AccountPage, LinkMissing, useLinkToken } from './AccountFrame.tsx'

/** Confirms by a click, so that a mail program that opens links does not use up the token. */
export function ConfirmDelivery() {
  const { t } = useLingui()
  useTitle(t`Confirm where your tokens go`)
  const token = useLinkToken()
  const confirm = useChange({
    run: () => call(deliveryRoutes.confirm, { body: { token: token ?? '' } }),
    touches: touched.deliveryAddress,
    failed: false,
  })
  const hub = (
    <AccountLink to={paths.tokenHub}>
      <Trans>Look at your tokens</Trans>
    </AccountLink>
  )
  if (confirm.data)
    return (
      <AccountPage title={<Trans>The address is confirmed</Trans>} pose="cheer">
        <p className="figures wrap-anywhere">{confirm.data.address}</p>
        <p className="mt-2 mb-5 text-soft">
          <Trans>
            It counts from <DateTime value={confirm.data.countsFrom} />.
          </Trans>
        </p>
        {hub}
      </AccountPage>
    )
  return (
    <AccountPage title={<Trans>Confirm where your tokens go</Trans>} pose="wave">
      {token ? (
        <div className="flex flex-col gap-5">
          <p className="text-soft">
            <Trans>
              Compare the address in the mail with your wallet, character by character, before you confirm.
            </Trans>
          </p>
          <FormError>{confirm.error ? errorText(confirm.error) : null}</FormError>
          <Button size="lg" wide loading={confirm.isPending} onClick={() => confirm.mutate()}>
            <Trans>It is mine: confirm it</Trans>
          </Button>
          {hub}
        </div>
      ) : (
        <LinkMissing>{hub}</LinkMissing>
      )}
    </AccountPage>
  )
}
