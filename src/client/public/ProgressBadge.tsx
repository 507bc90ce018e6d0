import { useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { pictureColors } from '../../shared/brand.ts'
import type { PublicLocale } from '../../shared/languages.ts'
import { pickText } from '../../shared/languages.ts'
import { dollars, percent, wholeDollars } from './figures.ts'

const width = 360
const height = 112
const bar = { x: 16, y: 52, width: width - 32, height: 10 }

/** The image is for other sites. It uses system fonts, because an image loads none. */
export function ProgressBadge({ campaign, locale }: { campaign: PublicCampaign; locale: PublicLocale }) {
  const { t } = useLingui()
  const { settings, stage, demo, pausedAt } = campaign
  const colors = pictureColors(settings.brand)
  const raised = stage && dollars(stage.raisedUsd, locale)
  const goal = stage && wholeDollars(stage.goalUsd, locale)
  const state = stage
    ? `${pickText(stage.name, locale).text}: ${percent(stage.progressPercent, locale)}`
    : t`No stage yet`
  const sums = stage ? t`${raised} of ${goal}` : ''
  const onChain = stage && dollars(stage.raisedOnChainUsd, locale)
  const byOperator = stage && dollars(stage.raisedByOperatorUsd, locale)
  const parts = stage ? t`${onChain} confirmed on chain, ${byOperator} approved by an operator` : ''
  const mark = demo ? t`Demo. Nothing is for sale.` : pausedAt ? t`The sale is paused.` : ''
  const done = stage ? Math.min(100, Math.max(0, Number(stage.progressPercent))) / 100 : 0
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily="system-ui, sans-serif"
      fontSize="13"
      fill={colors.ink}
    >
      <title>{[settings.name, state, sums, parts, mark].filter(Boolean).join('. ')}</title>
      <rect
        x="0.5"
        y="0.5"
        width={width - 1}
        height={height - 1}
        rx="6"
        fill={colors.paper}
        stroke={colors.outline}
      />
      <text x="16" y="24" fontWeight="700" {...fitted(settings.name, 30, 200)}>
        {settings.name}
      </text>
      <text
        x={width - 16}
        y="24"
        textAnchor="end"
        fill={colors.soft}
        fontSize="11"
        {...fitted(mark, 26, 140)}
      >
        {mark}
      </text>
      <text x="16" y="43" {...fitted(state, 48, width - 32)}>
        {state}
      </text>
      <rect {...bar} rx="2" fill="#ffffff" stroke={colors.outline} />
      <rect {...bar} width={bar.width * done} rx="2" fill={colors.accent} />
      <text x="16" y="82" fill={colors.soft} {...fitted(sums, 46, width - 32)}>
        {sums}
      </text>
      <text x="16" y="99" fill={colors.soft} fontSize="11" {...fitted(parts, 54, width - 32)}>
        {parts}
      </text>
    </svg>
  )
}

/** Long text is condensed, never cut. */
const fitted = (text: string, letters: number, length: number) =>
  text.length > letters ? ({ textLength: length, lengthAdjust: 'spacingAndGlyphs' } as const) : {}
