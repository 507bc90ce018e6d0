import { useLingui } from '@lingui/react/macro'
import { accountRoutes, type Profile } from '../../../shared/api/account.ts'
import type { BodyIn } from '../../../shared/api/route.ts'
import { call } from '../../area/call.ts'
import { queryClient } from '../../area/query-client.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { toast } from '../../ui/Toast.tsx'
import { sessionQuery } from '../session.ts'
import { touched } from '../touched.ts'

export type ProfileChange = BodyIn<typeof accountRoutes.update>

export const sendProfile = (body: ProfileChange) => call(accountRoutes.update, { body })

export function useProfileChange() {
  const { t } = useLingui()
  return {
    touches: touched.profile,
    done: (user: Profile) => {
      queryClient.setQueryData(sessionQuery.queryKey, user)
      toast.success(t`Profile updated`)
    },
    words: useFailureWords(),
    failed: t`Update failed`,
  }
}

/** A generic message for failures without the server's. */
export function useFailureWords(): (error: unknown) => string {
  const { t } = useLingui()
  return (error) => (refusalCode(error) ? errorText(error) : t`An error occurred. Please try again.`)
}
