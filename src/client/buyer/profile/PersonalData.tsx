import { Trans } from '@lingui/react/macro'
import type { Profile } from '../../../shared/api/account.ts'
import { Band } from '../../area/Page.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/states.tsx'
import { keptOr, useKept } from '../kept-form.ts'
import { late } from '../late-rules.ts'
import { EmailField, NameField } from '../PersonFields.tsx'
import { useCampaign } from '../queries.ts'
import { UnconfirmedEmail } from '../UnconfirmedEmail.tsx'
import { sendProfile, useProfileChange } from './update-profile.ts'

export function PersonalData({ user }: { user: Profile }) {
  const phonePolicy = useCampaign().data?.settings.buyers.phone
  const saved = { name: user.name, email: user.email, phone: user.phone ?? '' }
  const form = useForm({
    ...useProfileChange(),
    rules: late('profile'),
    initial: keptOr('person', saved),
    send: sendProfile,
    atField: { email_taken: 'email' },
  })
  useKept('person', form.values, saved)
  return (
    <Band title={<Trans>Personal data</Trans>} className="border-t-0! pt-0!">
      {user.isConfirmed ? null : <UnconfirmedEmail />}
      {user.pendingEmail ? <PendingEmail address={user.pendingEmail} /> : null}
      <form {...form.formProps} className="grid max-w-3xl gap-5 sm:grid-cols-2">
        <NameField form={form} />
        <EmailField form={form} label={<Trans>Email Address</Trans>} />
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

function PendingEmail({ address: pendingEmail }: { address: string }) {
  return (
    <div className="mb-5">
      <Notice>
        <Trans>
          <bdi>{pendingEmail}</bdi> takes over once the link mailed to it is used.
        </Trans>
      </Notice>
    </div>
  )
}
