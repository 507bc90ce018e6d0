import { Trans } from '@lingui/react/macro'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { ApiError, NetworkError } from '../api.ts'
import { errorText } from '../errors.ts'
import { Ito } from '../ito/Ito.tsx'
import { Button, buttonLook } from '../ui/Button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { currentArea } from './area.ts'

/** For an unknown path or a missing record. */
export function MissingPage() {
  const { home } = currentArea()
  return (
    <EmptyState
      className="min-h-[70dvh] justify-center"
      level="h1"
      picture={<Ito pose="lost" decorative />}
      title={<Trans>Page not found</Trans>}
      action={
        <a href={home.path} className={buttonLook()}>
          {home.words()}
        </a>
      }
    />
  )
}

/** The guard failed, a chunk did not load or a component threw. */
export function BrokenPage() {
  const error = useRouteError()
  const { revalidate, state } = useRevalidator()
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingPage />
  const isOfServer = error instanceof ApiError || error instanceof NetworkError
  return (
    <EmptyState
      className="min-h-[70dvh] justify-center"
      level="h1"
      picture={<Ito pose="shrug" mood="worried" decorative />}
      title={<Trans>This page did not load</Trans>}
      action={
        <Button
          loading={state === 'loading'}
          // Reload after other errors: an update may have removed a chunk.
          onClick={() => (isOfServer ? void revalidate() : location.reload())}
        >
          <Trans>Retry</Trans>
        </Button>
      }
    >
      {errorText(error)}
    </EmptyState>
  )
}
