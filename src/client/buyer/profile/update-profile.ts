import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { accountRoutes } from '../../../shared/api/account.ts'
import { type profileInput } from '../../../shared/api/account-inputs.ts'
import { call } from '../../area/call.ts'
import { queryClient } from '../../area/query-client.ts'
import { errorText, refusalCode } from '../../errors.ts'
import { toast } from '../../ui/Toast.tsx'
import { sessionQuery } from '../session.ts'

/** Changes the profile and says how it went: `Profile updated`, or `Update failed` with the reason. */
export function useProfileUpdate(onRefused?: (error: unknown) => boolean) {
  const { t } = useLingui()
  return useMutation({
    mutationFn: (body: z.input<typeof profileInput>) => call(accountRoutes.update, { body }),
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
