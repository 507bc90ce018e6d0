import { Trans, useLingui } from '@lingui/react/macro'
import { Ito } from '../ito/Ito.tsx'

/** Stored by the browser, so it names no campaign and no figure. */
export function Offline() {
  const { t } = useLingui()
  return (
    <main className="wrap flex min-h-dvh flex-col items-start justify-center gap-6 py-16">
      <div className="h-56 max-w-full">
        <Ito state="asleep" title={t`Ito, asleep`} desc={t`An outline of Ito with closed eyes.`} />
      </div>
      <h1 className="display text-hero">
        <Trans>No network</Trans>
      </h1>
      <p className="measure text-lg text-soft">
        <Trans>
          This page was kept by your browser; nothing on it comes from the sale. Prices, balances and orders
          are shown only as the server has just said them, so they wait for the network.
        </Trans>
      </p>
      {/* The same address again. */}
      <a href="" className="press press-hot">
        <Trans>Try again</Trans>
      </a>
    </main>
  )
}
