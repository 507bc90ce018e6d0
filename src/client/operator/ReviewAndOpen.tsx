import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import type { operatorCampaign } from '../../shared/api/campaign-schemas.ts'
import { localPath, pickText } from '../../shared/languages.ts'
import { call } from '../area/call.ts'
import { useCountryName } from '../area/countries.ts'
import { DataTable } from '../area/DataTable.tsx'
import { LocalText } from '../area/LocalText.tsx'
import { Fact, Facts } from '../area/Page.tsx'
import { useChange } from '../area/use-change.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { DateTime, Money, Percent, TokenAmount } from '../ui/numbers.tsx'
import { toast } from '../ui/Toast.tsx'
import { DoctorPart } from './DoctorPart.tsx'
import { useNetworkName } from './payment-names.ts'
import { currenciesQuery, usePublicCampaign } from './queries.ts'
import { useRefusal } from './session.ts'
import { touched } from './touched.ts'

type Campaign = z.output<typeof operatorCampaign>

export function ReviewAndOpen({ campaign }: { campaign: Campaign }) {
  const { t } = useLingui()
  const refusal = useRefusal()('campaign:write')
  // The server rejects a revision that changed since this review.
  const [reviewed, setReviewed] = useState<Campaign>()
  const open = useChange({
    run: () =>
      call(operatorCampaignRoutes.pause, {
        body: { paused: false, previousPausedAt: reviewed?.pausedAt ?? null },
      }),
    touches: touched.campaign,
    done: () => {
      setReviewed(undefined)
      toast.success(t`The sale is open.`)
    },
  })
  return (
    <>
      <Button size="sm" disabledReason={refusal} onClick={() => setReviewed(campaign)}>
        <Trans>Review and open</Trans>
      </Button>
      {reviewed ? (
        <Dialog
          open
          onOpenChange={(isOpen) => !isOpen && setReviewed(undefined)}
          size="lg"
          dismissible={false}
          title={t`Review and open`}
          description={t`Read it as a buyer would. Everybody relies on it from the first order on.`}
          footer={
            <>
              <Button variant="secondary" onClick={() => setReviewed(undefined)}>
                <Trans>Not yet</Trans>
              </Button>
              <Button loading={open.isPending} onClick={() => open.mutate()}>
                <Trans>Open the sale</Trans>
              </Button>
            </>
          }
        >
          <DoctorPart />
          <Terms campaign={reviewed} />
          <Stages campaign={reviewed} />
          <Levels campaign={reviewed} />
          <Wallets />
          <Texts />
          <Part title={t`Fixed once an order is approved`}>
            <Trans>
              Caps and goals no longer rise, an end moves once, level bonuses only rise and thresholds only
              fall, and what happens if the soft cap is missed stays. The price may change, dated in public.
            </Trans>
          </Part>
        </Dialog>
      ) : null}
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    // Avoids a double hairline before the next part.
    <section className="border-t border-line py-4 first:border-t-0 first:pt-0 [&_tbody>tr:last-child]:border-b-0">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Terms({ campaign: { settings, priceUsd } }: { campaign: Campaign }) {
  const { t, i18n } = useLingui()
  const { symbol, seller, shares, delivery, buyers } = settings
  const shareOf = (key: string) => shares.find((share) => share.key === key)
  const [sold, bonus] = [shareOf(settings.soldShare), shareOf(settings.bonusShare)]
  const countryName = useCountryName()
  const refused = buyers.countriesRefused.map(countryName).join(', ')
  return (
    <Part title={`${settings.name} (${symbol})`}>
      <Facts>
        <Fact label={t`Seller`}>
          {[seller.name, seller.address, countryName(seller.country), seller.contact]
            .filter(Boolean)
            .join(' · ')}
        </Fact>
        <Fact label={t`Price of one token`}>
          <Money value={priceUsd} price />
        </Fact>
        <Fact label={t`Total supply`}>
          <TokenAmount value={settings.totalSupply} unit={symbol} />
        </Fact>
        <Fact label={t`Sold, and for bonuses and grants`}>
          <Percent value={sold?.percent} /> · <Percent value={bonus?.percent} />
        </Fact>
        <Fact label={t`Hard cap and soft cap`}>
          <Money value={settings.hardCapUsd} /> · <Money value={settings.softCapUsd} />
        </Fact>
        <Fact label={t`If the soft cap is missed`}>
          {settings.softCapPolicy === 'refund' ? t`Money is sent back` : t`No money is sent back`}
        </Fact>
        {settings.moneyBackDays > 0 ? (
          <Fact label={t`Days to take an order back`}>
            {settings.moneyBackDays}. <Trans>Keep the coins until these days are over.</Trans>
          </Fact>
        ) : null}
        <Fact label={t`Tokens in one order`}>
          <TokenAmount value={settings.orderMinimumTokens} /> –{' '}
          <TokenAmount value={settings.orderMaximumTokens} unit={symbol} />
        </Fact>
        <Fact label={t`Who may buy`}>
          {t`from the age of ${buyers.minimumAge}`}
          {refused ? ` · ${t`not from ${refused}`}` : null}
        </Fact>
        <Fact label={t`Delivery plan`}>
          {[
            delivery.network,
            delivery.tokenContract,
            delivery.date,
            pickText(delivery.vesting, i18n.locale).text,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Fact>
      </Facts>
    </Part>
  )
}

function Stages({ campaign: { stages } }: { campaign: Campaign }) {
  const { t } = useLingui()
  return (
    <Part title={t`Stages`}>
      <DataTable
        caption={t`Stages`}
        rows={stages}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t({ message: 'Name', context: 'of a stage' }),
            cell: ({ name }) => <LocalText text={name} />,
          },
          { label: t`Goal`, numeric: true, cell: ({ goalUsd }) => <Money value={goalUsd} /> },
          { label: t`Price`, numeric: true, cell: ({ priceUsd }) => <Money value={priceUsd} price /> },
          { label: t`Start`, cell: ({ startsAt }) => <DateTime value={startsAt} /> },
          {
            label: t({ message: 'End', context: 'moment' }),
            cell: ({ endsAt }) => <DateTime value={endsAt} />,
          },
        ]}
      />
    </Part>
  )
}

function Levels({ campaign: { settings } }: { campaign: Campaign }) {
  const { t } = useLingui()
  return (
    <Part title={t`Levels`}>
      <DataTable
        caption={t`Levels`}
        rows={settings.levels}
        keyOf={({ key }) => key}
        columns={[
          {
            label: t({ message: 'Name', context: 'of a level' }),
            cell: ({ name }) => <LocalText text={name} />,
          },
          {
            label: t`Tokens held from`,
            numeric: true,
            cell: ({ threshold }) => <TokenAmount value={threshold} unit={settings.symbol} />,
          },
          { label: t`Bonus`, numeric: true, cell: ({ bonusPercent }) => <Percent value={bonusPercent} /> },
        ]}
      />
    </Part>
  )
}

function Texts() {
  const { t, i18n } = useLingui()
  const versions = usePublicCampaign()?.legalVersions ?? { terms: 0, risks: 0, privacy: 0 }
  const texts = [
    { path: paths.terms, name: t`Terms`, version: versions.terms },
    { path: paths.risks, name: t`Risk notice`, version: versions.risks },
    { path: paths.privacy, name: t`Privacy policy`, version: versions.privacy },
  ]
  return (
    <Part title={t`Texts`}>
      <Facts>
        {texts.map(({ path, name, version }) => (
          <Fact key={path} label={name}>
            {version > 0 ? (
              <a
                href={localPath(i18n.locale, path)}
                target="_blank"
                rel="noreferrer"
                className="underline underline-offset-2"
              >
                <Trans>Version {version}</Trans>
              </a>
            ) : (
              t`not published`
            )}
          </Fact>
        ))}
      </Facts>
    </Part>
  )
}

/** Payments to a wrong wallet can't be recovered. */
function Wallets() {
  const { t } = useLingui()
  const networkName = useNetworkName()
  const currencies = (useQuery(currenciesQuery).data ?? []).filter(({ switchedOffAt }) => !switchedOffAt)
  return (
    <Part title={t`Where each currency is paid`}>
      <DataTable
        caption={t`Where each currency is paid`}
        rows={currencies}
        keyOf={({ code }) => code}
        columns={[
          { label: t`Currency`, cell: ({ code }) => code },
          { label: t`Network`, cell: ({ network }) => networkName(network) },
          {
            label: t`Address`,
            className: 'wrap-anywhere',
            cell: ({ address, watched }) =>
              watched ? (
                <Trans>one per order, watched</Trans>
              ) : (
                <span className="figures">{address || '—'}</span>
              ),
          },
        ]}
      />
    </Part>
  )
}
