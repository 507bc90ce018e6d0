import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { cx } from 'class-variance-authority'
import { Link } from 'react-router'
import { holdingRoutes } from '../../../shared/api/holdings.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
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
    <EmptyState picture={<Ito state="asleep" decorative />} title={<Trans>The board is empty so far</Trans>}>
      <Trans>It fills with real buyers only, so for now it is empty.</Trans>
    </EmptyState>
  )
}

/** Index and height of the podium places, from left to right. */
const podium = [
  [1, 'h-16'],
  [0, 'h-24'],
  [2, 'h-10'],
] as const

function Podium({ items }: { items: Board['items'] }) {
  const levels = useCampaign().data?.settings.levels ?? []
  return (
    <div aria-hidden="true" className="mb-8 flex max-w-xl items-end gap-2">
      {podium.map(([place, height]) => {
        const row = items[place]
        return row ? (
          <div key={place} className="min-w-0 flex-1 text-center">
            <Ito
              decorative
              pose={place === 0 ? 'cheer' : 'rest'}
              rank={levels.findIndex(({ key }) => key === row.levelKey)}
              levelCount={levels.length}
              className="mx-auto h-24 w-auto"
            />
            <div className={cx('mt-2 bg-sunk px-1 pt-1.5', height, place === 0 && 'bg-now-soft')}>
              <bdi className="block truncate text-sm font-semibold max-sm:text-xs">{row.player}</bdi>
            </div>
          </div>
        ) : null
      })}
    </div>
  )
}

const podiumFrom = 3

function Ranks({ board }: { board: Board }) {
  const { t } = useLingui()
  return (
    <>
      {board.items.length >= podiumFrom ? <Podium items={board.items} /> : null}
      <DataTable
        caption={t`Leaderboard`}
        columns={useColumns(board.items[0]?.depositsUsd)}
        rows={board.own ? [...board.items, board.own] : board.items}
        keyOf={({ rank }) => rank}
        rowClassName={(row) =>
          cx(
            row.own && 'bg-now-soft',
            // A double line marks the gap before an own row outside the first hundred.
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

/** `most`: the deposits of the first place, the full length of a bar. */
function useColumns(most: string | undefined): Column<Row>[] {
  const { t } = useLingui()
  const levels = useCampaign().data?.settings.levels ?? []
  const rankOf = ({ levelKey }: Row) => levels.findIndex((level) => level.key === levelKey)
  const nameOf = (row: Row) => levels[rankOf(row)]?.name ?? ''
  return [
    {
      label: t`Number`,
      className: 'figures sm:pl-2! max-sm:pr-1!',
      // On a phone the names need the room, and `#` explains the number.
      head: <span className="max-sm:sr-only">{t`Number`}</span>,
      cell: ({ rank }) => `#${rank}`,
    },
    {
      label: t`Player`,
      className: 'max-sm:pr-1!',
      cell: (row) => (
        <>
          <bdi className="wrap-anywhere">{row.player}</bdi>{' '}
          {row.own ? (
            <Badge tone="now">
              <Trans>you</Trans>
            </Badge>
          ) : null}
          <LocalText text={nameOf(row)} className="block text-xs text-soft sm:hidden" />
        </>
      ),
    },
    {
      label: t`Deposits`,
      numeric: true,
      className: 'max-sm:pr-2!',
      cell: ({ depositsUsd }) => (
        <>
          <Money value={depositsUsd} />
          <Share of={depositsUsd} most={most} />
        </>
      ),
    },
    {
      label: t`Status`,
      // On a phone the level stands below the player.
      head: <span className="max-sm:sr-only">{t`Status`}</span>,
      cell: (row) => (
        <span className="flex items-center gap-x-2">
          <Ito decorative rank={rankOf(row)} levelCount={levels.length} className="h-9 w-8 shrink-0" />
          <LocalText text={nameOf(row)} className="max-sm:hidden" />
        </span>
      ),
    },
  ]
}

function Share({ of, most }: { of: string; most: string | undefined }) {
  const percent = most ? Math.min(100, (Number(of) / Number(most)) * 100) : 0
  return (
    <span aria-hidden="true" className="mt-1 ml-auto block h-1 bg-accent" style={{ width: `${percent}%` }} />
  )
}
