import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRevalidator, useRouteError } from 'react-router'
import { ApiError } from '../api.ts'
import { errorText } from '../errors.ts'
import { Ito } from '../ito/Ito.tsx'
import { buttonLook } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { paths } from './paths.ts'

/** While the first guard asks who is signed in. */
export function Starting() {
  const { t } = useLingui()
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner label={t`Loading`} className="text-3xl text-faint" />
    </div>
  )
}

/** A page that could not be opened at all: the server did not answer, or something broke here. */
export function Broken() {
  const error = useRouteError()
  const { t } = useLingui()
  const { revalidate, state } = useRevalidator()
  return (
    <div className="mx-auto max-w-2xl p-6">
      <ErrorState
        title={t`Failed to load data`}
        retrying={state !== 'idle'}
        // What is no answer of the server may be a part of these pages that went with an update of it: load them anew.
        onRetry={() => (error instanceof ApiError ? void revalidate() : location.reload())}
      >
        {errorText(error)}
      </ErrorState>
    </div>
  )
}

export function NoSuchPage() {
  const { t } = useLingui()
  return (
    <EmptyState
      picture={<Ito pose="lost" decorative />}
      level="h1"
      title={t`Page not found`}
      action={
        <Link className={buttonLook()} to={paths.area}>
          <Trans>Go to Crypto</Trans>
        </Link>
      }
    />
  )
}
