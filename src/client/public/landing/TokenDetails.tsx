import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PublicCampaign, PublicStage } from '../../../shared/api/campaign.ts'
import { shareOf } from '../../../shared/campaign-settings.ts'
import { DeliveryDates, vestingOf } from '../../ui/DeliveryDates.tsx'
import { SoftCapWait } from '../../ui/SoftCapWait.tsx'
import { amount, dollars, longDate, moment, wholeDollars } from '../figures.ts'
import { NotYet, OperatorText, Section, Sourced, useCampaign, usePage, useWritten } from '../frame.tsx'
import { RaisedParts } from './RaisedParts.tsx'

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
      <Totals />
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
        <dd className="min-w-0 text-end font-medium break-words">{children}</dd>
      )}
      {note ? <dd className="basis-full text-sm text-soft">{note}</dd> : null}
    </div>
  )
}

const Figure = ({ children }: { children: ReactNode }) => <span className="figures">{children}</span>

function Totals() {
  const { locale } = usePage()
  const { settings, priceUsd } = useCampaign()
  const totals = [
    {
      name: <Trans>Total supply</Trans>,
      figure: <Sourced name="settings.totalSupply">{amount(settings.totalSupply, locale)}</Sourced>,
    },
    {
      name: <Trans>For sale</Trans>,
      figure: (
        <Sourced name="settings.shares">{amount(shareOf(settings, settings.soldShare), locale)}</Sourced>
      ),
    },
    {
      name: <Trans>Price</Trans>,
      figure: priceUsd ? (
        <Sourced name="priceUsd">{dollars(priceUsd, locale, 'price')}</Sourced>
      ) : (
        <Trans>Price unavailable</Trans>
      ),
    },
  ]
  return (
    <dl className="mb-8 grid gap-x-16 border-t-2 border-ink sm:grid-cols-[auto_auto_1fr] lg:mb-12">
      {totals.map(({ name, figure }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="border-line-strong/40 pt-4 max-sm:border-b max-sm:pb-3">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="display mt-1 text-[clamp(2.5rem,1.5rem+3.2vw,4.5rem)] break-words">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

function SoftCapDecided({ verdict: found }: { verdict: NonNullable<PublicCampaign['softCapVerdict']> }) {
  const { locale } = usePage()
  if (found.verdict === 'reached')
    return (
      <Trans>
        Reached: decided on {moment(found.at, locale)}. It stays reached, whatever is taken back later.
      </Trans>
    )
  return (
    <Trans>
      Missed: the sale ended with <Sourced name="raised.usd">{dollars(found.raisedUsd, locale)}</Sourced>,{' '}
      <Sourced name="raised.onChainUsd">{dollars(found.raisedOnChainUsd, locale)}</Sourced> confirmed on chain
      and <Sourced name="raised.byOperatorUsd">{dollars(found.raisedByOperatorUsd, locale)}</Sourced> approved
      by an operator. Since {moment(found.at, locale)} every approved payment is owed back to its buyer.
    </Trans>
  )
}

function SoftCapNote() {
  const { locale } = usePage()
  const { settings, softCapVerdict, softCapWaitsFor } = useCampaign()
  if (softCapVerdict) return <SoftCapDecided verdict={softCapVerdict} />
  if (softCapWaitsFor) return <SoftCapWait waitsFor={softCapWaitsFor} moment={(iso) => moment(iso, locale)} />
  if (settings.softCapPolicy === 'none')
    return <Trans>If it is missed, nothing is refunded for that reason.</Trans>
  return (
    <Trans>
      Decided once, in the week after the last stage. If it is missed, all payments are owed back to their
      buyers.
    </Trans>
  )
}

function Token() {
  const { locale } = usePage()
  const { settings } = useCampaign()
  return (
    <dl>
      <Row name={<Trans>Hard cap</Trans>} note={<Trans>Orders above it are refused.</Trans>}>
        <Figure>
          <Sourced name="settings.hardCapUsd">{wholeDollars(settings.hardCapUsd, locale)}</Sourced>
        </Figure>
      </Row>
      <Row name={<Trans>Soft cap</Trans>} note={<SoftCapNote />}>
        <Figure>
          <Sourced name="settings.softCapUsd">{wholeDollars(settings.softCapUsd, locale)}</Sourced>
        </Figure>
      </Row>
      <Row name={<Trans>One order</Trans>}>
        <Figure>
          <Sourced name="settings.orderMinimumTokens">{amount(settings.orderMinimumTokens, locale)}</Sourced>–
          <Sourced name="settings.orderMaximumTokens">{amount(settings.orderMaximumTokens, locale)}</Sourced>{' '}
          {settings.symbol}
        </Figure>
      </Row>
      <Row name={<Trans>Who may buy</Trans>}>
        <WhoMayBuy />
      </Row>
    </dl>
  )
}

function Delivery() {
  const { locale } = usePage()
  const campaign = useCampaign()
  const written = useWritten()
  const { delivery, listingDate } = campaign.settings
  const vesting = vestingOf(campaign, written.text)
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
        <DeliveryDates campaign={campaign} written={written} />
      </Row>
      {vesting ? <Row name={<Trans>Vesting</Trans>} note={vesting} /> : null}
      <Row name={<Trans>Listing date</Trans>}>{listingDate ? longDate(listingDate, locale) : <NotYet />}</Row>
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

interface StageColumn {
  readonly name: string
  readonly isNumber?: boolean
  cell(stage: PublicStage): ReactNode
}

function useStageColumns(): StageColumn[] {
  const { t } = useLingui()
  const { locale } = usePage()
  const { stages, stage: current } = useCampaign()
  const isNow = (stage: PublicStage) => stage.id === current?.id && stages.length > 1
  return [
    {
      name: t`Stage`,
      cell: (stage) => (
        <>
          <OperatorText text={stage.name} />
          {isNow(stage) ? ` · ${t`now`}` : null}
        </>
      ),
    },
    { name: t`From`, cell: (stage) => moment(stage.startsAt, locale) },
    { name: t`To`, cell: (stage) => moment(stage.endsAt, locale) },
    {
      name: t`Price`,
      isNumber: true,
      cell: (stage) => (
        <Sourced name={`stages.${stage.id}.priceUsd`}>{dollars(stage.priceUsd, locale, 'price')}</Sourced>
      ),
    },
    {
      name: t`Raised`,
      isNumber: true,
      cell: (stage) => (
        <div>
          <Sourced name={`stages.${stage.id}.raisedUsd`}>{dollars(stage.raisedUsd, locale)}</Sourced>
          <span className="ms-auto mt-2 block text-xs text-soft md:max-w-56">
            <RaisedParts stage={stage} />
          </span>
        </div>
      ),
    },
    {
      name: t`Goal`,
      isNumber: true,
      cell: (stage) => (
        <Sourced name={`stages.${stage.id}.goalUsd`}>{wholeDollars(stage.goalUsd, locale)}</Sourced>
      ),
    },
  ]
}

function Stages() {
  const { stages } = useCampaign()
  const columns = useStageColumns()
  if (stages.length === 0)
    return (
      <p className="mt-10 text-soft">
        <Trans>No stage is announced yet.</Trans>
      </p>
    )
  return (
    <div className="mt-10">
      <table role="table" className="w-full text-start">
        <caption className="pb-3 text-start font-semibold">
          <Trans>Stages</Trans>
        </caption>
        {/* Narrow windows show one block per stage. The roles are explicit, because `display` drops them. */}
        <thead role="rowgroup" className="text-sm text-soft max-md:sr-only">
          <tr role="row" className="[&>th]:pb-2 [&>th]:font-normal">
            {columns.map((column, index) => (
              <th
                key={column.name}
                role="columnheader"
                scope="col"
                className={`${column.isNumber ? 'text-end' : ''} ${index < columns.length - 1 ? 'md:pe-6' : ''}`}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {stages.map((stage) => (
            <tr
              key={stage.id}
              role="row"
              className="border-y border-line-strong/40 max-md:block max-md:py-2 md:[&>*]:py-3.5"
            >
              {columns.map((column, index) => {
                const Cell = index === 0 ? 'th' : 'td'
                return (
                  <Cell
                    key={column.name}
                    role={index === 0 ? 'rowheader' : 'cell'}
                    scope={index === 0 ? 'row' : undefined}
                    data-name={column.name}
                    className={`max-md:flex max-md:justify-between max-md:gap-4 max-md:py-1 max-md:before:font-text max-md:before:text-base max-md:before:font-normal max-md:before:tracking-normal max-md:before:text-soft max-md:before:content-[attr(data-name)] ${column.isNumber ? 'figures text-end' : index === 0 ? 'font-semibold' : ''} ${index < columns.length - 1 ? 'md:pe-6' : ''}`}
                  >
                    {column.cell(stage)}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
