import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { type Grant, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import { operatorRoutes } from '../../../shared/api/operators.ts'
import { operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { MissingPage } from '../../area/BrokenPage.tsx'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts, Figure, Figures, Page } from '../../area/Page.tsx'
import { RowButton } from '../../area/RowActions.tsx'
import { read, readPages, refreshMs } from '../../area/reading.ts'
import { SessionsLeftOut } from '../../area/Sessions.tsx'
import { refusalCode } from '../../errors.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { LedgerTable } from '../LedgerTable.tsx'
import { Notes } from '../Notes.tsx'
import { Older } from '../Older.tsx'
import { OrderLink } from '../OrderLink.tsx'
import { OrderStatusBadge } from '../order-status.tsx'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { LevelName } from './UsersPage.tsx'

type User = ReplyOf<typeof operatorUserRoutes.show>

export function UserPage() {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const query = useQuery({
    ...read(operatorUserRoutes.show, { params: { id: Number(id) } }),
    refetchInterval: refreshMs,
  })
  const code = refusalCode(query.error)
  if (code === 'user_unknown' || code === 'not_found') return <MissingPage />
  const name = query.data ? query.data.name || query.data.reference : t`User ${id}`
  return (
    <Page title={name} tab={name}>
      <Loaded query={query}>{(user) => <Parts user={user} />}</Loaded>
    </Page>
  )
}

function Parts({ user }: { user: User }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  return (
    <>
      <Figures>
        <Figure label={t`Balance`}>
          <TokenAmount value={user.balanceTokens} unit={symbol} />
        </Figure>
        <Figure label={t`Purchased`}>
          <TokenAmount value={user.purchasedTokens} />
        </Figure>
        <Figure label={t`Bonus`}>
          <TokenAmount value={user.bonusTokens} />
        </Figure>
        <Figure label={t`Granted`}>
          <TokenAmount value={user.grantedTokens} />
        </Figure>
        <Figure label={t`Deposits`}>
          <Money value={user.depositsUsd} />
        </Figure>
        <Figure label={t`Level`}>
          <LevelName of={user.levelKey} />
        </Figure>
      </Figures>
      <div className="py-6">
        <Facts>
          <Fact label={t`ID`}>{user.id}</Fact>
          <Fact label={t`Reference`}>
            <span className="figures">{user.reference}</span>
            <CopyButton text={user.reference} what={t`Copy the reference`} className="size-7" />
          </Fact>
          <Fact label={t`Email`}>{user.email || t`deleted account`}</Fact>
          <Fact label={t`Phone`}>{user.phone || '—'}</Fact>
          <Fact label={t`Registered`}>
            <DateTime value={user.registeredAt} />
          </Fact>
        </Facts>
      </div>
      <Orders userId={user.id} />
      <Grants userId={user.id} />
      <Notes userId={user.id} isDeleted={user.email === ''} />
      <Sessions userId={user.id} />
      <Entries userId={user.id} />
    </>
  )
}

function Entries({ userId }: { userId: number }) {
  const { t } = useLingui()
  const query = useInfiniteQuery({
    ...readPages(operatorUserRoutes.entries, { limit: 50 }, { id: userId }),
    refetchInterval: refreshMs,
  })
  return (
    <Band title={t`Ledger entries`} lead={t`All of them, live, newest first.`}>
      <Loaded query={query}>
        {({ pages }) => <LedgerTable entries={pages.flatMap(({ items }) => items)} orders />}
      </Loaded>
      <Older query={query}>
        <Trans>Older entries</Trans>
      </Older>
    </Band>
  )
}

function Orders({ userId }: { userId: number }) {
  const { t } = useLingui()
  const query = useInfiniteQuery({
    ...readPages(operatorOrderRoutes.list, { user: String(userId), hidden: 'true', limit: 50 }),
    refetchInterval: refreshMs,
  })
  return (
    <Band title={t`Orders`}>
      <Loaded query={query} loading={t`Loading transactions...`}>
        {({ pages }) => (
          <DataTable
            caption={t`Orders`}
            rows={pages.flatMap(({ items }) => items)}
            keyOf={({ id }) => id}
            empty={t`No orders yet.`}
            rowClassName={({ hidden }) => (hidden ? 'text-soft' : undefined)}
            columns={[
              { label: t`ID`, cell: ({ id }) => <OrderLink id={id} strong /> },
              {
                label: t({ message: 'Change value', context: 'what the order changes into tokens' }),
                numeric: true,
                cell: ({ cryptoAmount, currency }) => <TokenAmount value={cryptoAmount} unit={currency} />,
              },
              {
                label: t`Amount to Receive`,
                numeric: true,
                cell: ({ receiveTokens }) => <TokenAmount value={receiveTokens} />,
              },
              { label: t`Dollars`, numeric: true, cell: ({ usd }) => <Money value={usd} /> },
              { label: t`Status`, cell: (order) => <OrderStatusBadge order={order} /> },
              { label: t`Created At`, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
            ]}
          />
        )}
      </Loaded>
      <Older query={query}>
        <Trans>Older orders</Trans>
      </Older>
    </Band>
  )
}

function Sessions({ userId }: { userId: number }) {
  const { t } = useLingui()
  const query = useQuery(read(operatorRoutes.userSessions, { params: { id: String(userId) } }))
  return (
    <Band title={t`Sessions`}>
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            <DataTable
              caption={t`Sessions`}
              rows={items}
              keyOf={({ id }) => id}
              empty={t`Signed in nowhere.`}
              columns={[
                {
                  label: t`Device`,
                  className: 'wrap-anywhere',
                  cell: ({ device }) => <span title={device}>{deviceName(device) ?? t`Unknown device`}</span>,
                },
                {
                  label: t`Network`,
                  cell: ({ network }) => <span className="figures">{network || '—'}</span>,
                },
                { label: t`Started`, cell: ({ createdAt }) => <DateTime value={createdAt} /> },
                { label: t`Last seen`, cell: ({ lastSeenAt }) => <RelativeTime value={lastSeenAt} /> },
              ]}
            />
            <SessionsLeftOut shown={items.length} total={total} />
          </>
        )}
      </Loaded>
    </Band>
  )
}

function Grants({ userId }: { userId: number }) {
  const { t } = useLingui()
  const refusal = useRefusal()('grants:write')
  const [asked, setAsked] = useState<Grant>()
  const query = useInfiniteQuery({
    ...readPages(operatorUserRoutes.grants, { limit: 50 }, { id: userId }),
    refetchInterval: refreshMs,
  })
  return (
    <Band title={t`Grants`} lead={t`Tokens that operators added by hand.`}>
      <Loaded query={query}>
        {({ pages }) => (
          <DataTable
            caption={t`Grants`}
            rows={pages.flatMap(({ items }) => items)}
            keyOf={({ id }) => id}
            empty={t`Nothing was granted.`}
            columns={[
              { label: t`Amount`, numeric: true, cell: ({ amount }) => <TokenAmount value={amount} /> },
              { label: t`Reason`, className: 'wrap-anywhere', cell: ({ reason }) => reason || '—' },
              { label: t`By`, cell: ({ operator }) => operator ?? '—' },
              { label: t`When`, cell: ({ at }) => <DateTime value={at} /> },
              {
                label: t`Actions`,
                actions: true,
                cell: (grant) =>
                  grant.reversedAt ? (
                    <Trans>
                      taken back <DateTime value={grant.reversedAt} />
                    </Trans>
                  ) : (
                    <RowButton disabledReason={refusal} onClick={() => setAsked(grant)}>
                      <Trans>Take back</Trans>
                    </RowButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      <Older query={query}>
        <Trans>Older grants</Trans>
      </Older>
      {asked ? <TakeBack grant={asked} onClose={() => setAsked(undefined)} /> : null}
    </Band>
  )
}

function TakeBack({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  return (
    <ConfirmChange
      title={t`Take the grant back?`}
      danger
      confirm={t`Take back`}
      run={() => call(operatorUserRoutes.reverseGrant, { params: { id: grant.id } })}
      touches={touched.users}
      done={() => toast.success(t`The grant was taken back.`)}
      onClose={onClose}
    >
      <Trans>
        <TokenAmount value={grant.amount} unit={symbol} /> leave the balance of {grant.email} by an entry of
        its own. Refused if the balance would fall below 0.
      </Trans>
    </ConfirmChange>
  )
}
