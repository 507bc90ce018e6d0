import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { useForm } from '../../area/use-form.ts'
import { paths } from '../../paths.ts'
import { late } from '../late-rules.ts'
import { AccountForm } from './AccountForm.tsx'
import { AccountLink, AccountPage, LinkMissing, useLinkToken } from './AccountFrame.tsx'
import { NewPassword } from './NewPassword.tsx'

/** Ends all sessions of the account. */
export function ResetPassword() {
  const { t } = useLingui()
  useTitle(t`New password`)
  const token = useLinkToken()
  const [isSet, setSet] = useState(false)
  if (isSet)
    return (
      <AccountPage title={<Trans>The new password is set</Trans>} pose="cheer">
        <p>
          <Trans>Every session of the account has ended. Log in with the new password.</Trans>
        </p>
        <div className="mt-6">
          <AccountLink to={paths.login}>
            <Trans>Log in</Trans>
          </AccountLink>
        </div>
      </AccountPage>
    )
  return (
    <AccountPage title={<Trans>Set a new password</Trans>} pose="rest">
      {token ? (
        <ResetForm token={token} onDone={() => setSet(true)} />
      ) : (
        <LinkMissing>
          <NewLink />
        </LinkMissing>
      )}
    </AccountPage>
  )
}

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({
    rules: late('chosenPassword'),
    initial: { password: '', confirmPassword: '' },
    send: ({ password }) => call(accountRoutes.resetPassword, { body: { token, password } }),
    touches: [],
    done: onDone,
    atField: { password_too_common: 'password' },
  })
  return (
    <AccountForm
      form={form}
      submit={<Trans>Set the password</Trans>}
      fields={<NewPassword form={form} label={<Trans>New Password</Trans>} />}
      wayOut={form.refusal === 'link_expired' ? <NewLink /> : null}
    />
  )
}

function NewLink() {
  return (
    <AccountLink to={paths.forgotPassword}>
      <Trans>Ask for a new link</Trans>
    </AccountLink>
  )
}
