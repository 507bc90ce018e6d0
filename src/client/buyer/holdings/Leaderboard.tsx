import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Link } from 'react-router'
import { useTitle } from '../../area/document-title.ts'
import { PageHead } from '../../area/Page.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { DateTime, Money } from '../../ui/numbers.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { Badge } from '../../ui/Status.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { useCampaign, useLeaderboard } from '../queries.ts'

/** `iToken | Leaderboard`: real buyers who chose to appear. */
export function Leaderboard() {
  const { t } = useLingui()
  useTitle(t`Leaderboard`)
  const board = useLeaderboard()
  const levels = useCampaign().data?.settings.levels ?? []
  const rows = board.data ? [...board.data.items, ...(board.data.own ? [board.data.own] : [])] : []
  return (
    <>
      <PageHead
        title={<Trans>Leaderboard</Trans>}
        lead={
          <Trans>
            Buyers who chose to appear, by the dollars of their approved orders. Whether you appear is in{' '}
            <Link to={paths.profile} className="underline underline-offset-4">
              your profile
            </Link>
            .
          </Trans>
        }
      />
      {board.data ? (
        rows.length === 0 ? (
          <EmptyState
            picture={<Ito state="asleep" decorative />}
            title={<Trans>Nobody is on the board yet</Trans>}
          >
            <Trans>It fills with real buyers only, so for now it is empty.</Trans>
          </EmptyState>
        ) : (
          <>
            <Table caption={t`Leaderboard`}>
              <THead>
                <Th>{t`Number`}</Th>
                <Th>{t`Player`}</Th>
                <Th numeric>{t`Deposits`}</Th>
                <Th>{t`Status`}</Th>
              </THead>
              <TBody>
                {rows.map((row) => {
                  const rank = levels.findIndex((level) => level.key === row.levelKey)
                  return (
                    <Tr
                      key={row.rank}
                      className={cx(
                        row.own && 'bg-now-soft',
                        // Not among the hundred: the line says that rows are left out.
                        row === board.data.own && 'border-t-4 border-double border-t-line-strong',
                      )}
                    >
                      <Td className="figures pl-2!">#{row.rank}</Td>
                      <Td>
                        <bdi className="wrap-anywhere">{row.player}</bdi>{' '}
                        {row.own ? (
                          <Badge tone="now">
                            <Trans>you</Trans>
                          </Badge>
                        ) : null}
                      </Td>
                      <Td numeric>
                        <Money value={row.depositsUsd} />
                      </Td>
                      <Td>
                        <span className="flex gap-x-2 max-sm:flex-col sm:items-center">
                          <Ito
                            decorative
                            rank={rank}
                            levelCount={levels.length}
                            className="h-9 w-8 shrink-0"
                          />
                          {levels[rank]?.name}
                        </span>
                      </Td>
                    </Tr>
                  )
                })}
              </TBody>
            </Table>
            <p className="mt-4 text-sm text-soft">
              <Trans>
                Computed <DateTime value={board.data.computedAt} />
              </Trans>
            </p>
          </>
        )
      ) : board.isError ? (
        <ErrorState
          title={<Trans>Failed to load data</Trans>}
          onRetry={() => void board.refetch()}
          retrying={board.isFetching}
        />
      ) : (
        <SkeletonGroup>
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} className="mb-3 h-12" />
          ))}
        </SkeletonGroup>
      )}
    </>
  )
}
