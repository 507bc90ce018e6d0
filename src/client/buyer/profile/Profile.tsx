import { Trans } from '@lingui/react/macro'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { PageHead, useTitle } from '../page.tsx'
import { useSession } from '../session.ts'
import { OwnData } from './OwnData.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { PersonalData } from './PersonalData.tsx'
import { Preferences } from './Preferences.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'
import { StepUpProvider } from './StepUp.tsx'

/** `Profile Settings`: who one is here, and who else could be. */
export function ProfilePage() {
  useTitle()
  const user = useSession()
  return (
    <>
      <PageHead title={<Trans>Profile Settings</Trans>} />
      {user ? (
        <StepUpProvider>
          <PersonalData key={user.reference} user={user} />
          <PasswordForm />
          <Sessions />
          <SecondFactor />
          <Preferences user={user} />
          <OwnData />
        </StepUpProvider>
      ) : (
        <SkeletonGroup>
          <Skeleton className="h-64" />
        </SkeletonGroup>
      )}
    </>
  )
}
