import { Trans, useLingui } from '@lingui/react/macro'

export function DemoRibbon() {
  const { t } = useLingui()
  return (
    <aside aria-label={t`Demo`} className="bg-now px-4 py-1.5 text-center text-sm font-medium text-on-now">
      <Trans>This is a demo. Nothing is for sale, and no real money was paid.</Trans>
    </aside>
  )
}

export function DemoWarning() {
  return (
    <p className="inline-block rounded-sm bg-now px-2 py-1 text-sm font-semibold text-on-now">
      <Trans>Demo: do not send anything</Trans>
    </p>
  )
}
