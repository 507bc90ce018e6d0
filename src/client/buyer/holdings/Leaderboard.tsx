import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { cx } from 'class-variance-authority'
import { Link } from 'react-router'
import { holdingRoutes } from '../../../shared/api/holdings.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { DateTime, Money } from '../../ui/numbers.tsx'
import { Skeletons } from '../../ui/Spinner.tsx'
import { Badge } from '../../ui/Status.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useCampaign } from '../queries.ts'

type Board = ReplyOf<typeof holdingRoutes.leaderboard>
type Row = Board['items'][number]

/** Shows the real buyers who chose to appear. */
export function Leaderboard() {
  const { t } = useLingui()
  const board = useQuery({ ...read(holdingRoutes.leaderboard), refetchInterval: 60_000 })
  return (
    <Page
      title={t`Leaderboard`}
      lead={
        <Trans>
          Buyers who chose to appear, by the dollars of their approved orders. Whether you appear is in{' '}
          <Link to={paths.profile} className="underline underline-offset-4">
            your profile
          </Link>
          .
        </Trans>
      }
    >
      <Loaded query={board} skeleton={<Skeletons count={5} className="mb-3 h-12" />}>
        {(shown) => (shown.items.length === 0 && !shown.own ? <NobodyYet /> : <Ranks board={shown} />)}
      </Loaded>
    </Page>
  )
}

function NobodyYet() {
  return (
    <EmptyState picture={<Ito state="asleep" decorative />} title={<Trans>Nobody is on the board yet</Trans>}>
      <Trans>It fills with real buyers only, so for now it is empty.</Trans>
    </EmptyState>
  )
}

function Ranks({ board }: { board: Board }) {
  const { t } = useLingui()
  return (
    <>
      <DataTable
        caption={t`Leaderboard`}
        columns={useColumns()}
        rows={board.own ? [...board.items, board.own] : board.items}
        keyOf={({ rank }) => rank}
        rowClassName={(row) =>
          cx(
            row.own && 'bg-now-soft',
            // The line says that rows are left out before an own row that is not among the hundred.
            row === board.own && 'border-t-4 border-double border-t-line-strong',
          )
        }
        scrolls
      />
      <p className="mt-4 text-sm text-soft">
        <Trans>
          Computed <DateTime value={board.computedAt} />
        </Trans>
      </p>
    </>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useLingui()
  const levels = useCampaign().data?.settings.levels ?? []
  return [
    { label: t`Number`, className: 'figures pl-2!', cell: ({ rank }) => `#${rank}` },
    {
      label: t`Player`,
      cell: ({ player, own }) => (
        <>
          <bdi className="wrap-anywhere">{player}</bdi>{' '}
          {own ? (
            <Badge tone="now">
              <Trans>you</Trans>
            </Badge>
          ) : null}
        </>
      ),
    },
    { label: t`Deposits`, numeric: true, cell: ({ depositsUsd }) => <Money value={depositsUsd} /> },
    {
      label: t`Status`,
      cell: ({ levelKey }) => {
        const rank = levels.findIndex((level) => level.key === levelKey)
        return (
          <span className="flex gap-x-2 max-sm:flex-col sm:items-center">
            <Ito decorative rank={rank} levelCount={levels.length} className="h-9 w-8 shrink-0" />
            {levels[rank]?.name}
          </span>
        )
      },
    },
  ]
}
