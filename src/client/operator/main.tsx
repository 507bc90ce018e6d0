import { catalogues } from 'virtual:messages'
import { t } from '@lingui/core/macro'
import { approvalRoutes } from '../../shared/api/approvals.ts'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { call } from '../area/call.ts'
import { queryClient } from '../area/query-client.ts'
import { readAgain } from '../area/reading.ts'
import { startArea } from '../area/start-area.tsx'
import { toast } from '../ui/Toast.tsx'
import { leave } from './leave.ts'
import { paths } from './paths.ts'
import { createRouter } from './router.tsx'

await startArea(
  {
    catalogues,
    home: { path: paths.area, words: () => t`Go to Crypto` },
    keepLanguage: (language) => call(operatorSessionRoutes.setLanguage, { body: { language } }),
    leave,
    sayFailure: (message) => toast.error(t`Error`, message),
    sayUnproved: () => toast.error(t`Not done`, t`It was not confirmed that it is you.`),
    sayWaits: (client) => {
      toast.info(
        t`Waits on the page Approvals`,
        t`The change is not made yet. Another operator has to confirm it there; a text with an address or a link that one operator may publish is public in an hour.`,
      )
      readAgain(client, [approvalRoutes.list])
    },
  },
  queryClient,
  createRouter,
)
