import { Trans, useLingui } from '@lingui/react/macro'
import { useReducer } from 'react'
import { Link } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import { videoOriginOf } from '../../../shared/frame-origins.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Page } from '../../area/Page.tsx'
import { paths } from '../../paths.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Status } from '../../ui/Status.tsx'
import { Notice } from '../../ui/states.tsx'
import { useCampaign, useCurrencies } from '../queries.ts'

type Settings = PublicCampaign['settings']

interface ExchangeNetwork {
  name: string
  looksLike: string
  takes: (currency: PublicCurrency) => boolean
}

/** Networks as exchanges name them. A BTC address may have either shape. */
const exchangeNetworks: readonly ExchangeNetwork[] = [
  { name: 'BEP2', looksLike: 'bnb1…', takes: () => false },
  { name: 'BEP20', looksLike: '0x…', takes: (currency) => currency.network === 'bsc' },
  { name: 'ERC20', looksLike: '0x…', takes: (currency) => currency.network === 'ethereum' },
  { name: 'TRC20', looksLike: 'T…', takes: (currency) => currency.network === 'tron' },
  { name: 'BTC', looksLike: '1…, 3…', takes: (currency) => currency.network === 'bitcoin' },
  { name: 'BTC SegWit', looksLike: 'bc1…', takes: (currency) => currency.network === 'bitcoin' },
]

export function ExchangeGuide() {
  const settings = useCampaign().data?.settings
  return (
    <Page
      title={<Trans>Paying from an exchange</Trans>}
      lead={
        <Trans>
          An exchange asks on which network to send. Choose the one that the order names, and no other.
        </Trans>
      }
    >
      <Notice tone="danger">
        <strong>
          <Trans>A payment on the wrong network is lost.</Trans>
        </strong>{' '}
        <Trans>The seller can’t bring it back, and the exchange usually can't either.</Trans>
      </Notice>
      <Band title={<Trans>Networks</Trans>} className="mt-6 border-t-0!">
        <Loaded query={useCurrencies()} skeleton={<Skeleton className="h-64" />}>
          {(currencies) => <Networks currencies={currencies} />}
        </Loaded>
      </Band>
      <Advice />
      {settings?.exchangeVideoUrl ? <Video settings={settings} /> : null}
    </Page>
  )
}

function Networks({ currencies }: { currencies: readonly PublicCurrency[] }) {
  const { t } = useLingui()
  const codesOn = (network: ExchangeNetwork) =>
    currencies.filter((one) => !one.unavailable && network.takes(one)).map(({ code }) => code)
  const columns: Column<ExchangeNetwork>[] = [
    { label: t`Network`, className: 'font-semibold', cell: ({ name }) => name },
    { label: t`An address looks like`, className: 'figures', cell: ({ looksLike }) => looksLike },
    { label: t`Accepted for`, cell: (network) => codesOn(network).join(', ') || '—' },
    {
      label: t`This sale`,
      cell: (network) =>
        codesOn(network).length > 0 ? (
          <Status tone="success">
            <Trans>accepted now</Trans>
          </Status>
        ) : (
          <Status tone="danger">
            <Trans>not accepted</Trans>
          </Status>
        ),
    },
  ]
  return (
    <DataTable
      caption={t`Networks and whether this sale accepts them now`}
      columns={columns}
      rows={exchangeNetworks}
      keyOf={({ name }) => name}
    />
  )
}

function Advice() {
  return (
    <Band title={<Trans>Before you send</Trans>}>
      <ul className="measure list-disc space-y-2 pl-6">
        <li>
          <Trans>
            The exchange takes its fee off what you enter. The amount that arrives must be exactly that of the
            order.
          </Trans>
        </li>
        <li>
          <Trans>Copy the address, paste it, and compare the first and the last characters.</Trans>
        </li>
        <li>
          <Trans>
            An exchange may hold a withdrawal for a check. The rate of the order does not wait for it.
          </Trans>
        </li>
        <li>
          <Trans>For a first payment send a small order. It costs one more fee and one worry less.</Trans>
        </li>
        <li>
          <Trans>
            A refund can go back only to an address that is yours, not to an exchange's shared wallet.
          </Trans>
        </li>
      </ul>
      <p className="mt-4">
        <Link to={paths.howToBuy} className="underline underline-offset-4">
          <Trans>Back to how to buy</Trans>
        </Link>
      </p>
    </Band>
  )
}

/**
 * Sandbox of the player. It has its own origin, so it can't lift these limits; no forms, popups or
 * navigation.
 */
const playerMay = 'allow-scripts allow-same-origin allow-presentation'

/**
 * Loads nothing from another host before a click. A host on the seller's list plays here, another one opens
 * in a tab.
 */
function Video({ settings }: { settings: Pick<Settings, 'exchangeVideoUrl' | 'videoOrigins'> }) {
  const { t } = useLingui()
  const [isPlaying, play] = useReducer(() => true, false)
  const url = settings.exchangeVideoUrl ?? ''
  const host = new URL(url).host
  const playsHere = videoOriginOf(settings) !== undefined
  const elsewhere = { href: url, target: '_blank', rel: 'noreferrer' }
  return (
    <Band title={<Trans>Video</Trans>}>
      {isPlaying ? (
        <>
          <iframe
            src={url}
            title={t`Video: paying from an exchange`}
            className="aspect-video w-full max-w-3xl border border-line"
            sandbox={playerMay}
            allow="fullscreen"
            referrerPolicy="no-referrer"
          />
          <p className="mt-3 text-sm">
            <a {...elsewhere} className="underline underline-offset-4">
              <Trans>Open it at {host}</Trans>
            </a>
          </p>
        </>
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          {playsHere ? (
            <Button variant="secondary" onClick={play}>
              <Trans>Play the video</Trans>
            </Button>
          ) : (
            <a {...elsewhere} className={buttonLook({ variant: 'secondary' })}>
              <Trans>Play the video</Trans>
            </a>
          )}
          <p className="text-sm text-soft">
            {playsHere ? (
              <Trans>It comes from {host}, which then learns that you watch it.</Trans>
            ) : (
              <Trans>It opens at {host}, which then learns that you watch it.</Trans>
            )}
          </p>
        </div>
      )}
    </Band>
  )
}
