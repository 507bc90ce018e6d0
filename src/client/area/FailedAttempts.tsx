import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { FailedAttempt } from '../../shared/api/own-access.ts'
import { DateTime } from '../ui/numbers.tsx'
import { Skeleton } from '../ui/Spinner.tsx'
import type { AccessRoutes } from './access-routes.ts'
import { Loaded } from './Loaded.tsx'
import { Band } from './Page.tsx'
import { readItems } from './reading.ts'

/** Recent failed logins and confirmations of the account. */
export function FailedAttempts({ routes }: { routes: AccessRoutes }) {
  const failed = useQuery(readItems(routes.failedAttempts))
  return (
    <Band title={<Trans>Failed attempts</Trans>}>
      <Loaded query={failed} skeleton={<Skeleton className="h-16" />}>
        {(shown) =>
          shown.length === 0 ? (
            <p className="text-soft">
              <Trans>None lately.</Trans>
            </p>
          ) : (
            <ul className="border-t border-line">
              {shown.map((attempt) => (
                <AttemptRow
                  key={`${attempt.reason} ${attempt.network} ${attempt.firstAt}`}
                  attempt={attempt}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Band>
  )
}

function AttemptRow({ attempt }: { attempt: FailedAttempt }) {
  const { t } = useLingui()
  const reasons: Record<FailedAttempt['reason'], string> = {
    password: t`Wrong password`,
    code: t`Wrong code of the second factor`,
    used_code: t`A code that had been used`,
    step_up: t`Wrong password inside a session`,
  }
  return (
    <li className="border-b border-line py-3">
      <p className="font-medium">{reasons[attempt.reason]}</p>
      <p className="text-sm text-soft wrap-anywhere">
        {attempt.network === '' ? null : (
          <>
            <span className="figures">{attempt.network}</span>
            {' · '}
          </>
        )}
        <Plural value={attempt.attempts} one="# attempt" other="# attempts" />
        {' · '}
        <DateTime value={attempt.lastAt} />
      </p>
    </li>
  )
}
