import { catalogues } from 'virtual:messages'
import { t } from '@lingui/core/macro'
import { accountRoutes } from '../../shared/api/account.ts'
import { call } from '../area/call.ts'
import { queryClient } from '../area/query-client.ts'
import { startArea } from '../area/start-area.tsx'
import { countVisit, hasAgreedToCounting } from '../count-visit.ts'
import { paths } from '../paths.ts'
import { toast } from '../ui/Toast.tsx'
import { createRouter } from './router.tsx'
import { sessionQuery } from './session.ts'

const router = await startArea(
  {
    catalogues,
    home: { path: paths.home, words: () => t`Go home` },
    keepLanguage: (language) => call(accountRoutes.update, { body: { language } }),
    // The guard finds no session and redirects to the login with the return path.
    leave: () => {
      queryClient.setQueryData(sessionQuery.queryKey, null)
      void router.revalidate()
    },
    sayFailure: (message) => toast.error(message),
    // The reader cancelled the proof.
    sayUnproved: () => {},
    sayWaits: () => {},
  },
  queryClient,
  createRouter,
)

// Count each page drawn in the browser if the visitor agreed.
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

// So that an installed page opens offline.
void navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined)
