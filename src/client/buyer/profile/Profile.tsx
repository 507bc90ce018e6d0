import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { accountRoutes } from '../../../shared/api/account.ts'
import { FailedAttempts } from '../../area/FailedAttempts.tsx'
import { Page } from '../../area/Page.tsx'
import { SecondFactor } from '../../area/SecondFactor.tsx'
import { Sessions } from '../../area/Sessions.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { useSession } from '../session.ts'
import { touched } from '../touched.ts'
import { BrowserNotices } from './BrowserNotices.tsx'
import { OwnData } from './OwnData.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { PersonalData } from './PersonalData.tsx'
import { Preferences } from './Preferences.tsx'

export function ProfilePage() {
  const user = useSession()
  useGuardOnceNobody(user === null)
  return (
    <Page title={<Trans>Profile Settings</Trans>}>
      {user ? (
        <>
          <PersonalData key={user.reference} user={user} />
          <PasswordForm />
          <Sessions routes={accountRoutes} touches={touched.sessions} />
          <FailedAttempts routes={accountRoutes} />
          <SecondFactor routes={accountRoutes} touches={touched.secondFactor} />
          <BrowserNotices />
          <Preferences user={user} />
          <OwnData user={user} />
        </>
      ) : (
        <SkeletonGroup>
          <Skeleton className="h-64" />
        </SkeletonGroup>
      )}
    </Page>
  )
}

/** If another tab logged out, runs the guard, which redirects to the login and back. */
function useGuardOnceNobody(isNobody: boolean) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (isNobody) void revalidate()
  }, [isNobody, revalidate])
}
