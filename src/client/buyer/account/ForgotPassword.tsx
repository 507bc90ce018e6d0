import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { accountRoutes } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { useTitle } from '../../area/document-title.ts'
import { errorText } from '../../errors.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { useCheckedForm } from '../forms.ts'
import { AccountLink, AccountPage } from './AccountFrame.tsx'

/** Asks for a link; the answer is the same whether or not there is such an account. */
export function ForgotPassword() {
  const { t } = useLingui()
  useTitle(t`Forgotten password`)
  const [email, setEmail] = useState('')
  const { form, problems, check, refused } = useCheckedForm()
  const request = useMutation({
    mutationFn: (body: { email: string }) => call(accountRoutes.requestReset, { body }),
    onError: refused,
  })
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const checked = await check(({ resetRequestInput }) => resetRequestInput, { email })
    if (checked && !request.isPending) request.mutate(checked)
  }
  if (request.isSuccess)
    return (
      <AccountPage title={<Trans>Look into your mail</Trans>} pose="wait">
        <p>
          <Trans>
            If an account has this address, a link to set a new password is on its way. It works once.
          </Trans>
        </p>
        <div className="mt-6">
          <AccountLink to={paths.login}>
            <Trans>Back to the login</Trans>
          </AccountLink>
        </div>
      </AccountPage>
    )
  return (
    <AccountPage
      title={<Trans>Forgot the password?</Trans>}
      lead={<Trans>Give the address of the account, and a link to set a new one comes by mail.</Trans>}
      pose="shrug"
      aside={<Trans>It happens. Ito once forgot its own dot.</Trans>}
    >
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field label={<Trans>Email address</Trans>} error={problems['email']}>
          <Input
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <FormError>{request.error && !problems['email'] ? errorText(request.error) : null}</FormError>
        <Button type="submit" size="lg" wide loading={request.isPending}>
          <Trans>Send the link</Trans>
        </Button>
        <AccountLink to={paths.login}>
          <Trans>Back to the login</Trans>
        </AccountLink>
      </form>
    </AccountPage>
  )
}
