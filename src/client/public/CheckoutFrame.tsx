import { Trans, useLingui } from '@lingui/react/macro'
import { useCampaign, usePage, usePath } from './frame.tsx'
import { SwapForm } from './landing/Swap.tsx'
import { Alarm, DemoBand, SourceLink } from './Shell.tsx'

/** Placeholders that the island fills. */
const slot = { number: '{number}', tokens: '{tokens}', amount: '{amount}' }

/**
 * Signs, pays and shows nothing personal: the site itself does in a new tab, so that clickjacking gains
 * nothing.
 */
export function CheckoutFrame({ framers }: { framers: string[] }) {
  const { t } = useLingui()
  const { publicUrl } = usePage()
  const { settings } = useCampaign()
  const { symbol, seller } = settings
  const { host } = new URL(publicUrl)
  const words = {
    order: t`Order ${slot.number}: ${slot.tokens} ${symbol} for ${slot.amount}.`,
    approved: t`Approved.`,
    rejected: t`Rejected.`,
    awaiting_payment: t`Its payment is not confirmed yet.`,
    seen: t`The payment was seen.`,
    confirming: t`The payment is being confirmed.`,
    expired: t`Not confirmed in time.`,
    other: t`Its page on ${host} says the next step.`,
  }
  return (
    <div data-island="checkout" data-framers={JSON.stringify(framers)} data-words={JSON.stringify(words)}>
      <DemoBand />
      <main className="px-4 py-5">
        <h1 className="display text-4xl">
          <Trans>Buy {symbol}</Trans>
        </h1>
        <p className="mt-1 mb-5 text-sm text-soft">
          {seller.name ? <Trans>Sold by {seller.name}.</Trans> : null} {host}
        </p>
        <SwapForm />
        <a
          href="/dashboard/buy-token"
          target="_blank"
          rel="noopener"
          data-go
          className="press press-hot mt-3 py-2"
        >
          <Trans>Go on at {host}</Trans>
        </a>
        <p className="mt-3 max-w-lg text-sm text-soft">
          <Trans>
            In a tab of its own you log in, see where to pay, and confirm. You do not pay here. If you allow
            it there, this page is told the order's number, amounts and state.
          </Trans>
        </p>
        <ul data-orders role="status" className="mt-4 grid gap-2 font-semibold empty:hidden" />
        <Links />
        <p className="mt-3 text-sm text-soft empty:hidden">
          <SourceLink />
        </p>
      </main>
      <Alarm />
    </div>
  )
}

function Links() {
  const { t } = useLingui()
  const path = usePath()
  const links = [
    { href: path('/terms'), text: t`Terms` },
    { href: path('/risks'), text: t`Risks` },
    { href: path('/privacy'), text: t`Privacy` },
  ]
  return (
    <p className="mt-5 flex flex-wrap gap-x-4 text-sm">
      {links.map(({ href, text }) => (
        <a key={href} href={href} target="_blank" rel="noopener" className="under py-1">
          {text}
        </a>
      ))}
    </p>
  )
}
