import { t } from '@lingui/core/macro'
import { approvalRoutes } from '../../shared/api/approvals.ts'
import { queryClient } from '../area/query-client.ts'
import { readAgain } from '../area/reading.ts'
import { startArea } from '../area/start-area.tsx'
import { toast } from '../ui/Toast.tsx'
import { leave } from './paths.ts'
import { createRouter } from './router.tsx'

await startArea(
  {
    catalogue: 'operator',
    titleOf: (page, name) => (page ? `${page} · ${name}` : name),
    leave,
    sayFailure: (message) => toast.error(t`Error`, message),
    sayUnproved: () => toast.error(t`Not done`, t`It was not confirmed that it is you.`),
    sayWaits: (client) => {
      toast.info(
        t`Waits for a second operator`,
        t`Nothing has changed yet. Another operator has to confirm it on the page Approvals.`,
      )
      readAgain(client, [approvalRoutes.list])
    },
  },
  queryClient,
  createRouter,
)
