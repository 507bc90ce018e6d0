import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { accountRoutes, type Profile } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { errorText, refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useCheckedForm } from '../forms.ts'
import { useCampaign } from '../queries.ts'
import { useProfileUpdate } from './update-profile.ts'

export function PersonalData({ user }: { user: Profile }) {
  const { t } = useLingui()
  const phonePolicy = useCampaign().data?.settings.buyers.phone
  const [typed, setTyped] = useState({ name: user.name, email: user.email, phone: user.phone ?? '' })
  const { form, problems, check, refused, show } = useCheckedForm()
  const update = useProfileUpdate((error) => {
    const code = refusalCode(error)
    if (code === 'email_taken') show({ email: errorText(error) })
    return refused(error) || code === 'email_taken'
  })
  const resend = useMutation({
    mutationFn: () => call(accountRoutes.resendConfirmation),
    onSuccess: () => toast.success(t`The link is on its way`),
    onError: (error) => toast.error(errorText(error)),
  })
  const field = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setTyped({ ...typed, [name]: event.target.value }),
  })
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    const checked = await check(({ profileInput }) => profileInput, typed)
    if (!checked || update.isPending) return
    // The same address is no change, and would ask for a proof for nothing.
    const { email, ...rest } = checked
    update.mutate(email === user.email ? rest : { ...rest, email })
  }
  const pendingEmail = user.pendingEmail
  return (
    <Band title={<Trans>Personal data</Trans>} className="border-t-0! pt-0!">
      {user.isConfirmed ? null : (
        <div className="mb-5">
          <Notice
            action={
              <Button
                variant="secondary"
                size="sm"
                loading={resend.isPending}
                onClick={() => resend.mutate()}
              >
                <Trans>Send the link again</Trans>
              </Button>
            }
          >
            <Trans>Your address is not confirmed yet. The link for it is in your mail.</Trans>
          </Notice>
        </div>
      )}
      {pendingEmail ? (
        <div className="mb-5">
          <Notice>
            <Trans>
              <bdi>{pendingEmail}</bdi> takes over once the link mailed to it is used.
            </Trans>
          </Notice>
        </div>
      ) : null}
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void submit(event)}
        className="grid max-w-3xl gap-5 sm:grid-cols-2"
      >
        <Field label={<Trans>Full Name</Trans>} error={problems['name']}>
          <Input {...field('name')} autoComplete="name" required dir="auto" />
        </Field>
        <Field label={<Trans>Email Address</Trans>} error={problems['email']}>
          <Input {...field('email')} type="email" autoComplete="email" autoCapitalize="none" required />
        </Field>
        {phonePolicy === 'not_asked' ? null : (
          <Field label={<Trans>Phone</Trans>} error={problems['phone']}>
            <Input {...field('phone')} type="tel" autoComplete="tel" />
          </Field>
        )}
        <div className="flex items-end sm:col-span-2">
          <Button type="submit" loading={update.isPending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Band>
  )
}
