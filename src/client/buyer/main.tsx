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
    // The guard runs again, finds nobody and sends to the login with the way back.
    leave: () => {
      queryClient.setQueryData(sessionQuery.queryKey, null)
      void router.revalidate()
    },
    sayFailure: (message) => toast.error(message),
    // The reader chose to give no proof.
    sayUnproved: () => {},
    sayWaits: () => {},
  },
  queryClient,
  createRouter,
)

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

// For an installed page that is opened without a network.
void navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined)
