import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { defaultLanguage, factsOf } from '../../../shared/languages.ts'
import { Band, Page } from '../../area/Page.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { useCampaign } from '../queries.ts'

export function HowToBuy() {
  const campaign = useCampaign().data
  const symbol = campaign?.settings.symbol ?? ''
  return (
    <Page
      title={<Trans>How to Buy</Trans>}
      lead={
        <Trans>
          You send a coin that you hold already, and tokens are credited once the payment is confirmed.
        </Trans>
      }
      action={
        <Link to={paths.buy} className={buttonLook()}>
          <Trans>Buy {symbol}</Trans>
        </Link>
      }
    >
      <FromWallet />
      <Band title={<Trans>From an exchange</Trans>}>
        <p className="measure">
          <Trans>
            An exchange takes its fee off the amount and lets you choose the network. Both are where money
            gets lost, so read the{' '}
            <Link to={paths.exchangeGuide} className="font-semibold underline underline-offset-4">
              guide to paying from an exchange
            </Link>{' '}
            first.
          </Trans>
        </p>
      </Band>
      <OnThisSite symbol={symbol} />
    </Page>
  )
}

function FromWallet() {
  return (
    <Band title={<Trans>From a wallet app</Trans>}>
      <ol className="measure list-decimal space-y-2 pl-6 marker:font-mono marker:text-sm marker:text-faint">
        <li>
          <Trans>Choose a coin on the buy page that your wallet holds, on the same network.</Trans>
        </li>
        <li>
          <Trans>
            Scan the QR code, or copy the amount and the address. Check the first and the last characters.
          </Trans>
        </li>
        <li>
          <Trans>Send exactly the amount shown. The fee of the network comes on top.</Trans>
        </li>
        <li>
          <Trans>Press Confirm. Where the order asks for the transaction id, copy it from the wallet.</Trans>
        </li>
      </ol>
    </Band>
  )
}

function OnThisSite({ symbol }: { symbol: string }) {
  const { t } = useLingui()
  return (
    <Band title={<Trans>On this site, step by step</Trans>}>
      <div className="grid gap-10">
        <Step number={1} picture="buy" alt={t`The buy page: the list of coins, the amount and the total`}>
          <Trans>
            Choose a coin on its network, then type an amount in {symbol}, or swap and type it in the coin.
            The bar shows the level that it reaches, and the server says what you send and what you receive.
          </Trans>
        </Step>
        <Step number={2} picture="review" alt={t`The first step of the dialog: amount, bonus, network`}>
          <Trans>
            Look through the amounts, and accept the terms and the risk notice. Continue makes your order.
          </Trans>
        </Step>
        <Step number={3} picture="pay" alt={t`The second step: QR code, exact amount and address`}>
          <Trans>Send the exact amount to the address before the time is over. Then press Confirm.</Trans>
        </Step>
        <Step
          number={4}
          picture="order"
          alt={t`The page of an order: its state, its amounts and its address`}
        >
          <Trans>
            The page of the order shows by itself what happens until the tokens are credited. If an operator
            confirms the payment by hand, enter its transaction id on that page.
          </Trans>
        </Step>
      </div>
    </Band>
  )
}

function Step({
  number,
  picture,
  alt,
  children,
}: {
  number: number
  /** File name in `assets/guide`, where each language has its own. */
  picture: string
  alt: string
  children: ReactNode
}) {
  const { i18n } = useLingui()
  const [isMissing, setMissing] = useState(false)
  return (
    <div className="grid items-center gap-6 md:grid-cols-2">
      <div className="flex gap-4">
        <span className="display text-5xl text-accent-text" aria-hidden="true">
          {number}
        </span>
        <p className="pt-1">{children}</p>
      </div>
      {isMissing ? (
        <Ito decorative pose="rest" className="h-32 w-auto" />
      ) : (
        <img
          src={`/guide/${picture}-${factsOf(i18n.locale).pictures ? i18n.locale : defaultLanguage}.webp`}
          alt={alt}
          width={800}
          height={500}
          loading="lazy"
          onError={() => setMissing(true)}
          className="h-auto w-full rounded-md border border-line-strong"
        />
      )}
    </div>
  )
}
