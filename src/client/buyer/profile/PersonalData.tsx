import { Trans, useLingui } from '@lingui/react/macro'
import { accountRoutes, type Profile } from '../../../shared/api/account.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { late } from '../late-rules.ts'
import { useCampaign } from '../queries.ts'
import { sendProfile, useProfileChange } from './update-profile.ts'

/** Name, address and phone. */
export function PersonalData({ user }: { user: Profile }) {
  const { t } = useLingui()
  const phonePolicy = useCampaign().data?.settings.buyers.phone
  const form = useForm({
    ...useProfileChange(),
    rules: late('profile'),
    initial: { name: user.name, email: user.email, phone: user.phone ?? '' },
    send: sendProfile,
    atField: { email_taken: 'email' },
  })
  const resend = useChange({
    run: () => call(accountRoutes.resendConfirmation),
    touches: [],
    done: () => toast.success(t`The link is on its way`),
  })
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
      <form {...form.formProps} className="grid max-w-3xl gap-5 sm:grid-cols-2">
        <TextField
          form={form}
          name="name"
          label={<Trans>Full Name</Trans>}
          autoComplete="name"
          required
          dir="auto"
        />
        <TextField
          form={form}
          name="email"
          label={<Trans>Email Address</Trans>}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          required
        />
        {phonePolicy === 'not_asked' ? null : (
          <TextField form={form} name="phone" label={<Trans>Phone</Trans>} type="tel" autoComplete="tel" />
        )}
        <div className="flex items-end sm:col-span-2">
          <Button type="submit" loading={form.isPending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Band>
  )
}
