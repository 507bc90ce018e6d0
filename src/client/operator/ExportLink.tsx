import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Download } from 'lucide-react'
import type { Right } from '../../shared/roles.ts'
import { apiUrl } from '../api.ts'
import { buttonLook } from '../ui/Button.tsx'
import { useRefusal } from './session.ts'

/** A link to a CSV file that the server streams, with the filters of the list beside it. */
export function ExportLink({
  path,
  query,
  right,
}: {
  path: string
  query?: Record<string, string | undefined>
  right?: Right
}) {
  const { t } = useLingui()
  const refusal = useRefusal()
  const reason = right && refusal(right)
  const look = buttonLook({ variant: 'secondary', size: 'sm' })
  const words = (
    <>
      <Download aria-hidden="true" className="size-4" />
      <Trans>Export CSV</Trans>
    </>
  )
  if (reason)
    return (
      <span className={cx(look, 'text-faint')} title={reason} aria-disabled="true">
        {words}
      </span>
    )
  return (
    <a className={look} href={apiUrl({ path }, { query })} download aria-label={t`Export CSV`}>
      {words}
    </a>
  )
}
