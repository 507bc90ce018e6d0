import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { useForm } from '../../area/use-form.ts'
import { paths } from '../../paths.ts'
import { late } from '../late-rules.ts'
import { EmailField } from '../PersonFields.tsx'
import { AccountForm } from './AccountForm.tsx'
import { AccountLink, AccountPage } from './AccountFrame.tsx'

/** The answer is the same whether or not the account exists. */
export function ForgotPassword() {
  const { t } = useLingui()
  useTitle(t`Forgotten password`)
  const [isSent, setSent] = useState(false)
  const form = useForm({
    rules: late('resetRequest'),
    initial: { email: '' },
    send: (body) => call(accountRoutes.requestReset, { body }),
    touches: [],
    done: () => setSent(true),
  })
  const back = (
    <AccountLink to={paths.login}>
      <Trans>Back to the login</Trans>
    </AccountLink>
  )
  if (isSent)
    return (
      <AccountPage title={<Trans>Look into your mail</Trans>} pose="wait">
        <p>
          <Trans>
            If an account has this address, a link to set a new password is on its way. It works once.
          </Trans>
        </p>
        <div className="mt-6">{back}</div>
      </AccountPage>
    )
  return (
    <AccountPage
      title={<Trans>Forgot the password?</Trans>}
      lead={<Trans>Give the address of the account, and a link to set a new one comes by mail.</Trans>}
      pose="shrug"
      aside={<Trans>It happens. Ito once forgot its own dot.</Trans>}
    >
      <AccountForm
        form={form}
        submit={<Trans>Send the link</Trans>}
        fields={<EmailField form={form} label={<Trans>Email address</Trans>} />}
      >
        {back}
      </AccountForm>
    </AccountPage>
  )
}
