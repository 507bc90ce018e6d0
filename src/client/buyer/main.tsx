import '../styles/app.css'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { countVisit, hasAgreedToCounting } from '../count-visit.ts'
import { activate, documentLocale } from '../i18n.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { queryClient, whenSessionOver } from './client.ts'
import { router } from './routes.tsx'
import { sessionQuery } from './session.ts'

const i18n = await activate(documentLocale(), 'buyer')

// The guard runs again, finds nobody and sends to the login with the way back.
whenSessionOver(() => {
  queryClient.setQueryData(sessionQuery.queryKey, null)
  void router.revalidate()
})

// Pages drawn in the browser are counted one by one, where the visitor agreed.
let counted: string | undefined
const count = ({ pathname }: { pathname: string }) => {
  if (pathname === counted || !hasAgreedToCounting()) return
  counted = pathname
  void countVisit(pathname).catch(() => undefined)
}
count(router.state.location)
router.subscribe(({ location, navigation }) => {
  if (navigation.state === 'idle') count(location)
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
