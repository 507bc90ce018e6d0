import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useTitle } from '../../area/document-title.ts'
import { Band, PageHead } from '../../area/Page.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { buttonLook } from '../../ui/Button.tsx'
import { useCampaign } from '../queries.ts'

/** Three ways to the same order, and the steps on this site with pictures of its real pages. */
export function HowToBuy() {
  const { t, i18n } = useLingui()
  useTitle()
  const campaign = useCampaign().data
  const symbol = campaign?.settings.symbol ?? ''
  const minutes = campaign?.settings.quoteMinutes ?? 15
  return (
    <>
      <PageHead
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
      />
      <Band title={<Trans>From a wallet app</Trans>}>
        <Steps>
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
            <Trans>
              Press Confirm. Where the order asks for the transaction id, copy it from the wallet.
            </Trans>
          </li>
        </Steps>
      </Band>
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
      <Band title={<Trans>On this site, step by step</Trans>}>
        <div className="grid gap-10">
          <Step
            number={1}
            picture={`/guide/buy-${i18n.locale}.webp`}
            alt={t`The buy page: amount, level and the list of coins`}
          >
            <Trans>
              Type an amount in {symbol}, or swap and type it in the coin. The bar shows the level that it
              reaches, and the server says what you send and what you receive.
            </Trans>
          </Step>
          <Step
            number={2}
            picture={`/guide/review-${i18n.locale}.webp`}
            alt={t`The first step of the dialog: amount, bonus, network`}
          >
            <Trans>
              Look through the amounts. Continue holds the rate for{' '}
              <Plural value={minutes} one="# minute" other="# minutes" /> and reserves the address for you.
            </Trans>
          </Step>
          <Step
            number={3}
            picture={`/guide/pay-${i18n.locale}.webp`}
            alt={t`The second step: QR code, exact amount and address`}
          >
            <Trans>
              Send the exact amount to the address, accept the terms and the risk notice, and confirm.
            </Trans>
          </Step>
          <Step
            number={4}
            picture={`/guide/order-${i18n.locale}.webp`}
            alt={t`The page of an order: its state, its amounts and its address`}
          >
            <Trans>
              The page of the order shows by itself what happens until the tokens are credited. Where an
              operator confirms by hand, enter the transaction id there.
            </Trans>
          </Step>
        </div>
      </Band>
    </>
  )
}

function Steps({ children }: { children: ReactNode }) {
  return (
    <ol className="measure list-decimal space-y-2 pl-6 marker:font-mono marker:text-sm marker:text-faint">
      {children}
    </ol>
  )
}

function Step({
  number,
  picture,
  alt,
  children,
}: {
  number: number
  picture: string
  alt: string
  children: ReactNode
}) {
  const [missing, setMissing] = useState(false)
  return (
    <div className="grid items-center gap-6 md:grid-cols-2">
      <div className="flex gap-4">
        <span className="display text-5xl text-accent-text" aria-hidden="true">
          {number}
        </span>
        <p className="pt-1">{children}</p>
      </div>
      {missing ? (
        <Ito decorative pose="rest" className="h-32 w-auto" />
      ) : (
        <img
          src={picture}
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
