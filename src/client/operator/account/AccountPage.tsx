import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { can, rights } from '../../../shared/roles.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts, Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Badge } from '../../ui/Status.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { paths } from '../paths.ts'
import { useOperator, useRightName, useRoleName } from '../session.ts'
import { touched } from '../touched.ts'
import { SecondFactor } from './SecondFactor.tsx'

/** `My access`: role, second factor and sessions of the operator who is signed in. */
export function AccountPage() {
  const { t } = useLingui()
  const { login, role, reference } = useOperator()
  const roleName = useRoleName()
  const rightName = useRightName()
  return (
    <Page
      title={t`My access`}
      action={
        <Link to={paths.password} className={buttonLook({ variant: 'secondary' })}>
          <Trans>Change password</Trans>
        </Link>
      }
    >
      <Facts>
        <Fact label={t({ message: 'Login', context: 'name of an operator' })}>{login}</Fact>
        <Fact label={t`Reference`}>
          <span className="figures">{reference}</span>
        </Fact>
        <Fact label={t`Role`}>{roleName(role)}</Fact>
        <Fact label={t`May`}>
          <ul className="flex flex-wrap gap-1.5">
            {rights
              .filter((right) => can(role, right))
              .map((right) => (
                <li key={right}>
                  <Badge>{rightName(right)}</Badge>
                </li>
              ))}
          </ul>
        </Fact>
      </Facts>
      <Band title={t`Second factor`} className="mt-8">
        <SecondFactor />
      </Band>
      <Sessions />
    </Page>
  )
}

function Sessions() {
  const { t } = useLingui()
  const query = useQuery({
    ...readItems(operatorSessionRoutes.sessions),
  })
  const end = useChange({
    run: (id: string) => call(operatorSessionRoutes.endSession, { params: { id } }),
    touches: touched.sessions,
    done: () => toast.success(t`The session was ended.`),
  })
  const endOthers = useChange({
    run: () => call(operatorSessionRoutes.endOtherSessions),
    touches: touched.sessions,
    done: ({ ended }) => toast.success(t`Sessions ended: ${ended}`),
  })
  const others = query.data?.some((session) => !session.isCurrent)
  return (
    <Band
      title={t`Sessions`}
      action={
        <Button
          variant="secondary"
          size="sm"
          loading={endOthers.isPending}
          disabledReason={others ? undefined : t`There is no other session.`}
          onClick={() => endOthers.mutate()}
        >
          <Trans>End all others</Trans>
        </Button>
      }
    >
      <Loaded query={query}>
        {(sessions) => (
          <Table caption={t`Sessions`} stack>
            <THead>
              <Th>{t`Device`}</Th>
              <Th>{t`Network`}</Th>
              <Th>{t`Started`}</Th>
              <Th>{t`Last seen`}</Th>
              <Th className="text-right">{t`Actions`}</Th>
            </THead>
            <TBody>
              {sessions.map((session) => (
                <Tr key={session.id}>
                  <Td label={t`Device`} className="wrap-anywhere">
                    <span title={session.device}>
                      {deviceName(session.device) ?? t`Unknown device`}{' '}
                      {session.isCurrent ? <Badge tone="success">{t`this one`}</Badge> : null}
                      {session.kind === 'token' ? <Badge>{t`script`}</Badge> : null}
                    </span>
                  </Td>
                  <Td label={t`Network`}>
                    <span className="figures">{session.network}</span>
                  </Td>
                  <Td label={t`Started`}>
                    <DateTime value={session.createdAt} />
                  </Td>
                  <Td label={t`Last seen`}>
                    <RelativeTime value={session.lastSeenAt} />
                  </Td>
                  <Td className="text-right">
                    {session.isCurrent ? null : (
                      <Button
                        variant="ghost"
                        size="sm"
                        loading={end.isPending && end.variables === session.id}
                        onClick={() => end.mutate(session.id)}
                      >
                        <Trans>End</Trans>
                      </Button>
                    )}
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
    </Band>
  )
}
