import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { accountRoutes, type Session } from '../../../shared/api/account.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { call } from '../../area/call.ts'
import { Band } from '../../area/Page.tsx'
import { queryClient } from '../../area/query-client.ts'
import { readAgain, readItems } from '../../area/reading.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { Badge } from '../../ui/Status.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'

/** Where the account is signed in; each place can be ended. */
export function Sessions() {
  const sessions = useQuery({
    ...readItems(accountRoutes.sessions),
  })
  const refresh = () => readAgain(queryClient, touched.sessions)
  const end = useMutation({
    mutationFn: (id: string) => call(accountRoutes.endSession, { params: { id } }),
    onError: (error) => toast.error(errorText(error)),
    onSettled: refresh,
  })
  const endOthers = useMutation({
    mutationFn: () => call(accountRoutes.endOtherSessions),
    onError: (error) => toast.error(errorText(error)),
    onSettled: refresh,
  })
  const others = sessions.data?.some((session) => !session.isCurrent)
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
      {sessions.data ? (
        <ul className="border-t border-line">
          {sessions.data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              ending={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      ) : sessions.isError ? (
        <ErrorState
          title={<Trans>Failed to load data</Trans>}
          onRetry={() => void sessions.refetch()}
          retrying={sessions.isFetching}
        />
      ) : (
        <SkeletonGroup>
          <Skeleton className="h-16" />
        </SkeletonGroup>
      )}
    </Band>
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
          <span className="figures">{session.network}</span>
          {' · '}
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
