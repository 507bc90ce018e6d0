import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { overviewRoutes } from '../../shared/api/overview.ts'
import { can } from '../../shared/roles.ts'
import { read } from '../area/reading.ts'
import { Status } from '../ui/Status.tsx'
import { useOperator } from './session.ts'

const tones = { fine: 'success', look: 'now', bad: 'danger' } as const

/** Faults first, each with its fix; healthy checks are only counted. */
export function DoctorPart() {
  const { t } = useLingui()
  const mayRead = can(useOperator().role, 'settings:write')
  const { data } = useQuery({ ...read(overviewRoutes.doctor), enabled: mayRead })
  if (!data) return null
  const names = { fine: t`fine`, look: t`look`, bad: t`to fix` }
  const faults = data.items.filter(({ state }) => state !== 'fine')
  const count = data.items.length - faults.length
  return (
    <section aria-label={t`Checks of this server`} className="py-4 text-sm">
      <h2 className="font-semibold">
        <Trans>Checks of this server</Trans>
      </h2>
      <ul className="mt-1 flex flex-col gap-1">
        {faults.map(({ name, state, title, detail, fix }) => (
          <li key={name}>
            <Status tone={tones[state]}>{names[state]}</Status> {title}: {detail}
            {fix ? <p className="text-soft">{fix}</p> : null}
          </li>
        ))}
        <li className="text-soft">
          <Trans>Fine: {count}.</Trans>
        </li>
      </ul>
    </section>
  )
}
