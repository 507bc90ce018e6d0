import { Trans, useLingui } from '@lingui/react/macro'
import { Ito } from '../ito/Ito.tsx'
import { usePath } from './frame.tsx'

export function NotFound() {
  const { t } = useLingui()
  const path = usePath()
  return (
    <div className="wrap flex min-h-[70dvh] flex-col items-start justify-center gap-6 py-16">
      <div className="h-56 max-w-full sm:h-72">
        <Ito
          pose="lost"
          title={t`Ito without its dot`}
          desc={t`The coin that is Ito's head has rolled away to the right. Ito looks for it.`}
          className="h-full w-auto max-w-full"
        />
      </div>
      <h1 className="display text-hero">
        <Trans>Page not found</Trans>
      </h1>
      <p className="text-lg text-soft">
        <Trans>There is nothing at this address. Ito has looked.</Trans>
      </p>
      <a href={path('/')} className="press press-hot">
        <Trans>Go home</Trans>
      </a>
    </div>
  )
}

/** Shown by an installation without a campaign. */
export function NotSetUp() {
  const { t } = useLingui()
  return (
    <div className="wrap flex min-h-[70dvh] flex-col items-start justify-center gap-6 py-16">
      <div className="h-56">
        <Ito state="asleep" title={t`Ito, asleep`} desc={t`An outline of Ito with closed eyes.`} />
      </div>
      <h1 className="display text-hero">
        <Trans>Nothing is for sale yet</Trans>
      </h1>
      <p className="text-lg text-soft">
        <Trans>No campaign is set up here. Its operator does that after logging in.</Trans>
      </p>
    </div>
  )
}
