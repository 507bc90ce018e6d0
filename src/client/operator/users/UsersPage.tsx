import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { exportPaths } from '../../../shared/api/audit.ts'
import { type OperatorUser, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import { useRowKeys } from '../../area/keyboard.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { read, refreshMs } from '../../area/reading.ts'
import { SearchField } from '../../area/SearchField.tsx'
import { useCursor, useUrlState } from '../../area/url-state.ts'
import { Field } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Count, DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { paths } from '../paths.ts'
import { usePublicCampaign } from '../queries.ts'
import { AddBalance } from './AddBalance.tsx'

const sizeKey = 'operator:users-per-page'
const defaultSize = 10

/** The one thing kept in local storage: how many users a page shows. */
function keptSize(): number {
  const kept = Number(localStorage.getItem(sizeKey))
  return Number.isInteger(kept) && kept >= 1 && kept <= 100 ? kept : defaultSize
}

/** `All Users`, newest first. */
export function UsersPage() {
  const { t } = useLingui()
  const url = useUrlState()
  const cursor = useCursor()
  const [size, setSize] = useState(keptSize)
  const search = url.get('search')
  const query = useQuery({
    ...read(operatorUserRoutes.list, { query: { search, after: cursor.after, limit: size } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const changeSize = (next: number | null) => {
    if (next === null || !Number.isInteger(next) || next < 1 || next > 100) return
    setSize(next)
    localStorage.setItem(sizeKey, String(next))
    cursor.first()
  }
  return (
    <Page title={t`All Users`} action={<ExportLink path={exportPaths.users} />}>
      <AddBalance />
      <div className="flex flex-wrap items-end justify-between gap-4 border-t border-line pt-6 pb-4">
        <SearchField
          value={search ?? ''}
          onChange={(next) => url.set({ search: next })}
          placeholder={t`Id, reference or e-mail (Ctrl+K)`}
        />
        <Field label={t`Users per page`}>
          <NumberField value={size} min={1} max={100} onValueChange={changeSize} />
        </Field>
      </div>
      <Loaded query={query} loading={t`Loading users...`}>
        {(page) => (
          <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
            {page.total === undefined ? null : (
              <p className="mb-2 text-sm text-soft">
                <Trans>
                  Total Users: <Count value={page.total} />
                </Trans>
              </p>
            )}
            <Rows users={page.items} nothing={search ? t`No results.` : t`No users found.`} />
            <Pagination
              page={cursor.page}
              hasPrevious={cursor.hasPrevious}
              hasNext={page.next !== null}
              onPrevious={cursor.previous}
              onNext={() => page.next && cursor.next(page.next)}
            />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** A level's name by its key. */
export function useLevelName(): (key: string) => string {
  const campaign = usePublicCampaign()
  return (key) => campaign?.settings.levels.find((level) => level.key === key)?.name ?? key
}

function Rows({ users, nothing }: { users: readonly OperatorUser[]; nothing: string }) {
  const { t } = useLingui()
  const levelName = useLevelName()
  const rows = useRowKeys()
  return (
    <Table caption={t`All Users`} stack>
      <THead>
        <Th>{t`ID`}</Th>
        <Th>{t({ message: 'Name', context: 'of a person' })}</Th>
        <Th>{t`Email`}</Th>
        <Th>{t`Phone`}</Th>
        <Th numeric>{t`Balance`}</Th>
        <Th numeric>{t`Bonus`}</Th>
        <Th>{t`Level`}</Th>
        <Th>{t`Registered`}</Th>
      </THead>
      <TBody {...rows}>
        {users.length === 0 ? <EmptyRow columns={8}>{nothing}</EmptyRow> : null}
        {users.map((user) => (
          <Tr key={user.id}>
            <Td label={t`ID`}>
              <Link className="figures font-semibold underline underline-offset-2" to={paths.user(user.id)}>
                {user.id}
              </Link>
            </Td>
            <Td label={t({ message: 'Name', context: 'of a person' })} className="wrap-anywhere">
              {user.name || '—'}
            </Td>
            <Td label={t`Email`} className="wrap-anywhere">
              {user.email || <span className="text-faint">{t`deleted account`}</span>}
            </Td>
            <Td label={t`Phone`}>{user.phone || '—'}</Td>
            <Td label={t`Balance`} numeric>
              <TokenAmount value={user.balanceTokens} />
            </Td>
            <Td label={t`Bonus`} numeric>
              <TokenAmount value={user.bonusTokens} />
            </Td>
            <Td label={t`Level`}>{levelName(user.levelKey)}</Td>
            <Td label={t`Registered`}>
              <DateTime value={user.registeredAt} />
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  )
}
