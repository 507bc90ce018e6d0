import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Session } from '../../shared/api/own-access.ts'
import { deviceName } from '../../shared/device-name.ts'
import { Button } from '../ui/Button.tsx'
import { Count, DateTime, RelativeTime } from '../ui/numbers.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import { Badge } from '../ui/Status.tsx'
import { toast } from '../ui/Toast.tsx'
import type { AccessRoutes } from './access-routes.ts'
import { call } from './call.ts'
import { Loaded } from './Loaded.tsx'
import { Band } from './Page.tsx'
import { read, type Touched } from './reading.ts'
import { useChange } from './use-change.ts'

export function Sessions({ routes, touches }: { routes: AccessRoutes; touches: Touched }) {
  const { t } = useLingui()
  const sessions = useQuery(read(routes.sessions))
  const end = useChange({
    run: (id: string) => call(routes.endSession, { params: { id } }),
    touches,
    done: () => toast.success(t`The session was ended.`),
  })
  const endOthers = useChange({
    run: () => call(routes.endOtherSessions),
    touches,
    done: ({ ended, apiKeys }) =>
      toast.success(
        t`Sessions ended: ${ended}`,
        apiKeys > 0
          ? t`Your API keys go on: ${apiKeys}. Revoke them under Integrations, or change the password.`
          : undefined,
      ),
  })
  const others = sessions.data?.items.some((session) => !session.isCurrent)
  return (
    <Band
      title={<Trans>Sessions</Trans>}
      action={
        others ? (
          <Button variant="ghost" size="sm" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            <Trans>End all others</Trans>
          </Button>
        ) : null
      }
    >
      <Loaded query={sessions} skeleton={<Skeleton className="h-16" />}>
        {({ items, total }) => (
          <>
            <ul className="border-t border-line">
              {items.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  ending={end.isPending && end.variables === session.id}
                  onEnd={() => end.mutate(session.id)}
                />
              ))}
            </ul>
            <SessionsLeftOut shown={items.length} total={total} />
          </>
        )}
      </Loaded>
    </Band>
  )
}

/** The list is not paginated, because it changes while it is read. */
export function SessionsLeftOut({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null
  return (
    <p className="mt-3 text-sm text-soft">
      <Trans>
        Of <Count value={total} /> sessions the <Count value={shown} /> used last are shown.
      </Trans>
    </p>
  )
}

function SessionRow({ session, ending, onEnd }: { session: Session; ending: boolean; onEnd: () => void }) {
  const { t } = useLingui()
  const device =
    deviceName(session.device) ?? (session.kind === 'token' ? t`A program with a token` : t`Unknown device`)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium" title={session.device}>
          {device}{' '}
          {session.isCurrent ? (
            <Badge tone="now">
              <Trans>this one</Trans>
            </Badge>
          ) : null}
        </p>
        <p className="text-sm text-soft wrap-anywhere">
          {session.network ? (
            <>
              <span className="figures">{session.network}</span>
              {' · '}
            </>
          ) : null}
          <Trans>
            since <DateTime value={session.createdAt} />
          </Trans>
          {' · '}
          <Trans>
            last seen <RelativeTime value={session.lastSeenAt} />
          </Trans>
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button
          variant="secondary"
          size="sm"
          loading={ending}
          onClick={onEnd}
          aria-label={t`End the session of ${device}`}
        >
          <Trans>End</Trans>
        </Button>
      )}
    </li>
  )
}
