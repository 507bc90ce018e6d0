import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'react-router'
import { exportPaths } from '../../../shared/api/audit.ts'
import { type OperatorUser, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import type { Column } from '../../area/DataTable.tsx'
import { List, useList } from '../../area/List.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Page } from '../../area/Page.tsx'
import { SearchField } from '../../area/SearchField.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Count, DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { ExportLink } from '../ExportLink.tsx'
import { paths } from '../paths.ts'
import { usePublicCampaign } from '../queries.ts'
import { AddBalance } from './AddBalance.tsx'

const sizeKey = 'operator:users-per-page'
const defaultSize = 10

function keptSize(): number {
  const kept = Number(localStorage.getItem(sizeKey))
  return Number.isInteger(kept) && kept >= 1 && kept <= 100 ? kept : defaultSize
}

export function UsersPage() {
  const { t } = useLingui()
  const [size, setSize] = useState(keptSize)
  const { get } = useUrlState()
  const search = get('search')
  const days = daysOf(get)
  const list = useList(operatorUserRoutes.list, { search, ...days, limit: size })
  const columns = useColumns()
  const changeSize = (next: number | null) => {
    if (next === null || !Number.isInteger(next) || next < 1 || next > 100) return
    setSize(next)
    localStorage.setItem(sizeKey, String(next))
    list.cursor.first()
  }
  return (
    <Page
      title={t`All Users`}
      action={
        <>
          <Link to={paths.referrals} className="text-sm underline underline-offset-4">
            <Trans>Friends' orders</Trans>
          </Link>
          <ExportLink path={exportPaths.users} query={{ search, ...days }} />
        </>
      }
    >
      <AddBalance />
      <div className="flex flex-wrap items-end justify-between gap-4 border-t border-line pt-6 pb-4">
        <SearchField placeholder={t`Id, reference or e-mail ( / )`} />
        <Field label={t`Users per page`}>
          <NumberField value={size} min={1} max={100} onValueChange={changeSize} />
        </Field>
      </div>
      {days ? <Days {...days} /> : null}
      <List
        list={list}
        loading={t`Loading users...`}
        empty={
          search
            ? t`No results. Ids, references and the beginnings of e-mails are searched; names and telephones are sealed and can't be.`
            : t`No users found.`
        }
        head={({ total }) =>
          total === undefined ? null : (
            <p className="mb-2 text-sm text-soft">
              <Trans>
                Total Users: <Count value={total} />
              </Trans>{' '}
              <span className="text-faint">
                <Trans>(deleted accounts not counted)</Trans>
              </span>
            </p>
          )
        }
        caption={t`All Users`}
        columns={columns}
        keyOf={({ id }) => id}
      />
    </Page>
  )
}

/** The days that links of the overview set in the address. */
function daysOf(get: (name: string) => string | undefined): { from: string; to: string } | undefined {
  const [from, to] = [get('from'), get('to')].map((text) => Date.parse(text ?? ''))
  if (from === undefined || to === undefined || Number.isNaN(from + to)) return undefined
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

function Days({ from, to }: { from: string; to: string }) {
  const url = useUrlState()
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-4 text-sm">
      <span>
        <Trans>
          Registered from <DateTime value={from} /> until <DateTime value={to} />
        </Trans>
      </span>
      <Button variant="link" size="sm" onClick={() => url.set({ from: null, to: null })}>
        <Trans>All users</Trans>
      </Button>
    </p>
  )
}

export function LevelName({ of }: { of: string }) {
  const levels = usePublicCampaign()?.settings.levels
  return <LocalText text={levels?.find(({ key }) => key === of)?.name ?? of} />
}

function useColumns(): Column<OperatorUser>[] {
  const { t } = useLingui()
  return [
    {
      label: t`ID`,
      cell: ({ id }) => (
        <Link className="figures font-semibold underline underline-offset-2" to={paths.user(id)}>
          {id}
        </Link>
      ),
    },
    {
      label: t({ message: 'Name', context: 'of a person' }),
      className: 'wrap-anywhere',
      cell: ({ name }) => name || '—',
    },
    {
      label: t`Email`,
      className: 'wrap-anywhere',
      cell: ({ email }) => email || <span className="text-faint">{t`deleted account`}</span>,
    },
    { label: t`Phone`, cell: ({ phone }) => phone || '—' },
    {
      label: t`Balance`,
      numeric: true,
      cell: ({ balanceTokens }) => <TokenAmount value={balanceTokens} />,
    },
    { label: t`Bonus`, numeric: true, cell: ({ bonusTokens }) => <TokenAmount value={bonusTokens} /> },
    { label: t`Level`, cell: ({ levelKey }) => <LevelName of={levelKey} /> },
    { label: t`Registered`, cell: ({ registeredAt }) => <DateTime value={registeredAt} /> },
  ]
}
