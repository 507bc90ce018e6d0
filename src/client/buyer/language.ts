import { useMutation } from '@tanstack/react-query'
import { useRevalidator } from 'react-router'
import { accountRoutes } from '../../shared/api/account.ts'
import { call } from '../area/call.ts'
import { queryClient } from '../area/query-client.ts'
import { errorText } from '../errors.ts'
import { activate, type Locale } from '../i18n.ts'
import { toast } from '../ui/Toast.tsx'
import { sessionQuery } from './session.ts'

/** Changes the profile's language and, with it, the pages. */
export function useLanguageChange(): (locale: Locale) => void {
  const revalidator = useRevalidator()
  const change = useMutation({
    mutationFn: (language: Locale) => call(accountRoutes.update, { body: { language } }),
    onSuccess: async (user) => {
      queryClient.setQueryData(sessionQuery.queryKey, user)
      await activate(user.language, 'buyer')
      await revalidator.revalidate()
    },
    onError: (error) => toast.error(errorText(error)),
  })
  return (locale) => change.mutate(locale)
}
