import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { cx } from 'class-variance-authority'
import { Download } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { deliveryRoutes } from '../../../shared/api/delivery.ts'
import { deliveryEscrowRoutes } from '../../../shared/api/delivery-escrows.ts'
import { orderRoutes, ownOrdersPerPage } from '../../../shared/api/orders.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { isZero } from '../../../shared/money.ts'
import { call } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { usePolling } from '../../area/live-stream.ts'
import { Band, Figure, Figures, Page } from '../../area/Page.tsx'
import { readItems, readPages } from '../../area/reading.ts'
import { saveCsv } from '../../area/save-csv.ts'
import { useChange } from '../../area/use-change.ts'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { DeliveryDates, vestingOf, type Written } from '../../ui/DeliveryDates.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DateTime, Money, TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { Skeleton, Skeletons } from '../../ui/Spinner.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { OrderStateBadge } from '../OrderStateBadge.tsx'
import { useCampaign, useCampaignName, useHoldings } from '../queries.ts'
import { Claims } from './Claims.tsx'
import { EscrowOrders } from './EscrowOrders.tsx'
import { FriendsLink } from './FriendsLink.tsx'
import { WhereTokensGo } from './WhereTokensGo.tsx'

// Loaded apart: the proof checker is as large as the page.
const HoldingProof = lazy(() => import('./HoldingProof.tsx').then((part) => ({ default: part.HoldingProof })))

type OwnOrder = ReplyOf<typeof orderRoutes.list>['items'][number]

export function TokenHub() {
  const campaign = useCampaign()
  const name = useCampaignName()
  const [plan, setPlan] = useState(false)
  return (
    <Page
      title={<Trans>{name} Hub</Trans>}
      action={
        <Button variant="secondary" onClick={() => setPlan(true)} disabled={!campaign.data}>
          <Trans>Withdraw</Trans>
        </Button>
      }
    >
      <HoldingFigures />
      <Claims />
      <EscrowOrders />
      <WhereTokensGo />
      <OwnOrders />
      <FriendsLink />
      <Counted />
      {campaign.data ? <DeliveryPlan campaign={campaign.data} open={plan} onOpenChange={setPlan} /> : null}
    </Page>
  )
}

function Counted() {
  const [isAsked, setAsked] = useState(false)
  return (
    <Band title={<Trans>Counted in the public sum</Trans>} id="counted">
      {isAsked ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <HoldingProof />
        </Suspense>
      ) : (
        <Button variant="secondary" onClick={() => setAsked(true)}>
          <Trans>Check in this browser</Trans>
        </Button>
      )}
    </Band>
  )
}

function HoldingFigures() {
  const symbol = useCampaign().data?.settings.symbol
  return (
    <Loaded query={useHoldings()} skeleton={<Skeleton className="h-24" />}>
      {(own) => (
        <Figures most={3}>
          {own.usdtEquivalent === null ? (
            <Figure label={<Trans>Value at the sale price</Trans>}>
              <Money value={own.valueAtSalePriceUsd} />
            </Figure>
          ) : (
            <Figure label={<Trans>USDT equivalent</Trans>}>
              <TokenAmount value={own.usdtEquivalent} decimalsMax={2} decimalsMin={2} unit="USDT" />
            </Figure>
          )}
          <Figure label={<Trans>Current balance</Trans>}>
            <TokenAmount value={own.balanceTokens} unit={symbol} />
          </Figure>
          <Figure label={<Trans>Purchased tokens</Trans>}>
            <TokenAmount value={own.purchasedTokens} unit={symbol} />
          </Figure>
          <Figure label={<Trans>Bonus tokens</Trans>}>
            <TokenAmount value={own.bonusTokens} unit={symbol} />
          </Figure>
          {isZero(own.grantedTokens) ? null : (
            <Figure label={<Trans>Granted tokens</Trans>}>
              <TokenAmount value={own.grantedTokens} unit={symbol} />
            </Figure>
          )}
          <Figure label={<Trans>Total investment</Trans>}>
            <Money value={own.depositsUsd} />
          </Figure>
        </Figures>
      )}
    </Loaded>
  )
}

function OwnOrders() {
  const { t } = useLingui()
  const orders = useInfiniteQuery({
    ...readPages(orderRoutes.list, { limit: ownOrdersPerPage }),
    refetchInterval: usePolling(),
  })
  const symbol = useCampaign().data?.settings.symbol ?? ''
  const [page, setPage] = useState(0)
  const pages = orders.data?.pages ?? []
  const shown = pages[Math.min(page, pages.length - 1)]
  const columns = useOrderColumns(symbol)
  const download = useChange({ run: () => saveAllOrders(symbol), touches: [] })
  const next = async () => {
    if (page + 1 >= pages.length) await orders.fetchNextPage()
    setPage(page + 1)
  }
  return (
    <Band
      className="border-t-0! pt-8"
      title={<Trans>Transactions</Trans>}
      action={
        shown && shown.items.length > 0 ? (
          <Button variant="ghost" size="sm" loading={download.isPending} onClick={() => download.mutate()}>
            <Download aria-hidden="true" className="size-4" />
            <Trans>Download CSV</Trans>
          </Button>
        ) : null
      }
    >
      <Loaded query={{ ...orders, data: shown }} skeleton={<Skeletons count={3} className="mb-3 h-10" />}>
        {({ items, next: after }) =>
          items.length === 0 ? (
            <NoOrders />
          ) : (
            <>
              <DataTable
                caption={t`Transactions`}
                rows={items}
                keyOf={({ token }) => token}
                columns={columns}
                rowClassName={() => 'relative hover:bg-sunk'}
              />
              {page > 0 || after ? (
                <Pagination
                  page={page + 1}
                  hasPrevious={page > 0}
                  hasNext={after !== null && !orders.isFetchingNextPage}
                  onPrevious={() => setPage(page - 1)}
                  onNext={() => void next()}
                />
              ) : null}
            </>
          )
        }
      </Loaded>
    </Band>
  )
}

function NoOrders() {
  const name = useCampaignName()
  return (
    <EmptyState
      picture={<Ito pose="box" decorative />}
      title={<Trans>No transactions</Trans>}
      action={
        <Link to={paths.buy} className={buttonLook()}>
          <Trans>Buy {name}</Trans>
        </Link>
      }
    />
  )
}

function useOrderColumns(symbol: string): Column<OwnOrder>[] {
  const { t } = useLingui()
  return [
    {
      label: t`Amount`,
      cell: (order) => (
        // The link covers its row.
        <Link to={paths.order(order.token)} className="font-semibold after:absolute after:inset-0">
          <TokenAmount value={order.receiveTokens} unit={symbol} />
          <span className="sr-only">{t`Order #${order.number}`}</span>
        </Link>
      ),
    },
    {
      label: t`Pair`,
      cell: ({ currency }) => (
        <span className="inline-flex items-center gap-2 align-middle">
          <CoinIcon code={currency} className="size-5" />
          {symbol}/{currency}
        </span>
      ),
    },
    { label: t`Date`, cell: ({ createdAt }) => <DateTime value={createdAt} part="date" /> },
    {
      label: t`Time`,
      cell: ({ createdAt }) => <DateTime value={createdAt} part="time" className="figures" />,
    },
    { label: t`Status`, cell: (order) => <OrderStateBadge order={order} /> },
  ]
}

/** Amounts are as in the ledger. */
const csvColumns: Record<string, (order: OwnOrder, symbol: string) => string> = {
  order: ({ number }) => String(number),
  created_at: ({ createdAt }) => createdAt,
  status: ({ status }) => status,
  detail: ({ detail, withdrawnByOperator }) => (withdrawnByOperator ? 'withdrawn' : detail),
  amount: ({ cryptoAmount }) => cryptoAmount,
  currency: ({ currency }) => currency,
  base: ({ baseTokens }) => baseTokens,
  bonus: ({ bonusTokens }) => bonusTokens,
  total: ({ receiveTokens }) => receiveTokens,
  token: (_, symbol) => symbol,
  usd: ({ usd }) => usd,
  rate: ({ rate }) => rate,
  address: ({ address }) => address,
}

async function saveAllOrders(symbol: string) {
  const rows = [Object.keys(csvColumns)]
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof readOrders>> = await readOrders(after)
    for (const order of page.items) rows.push(Object.values(csvColumns).map((cell) => cell(order, symbol)))
    after = page.next
  } while (after)
  saveCsv('transactions.csv', rows)
}

function readOrders(after: string | null) {
  return call(orderRoutes.list, { query: { limit: 100, ...(after ? { after } : {}) } })
}

const written: Written = {
  moment: (iso) => <DateTime value={iso} />,
  day: (date) => <DateTime value={`${date}T00:00:00Z`} part="date" long timeZone="UTC" />,
  text: (text) => <LocalText text={text} />,
}

function DeliveryPlan({
  campaign,
  open,
  onOpenChange,
}: {
  campaign: PublicCampaign
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { delivery } = campaign.settings
  const claims = useQuery(readItems(deliveryRoutes.claims)).data ?? []
  const inEscrow = useQuery(readItems(deliveryEscrowRoutes.own)).data ?? []
  const claimAt =
    claims.length > 0
      ? '#claim'
      : inEscrow.some(({ call: offered }) => offered?.what === 'claim')
        ? '#escrows'
        : null
  const vesting = vestingOf(campaign, written.text)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={<Trans>Delivery plan</Trans>}
      description={
        claimAt ? (
          <Trans>
            <a href={claimAt} className="underline underline-offset-4" onClick={() => onOpenChange(false)}>
              Your tokens can be claimed
            </a>{' '}
            on this page.
          </Trans>
        ) : (
          <Trans>
            Tokens are delivered by this plan. Your claim opens here once a delivery has your tokens.
          </Trans>
        )
      }
    >
      <dl className="-mt-2">
        <PlanFact label={<Trans>Network</Trans>}>
          {delivery.network || <Trans>Not announced yet</Trans>}
        </PlanFact>
        <PlanFact label={<Trans>Token contract</Trans>} className="figures">
          {delivery.tokenContract ?? <Trans>not deployed yet</Trans>}
        </PlanFact>
        <PlanFact label={<Trans>Date</Trans>}>
          <DeliveryDates campaign={campaign} written={written} />
        </PlanFact>
        {vesting ? <PlanFact label={<Trans>Vesting</Trans>}>{vesting}</PlanFact> : null}
      </dl>
    </Dialog>
  )
}

function PlanFact({
  label,
  className,
  children,
}: {
  label: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <div className="border-b border-line py-3 last:border-b-0">
      <dt className="text-sm text-faint">{label}</dt>
      <dd className={cx('wrap-anywhere', className)}>{children}</dd>
    </div>
  )
}
