import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '../../../shared/api/account.ts'
import type { BodyIn } from '../../../shared/api/route.ts'
import { api } from '../../api.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { toast } from '../../ui/Toast.tsx'
import { queryClient } from '../client.ts'
import { sessionQuery } from '../session.ts'
import { useStepUp } from './StepUp.tsx'

/** Changes the profile and says how it went: `Profile updated`, or `Update failed` with the reason. */
export function useProfileUpdate(onRefused?: (error: unknown) => boolean) {
  const { t } = useLingui()
  const prove = useStepUp()
  return useMutation({
    mutationFn: (body: BodyIn<typeof accountRoutes.update>) =>
      prove(() => api(accountRoutes.update, { body })),
    onSuccess: (user) => {
      queryClient.setQueryData(sessionQuery.queryKey, user)
      toast.success(t`Profile updated`)
    },
    onError: (error) => {
      if (onRefused?.(error)) return
      toast.error(
        t`Update failed`,
        refusalCode(error) ? errorText(error) : t`An error occurred. Please try again.`,
      )
    },
  })
}
