import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { pickText } from '../../../shared/languages.ts'
import { compare, percentOf } from '../../../shared/money.ts'
import { ShareBar, shareFill } from '../../charts/ShareBar.tsx'
import { amount, percent } from '../figures.ts'
import { OperatorText, Section, Sourced, useCampaign, usePage } from '../frame.tsx'

type Share = PublicCampaign['settings']['shares'][number]

/** The server guarantees that the shares make 100 %. */
export function Distribution() {
  const { t } = useLingui()
  const { locale } = usePage()
  const { settings } = useCampaign()
  const shares = settings.shares
    .map((share) => ({ ...share, label: pickText(share.name, locale).text }))
    .toSorted((a, b) => compare(b.percent, a.percent))
  const listed = shares.map((share) => `${share.label} ${percent(share.percent, locale)}`).join(', ')
  return (
    <Section
      id="tokenomic"
      title={<Trans>Token Distribution</Trans>}
      lead={
        <Trans>
          Each group’s share of the{' '}
          <Sourced name="settings.totalSupply">{amount(settings.totalSupply, locale)}</Sourced> tokens. The
          shares add up to exactly 100%; the server takes nothing else.
        </Trans>
      }
      band
    >
      <div data-figure="settings.shares">
        <ShareBar
          shares={shares.map((share) => ({ name: share.label, percent: share.percent }))}
          title={t`Token Distribution`}
          desc={listed}
          height={120}
          labelOf={(value) => percent(value, locale)}
        />
      </div>
      <table className="mt-6 w-full text-start">
        <caption className="sr-only">
          <Trans>Token Distribution</Trans>
        </caption>
        <thead className="text-sm text-soft">
          <tr className="[&>th]:pb-2 [&>th]:font-normal">
            <th scope="col">
              <Trans>Share</Trans>
            </th>
            <th scope="col" className="text-end whitespace-nowrap">
              <Trans>Of the supply</Trans>
            </th>
            <th scope="col" className="hidden text-end sm:table-cell">
              {settings.symbol}
            </th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share, index) => (
            <ShareRow key={share.key} share={share} index={index} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function ShareRow({ share, index }: { share: Share; index: number }) {
  const { locale } = usePage()
  const { settings } = useCampaign()
  return (
    <tr className="border-t border-line-strong/40 [&>*]:py-3">
      <th scope="row" className="font-medium">
        <span
          aria-hidden="true"
          className="me-3 inline-block size-3.5 border border-ink"
          style={{ background: shareFill(index) }}
        />
        <OperatorText text={share.name} />
        <ShareNote shareKey={share.key} />
      </th>
      <td className="display text-end text-3xl">
        <Sourced name="settings.shares">{percent(share.percent, locale)}</Sourced>
      </td>
      <td className="figures hidden text-end sm:table-cell">
        <Sourced name="settings.shares">
          {amount(percentOf(settings.totalSupply, share.percent), locale)}
        </Sourced>
      </td>
    </tr>
  )
}

function ShareNote({ shareKey }: { shareKey: string }) {
  const { settings } = useCampaign()
  const note =
    shareKey === settings.soldShare ? (
      <Trans>what this sale sells, and no token more</Trans>
    ) : shareKey === settings.bonusShare ? (
      <Trans>pays every bonus and grant</Trans>
    ) : null
  return note ? (
    <span className="block text-sm font-normal ms-6.5 text-soft sm:ms-6 sm:inline">{note}</span>
  ) : null
}
