import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { shareOf } from '../../../shared/campaign-settings.ts'
import { amount, dollars, longDate, moment, wholeDollars } from '../figures.ts'
import { NotYet, OperatorText, Section, useCampaign, usePage } from '../frame.tsx'

export function TokenDetails() {
  const { settings } = useCampaign()
  return (
    <Section
      id="tokendetails"
      title={<Trans>Token Details</Trans>}
      lead={
        <Trans>
          What {settings.symbol} is, what it costs and when it reaches you. Each line is a setting of the
          sale.
        </Trans>
      }
      band
    >
      <div className="grid gap-x-16 lg:grid-cols-2">
        <Token />
        <Delivery />
      </div>
      <Stages />
    </Section>
  )
}

function Row({ name, children, note }: { name: ReactNode; children?: ReactNode; note?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 border-t border-line-strong/40 py-3.5">
      <dt className="text-soft">{name}</dt>
      {children === undefined ? null : (
        <dd className="min-w-0 text-right font-medium break-words">{children}</dd>
      )}
      {note ? <dd className="basis-full text-sm text-soft">{note}</dd> : null}
    </div>
  )
}

const Figure = ({ children }: { children: ReactNode }) => <span className="figures">{children}</span>

function Token() {
  const { locale } = usePage()
  const { settings, priceUsd } = useCampaign()
  const sold = shareOf(settings, settings.soldShare)
  const softCapTexts = {
    none: <Trans>If it is missed, nothing is refunded on that account.</Trans>,
    refund: <Trans>If it is missed, approved payments are owed back to their buyers.</Trans>,
  }
  return (
    <dl>
      <Row name={<Trans>Total supply</Trans>}>
        <Figure>
          {amount(settings.totalSupply, locale)} {settings.symbol}
        </Figure>
      </Row>
      <Row name={<Trans>For sale</Trans>}>
        <Figure>
          {amount(sold, locale)} {settings.symbol}
        </Figure>
      </Row>
      <Row name={<Trans>Price</Trans>}>
        {priceUsd ? <Figure>{dollars(priceUsd, locale, 'price')}</Figure> : <Trans>Price unavailable</Trans>}
      </Row>
      <Row name={<Trans>Hard cap</Trans>} note={<Trans>Orders above it are refused.</Trans>}>
        <Figure>{wholeDollars(settings.hardCapUsd, locale)}</Figure>
      </Row>
      <Row name={<Trans>Soft cap</Trans>} note={softCapTexts[settings.softCapPolicy]}>
        <Figure>{wholeDollars(settings.softCapUsd, locale)}</Figure>
      </Row>
      <Row name={<Trans>One order</Trans>}>
        <Figure>
          {amount(settings.orderMinimumTokens, locale)}–{amount(settings.orderMaximumTokens, locale)}{' '}
          {settings.symbol}
        </Figure>
      </Row>
    </dl>
  )
}

function Delivery() {
  const { locale } = usePage()
  const { settings } = useCampaign()
  const { delivery, listingDate } = settings
  const hasVesting = Boolean(delivery.vesting.en.trim() || delivery.vesting.ru.trim())
  return (
    <dl className="max-lg:border-b max-lg:border-line-strong/40">
      <Row name={<Trans>Network</Trans>}>{delivery.network || <NotYet />}</Row>
      <Row name={<Trans>Token contract</Trans>}>
        {delivery.tokenContract ? (
          <span className="figures break-all">{delivery.tokenContract}</span>
        ) : (
          <Trans>not deployed yet</Trans>
        )}
      </Row>
      <Row name={<Trans>Delivery date</Trans>}>
        {delivery.date ? longDate(delivery.date, locale) : <NotYet />}
      </Row>
      {hasVesting ? (
        <Row name={<Trans>Vesting</Trans>} note={<OperatorText text={delivery.vesting} />} />
      ) : (
        <Row name={<Trans>Vesting</Trans>}>
          <NotYet />
        </Row>
      )}
      <Row name={<Trans>Listing date</Trans>}>{listingDate ? longDate(listingDate, locale) : <NotYet />}</Row>
      <Row name={<Trans>Who may buy</Trans>}>
        <WhoMayBuy />
      </Row>
    </dl>
  )
}

function WhoMayBuy() {
  const { t } = useLingui()
  const { locale } = usePage()
  const { settings } = useCampaign()
  const { minimumAge, countriesRefused } = settings.buyers
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })
  const refused = countriesRefused.map((code) => countries.of(code) ?? code).join(', ')
  return (
    <>
      {minimumAge > 0 ? t`From ${minimumAge} years of age` : t`Any age`}
      {refused ? (
        <span className="block text-sm font-normal text-soft">{t`not from: ${refused}`}</span>
      ) : null}
    </>
  )
}

/** Every stage with its figures; only one where there is only one. */
function Stages() {
  const { t } = useLingui()
  const { locale } = usePage()
  const { stages, stage: current } = useCampaign()
  if (stages.length === 0)
    return (
      <p className="mt-10 text-soft">
        <Trans>No stage is announced yet.</Trans>
      </p>
    )
  return (
    <div className="relative mt-10 overflow-x-auto" role="region" aria-label={t`Stages`} tabIndex={0}>
      <table className="w-full min-w-2xl text-left">
        <caption className="pb-3 text-left font-semibold">
          <Trans>Stages</Trans>
        </caption>
        <thead className="text-sm text-soft">
          <tr className="[&>th]:pb-2 [&>th]:font-normal">
            <th scope="col">
              <Trans>Stage</Trans>
            </th>
            <th scope="col">
              <Trans>From</Trans>
            </th>
            <th scope="col">
              <Trans>To</Trans>
            </th>
            <th scope="col" className="text-right">
              <Trans>Price</Trans>
            </th>
            <th scope="col" className="text-right">
              <Trans>Raised</Trans>
            </th>
            <th scope="col" className="text-right">
              <Trans>Goal</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage) => (
            <tr key={stage.id} className="border-y border-line-strong/40 [&>*]:py-3.5">
              <th scope="row" className="pr-6 font-semibold whitespace-nowrap">
                {stage.name}
                {stage.id === current?.id && stages.length > 1 ? (
                  <span className="ml-2 rounded-sm bg-now px-1.5 text-sm text-on-now">
                    <Trans>now</Trans>
                  </span>
                ) : null}
              </th>
              <td>{moment(stage.startsAt, locale)}</td>
              <td>{moment(stage.endsAt, locale)}</td>
              <td className="figures text-right">{dollars(stage.priceUsd, locale, 'price')}</td>
              <td className="figures text-right">{dollars(stage.raisedUsd, locale)}</td>
              <td className="figures text-right">{wholeDollars(stage.goalUsd, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
