import { Trans } from '@lingui/react/macro'
import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { errorText, isPassing } from '../errors.ts'
import { Ito } from '../ito/Ito.tsx'
import { paths } from '../paths.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { EmptyState } from '../ui/states.tsx'

/** A path that is no page. */
export function MissingPage() {
  return (
    <EmptyState
      className="min-h-[70dvh] justify-center"
      level="h1"
      picture={<Ito pose="lost" decorative />}
      title={<Trans>Page not found</Trans>}
      action={
        <a href={paths.home} className={buttonLook()}>
          <Trans>Go home</Trans>
        </a>
      }
    />
  )
}

/** What stands where a page should: the guard could not ask, a chunk did not arrive, or a bug. */
export function BrokenPage() {
  const error = useRouteError()
  const revalidator = useRevalidator()
  if (isRouteErrorResponse(error) && error.status === 404) return <MissingPage />
  return (
    <EmptyState
      className="min-h-[70dvh] justify-center"
      level="h1"
      picture={<Ito pose="shrug" mood="worried" decorative />}
      title={<Trans>This page did not load</Trans>}
      action={
        <Button
          loading={revalidator.state === 'loading'}
          onClick={() => (isPassing(error) ? void revalidator.revalidate() : location.reload())}
        >
          <Trans>Retry</Trans>
        </Button>
      }
    >
      {errorText(error)}
    </EmptyState>
  )
}
