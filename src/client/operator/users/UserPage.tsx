import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { type Grant, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import { operatorRoutes } from '../../../shared/api/operators.ts'
import { operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { MissingPage } from '../../area/BrokenPage.tsx'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Fact, Facts, Figure, Figures, Page } from '../../area/Page.tsx'
import { read, readItems, readPages, refreshMs } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { refusalCode } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { DateTime, Money, RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { LedgerTable } from '../LedgerTable.tsx'
import { OrderStatusBadge } from '../order-status.tsx'
import { paths } from '../paths.ts'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { Notes } from './Notes.tsx'
import { useLevelName } from './UsersPage.tsx'

type User = ReplyOf<typeof operatorUserRoutes.show>

/** One user: what they hold, their orders, what was granted and every ledger entry. */
export function UserPage() {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const query = useQuery({
    ...read(operatorUserRoutes.show, { params: { id: Number(id) } }),
    refetchInterval: refreshMs,
  })
  const code = refusalCode(query.error)
  if (code === 'user_unknown' || code === 'not_found') return <MissingPage />
  return (
    <Page title={query.data ? query.data.name || query.data.reference : t`User ${id}`}>
      <Loaded query={query}>{(user) => <Parts user={user} />}</Loaded>
    </Page>
  )
}

function Parts({ user }: { user: User }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const levelName = useLevelName()
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
        <Figure label={t`Level`}>{levelName(user.levelKey)}</Figure>
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
      <Grants grants={user.grants} />
      <Notes userId={user.id} isDeleted={user.email === ''} />
      <Sessions userId={user.id} />
      <Band title={t`Ledger entries`} lead={t`The newest 200, as they are written.`}>
        <LedgerTable entries={user.entries} orders />
      </Band>
    </>
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
          <>
            <Table caption={t`Orders`} stack>
              <THead>
                <Th>{t`ID`}</Th>
                <Th numeric>
                  {t({ message: 'Change value', context: 'what the order changes into tokens' })}
                </Th>
                <Th numeric>{t`Amount to Receive`}</Th>
                <Th numeric>{t`Dollars`}</Th>
                <Th>{t`Status`}</Th>
                <Th>{t`Created At`}</Th>
              </THead>
              <TBody>
                {pages[0]?.items.length === 0 ? <EmptyRow columns={6}>{t`No orders yet.`}</EmptyRow> : null}
                {pages
                  .flatMap(({ items }) => items)
                  .map((order) => (
                    <Tr key={order.id} className={order.hidden ? 'text-soft' : undefined}>
                      <Td label={t`ID`}>
                        <Link className="figures font-semibold underline" to={paths.order(order.id)}>
                          {order.id}
                        </Link>
                      </Td>
                      <Td
                        label={t({ message: 'Change value', context: 'what the order changes into tokens' })}
                        numeric
                      >
                        <TokenAmount value={order.cryptoAmount} unit={order.currency} />
                      </Td>
                      <Td label={t`Amount to Receive`} numeric>
                        <TokenAmount value={order.receiveTokens} />
                      </Td>
                      <Td label={t`Dollars`} numeric>
                        <Money value={order.usd} />
                      </Td>
                      <Td label={t`Status`}>
                        <OrderStatusBadge status={order.status} />
                      </Td>
                      <Td label={t`Created At`}>
                        <DateTime value={order.createdAt} />
                      </Td>
                    </Tr>
                  ))}
              </TBody>
            </Table>
            {query.hasNextPage ? (
              <Button
                variant="secondary"
                size="sm"
                className="mt-3"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                <Trans>Older orders</Trans>
              </Button>
            ) : null}
          </>
        )}
      </Loaded>
    </Band>
  )
}

/** Where the user is signed in. */
function Sessions({ userId }: { userId: number }) {
  const { t } = useLingui()
  const query = useQuery({
    ...readItems(operatorRoutes.userSessions, { params: { id: String(userId) } }),
  })
  return (
    <Band title={t`Sessions`}>
      <Loaded query={query}>
        {(sessions) => (
          <Table caption={t`Sessions`} stack>
            <THead>
              <Th>{t`Device`}</Th>
              <Th>{t`Network`}</Th>
              <Th>{t`Started`}</Th>
              <Th>{t`Last seen`}</Th>
            </THead>
            <TBody>
              {sessions.length === 0 ? <EmptyRow columns={4}>{t`Signed in nowhere.`}</EmptyRow> : null}
              {sessions.map((session) => (
                <Tr key={session.id}>
                  <Td label={t`Device`} className="wrap-anywhere">
                    <span title={session.device}>{deviceName(session.device) ?? t`Unknown device`}</span>
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
                </Tr>
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
    </Band>
  )
}

function Grants({ grants }: { grants: readonly Grant[] }) {
  const { t } = useLingui()
  const refusal = useRefusal()('grants:write')
  const [asked, setAsked] = useState<Grant>()
  return (
    <Band title={t`Grants`} lead={t`Tokens that operators added by hand.`}>
      <Table caption={t`Grants`} stack>
        <THead>
          <Th numeric>{t`Amount`}</Th>
          <Th>{t`Reason`}</Th>
          <Th>{t`By`}</Th>
          <Th>{t`When`}</Th>
          <Th className="text-right">{t`Actions`}</Th>
        </THead>
        <TBody>
          {grants.length === 0 ? <EmptyRow columns={5}>{t`Nothing was granted.`}</EmptyRow> : null}
          {grants.map((grant) => (
            <Tr key={grant.id}>
              <Td label={t`Amount`} numeric>
                <TokenAmount value={grant.amount} />
              </Td>
              <Td label={t`Reason`} className="wrap-anywhere">
                {grant.reason || '—'}
              </Td>
              <Td label={t`By`}>{grant.operator ?? '—'}</Td>
              <Td label={t`When`}>
                <DateTime value={grant.at} />
              </Td>
              <Td className="text-right">
                {grant.reversedAt ? (
                  <Trans>
                    taken back <DateTime value={grant.reversedAt} />
                  </Trans>
                ) : (
                  <Button
                    variant="secondary"
                    size="sm"
                    disabledReason={refusal}
                    onClick={() => setAsked(grant)}
                  >
                    <Trans>Take back</Trans>
                  </Button>
                )}
              </Td>
            </Tr>
          ))}
        </TBody>
      </Table>
      {asked ? <TakeBack grant={asked} onClose={() => setAsked(undefined)} /> : null}
    </Band>
  )
}

function TakeBack({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const reverse = useChange({
    run: () => call(operatorUserRoutes.reverseGrant, { params: { id: grant.id } }),
    touches: touched.users,
    done: () => {
      toast.success(t`The grant was taken back.`)
      onClose()
    },
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Take the grant back?`}
      danger
      confirm={t`Take back`}
      loading={reverse.isPending}
      onConfirm={() => reverse.mutate()}
    >
      <Trans>
        <TokenAmount value={grant.amount} unit={symbol} /> leave the balance of {grant.email} by an entry of
        its own. Refused if the balance would fall below 0.
      </Trans>
    </ConfirmDialog>
  )
}
