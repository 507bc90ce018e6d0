import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { operatorRoutes } from '../../shared/api/operators.ts'
import { read } from '../area/reading.ts'
import { DateTime } from '../ui/numbers.tsx'

export function WhoConfirms() {
  const { i18n } = useLingui()
  const { data } = useQuery(read(operatorRoutes.list))
  if (!data) return null
  const listOf = (names: string[]) => new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(names)
  const enabled = data.items.filter(({ disabledAt }) => disabledAt === null)
  const ready = enabled.filter(({ hasPassword }) => hasPassword)
  const waiting = enabled.filter(({ hasPassword }) => !hasPassword).map(({ login }) => login)
  return (
    <ul className="flex flex-col gap-1 text-sm text-soft">
      {ready.length > 1 ? (
        <li>
          <Trans>
            {listOf(ready.map(({ login }) => login))} confirm for each other, each within the rights of their
            role.
          </Trans>
        </li>
      ) : null}
      {data.related.map(({ logins, until }) => (
        <li key={logins.join(' ')}>
          <Trans>
            Except: {listOf(logins)} can’t confirm for each other before <DateTime value={until} />, because a
            one-time link connects them.
          </Trans>
        </li>
      ))}
      {waiting.length > 0 ? (
        <li>
          <Trans>No password yet, so no say: {listOf(waiting)}.</Trans>
        </li>
      ) : null}
      {ready.filter(({ role }) => role === 'owner').length < 2 ? (
        <li>
          <Trans>A second owner has to be invited and set a password first.</Trans>
        </li>
      ) : null}
    </ul>
  )
}
