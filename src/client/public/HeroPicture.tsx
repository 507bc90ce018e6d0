import { useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { pictureColors } from '../../shared/brand.ts'
import type { PublicLocale } from '../../shared/languages.ts'
import { pickText } from '../../shared/languages.ts'
import { shoesPath, stemPath } from '../ito/figure.tsx'
import { dollars, percent, wholeDollars } from './figures.ts'

export interface HeroPictureInput {
  campaign: PublicCampaign
}

const columns = 25

export function HeroPicture({ campaign, locale }: HeroPictureInput & { locale: PublicLocale }) {
  const { t } = useLingui()
  const { settings, stage, priceUsd } = campaign
  // sRGB, because the renderer knows neither oklch nor custom properties.
  const colors = pictureColors(settings.brand)
  const { paper, ink, soft } = colors
  const headline = pickText(settings.tagline, locale).text.split(/(?<=[.!?…])\s+/)[0] ?? ''
  const awake = stage ? Math.floor(Math.min(100, Number(stage.progressPercent))) : 0
  const raised = stage ? dollars(stage.raisedUsd, locale) : null
  const onChain = stage ? dollars(stage.raisedOnChainUsd, locale) : null
  const byOperator = stage ? dollars(stage.raisedByOperatorUsd, locale) : null
  const goal = stage ? wholeDollars(stage.goalUsd, locale) : null
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
      <rect width="1200" height="630" fill={paper} />
      <text x="60" y="92" fontFamily="Picture Text" fontSize="30" fill={soft}>
        {settings.name}
        {campaign.demo ? ` · ${t`Demo. Nothing is for sale.`}` : ''}
      </text>
      <text
        x="58"
        y="196"
        fontFamily="Picture Display"
        fontSize={headline.length <= 26 ? 116 : 76}
        fill={ink}
      >
        {headline.length <= 44 ? headline : settings.name}
      </text>
      <text x="1140" y="92" textAnchor="end" fontFamily="Picture Mono" fontSize="26" fill={ink}>
        {priceUsd ? `1 ${settings.symbol} = ${dollars(priceUsd, locale, 'price')}` : t`Price unavailable`}
      </text>
      <g transform="translate(60 228) scale(0.83)">
        {Array.from({ length: 100 }, (_, index) => (
          <g
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            transform={`translate(${(index % columns) * 52 - 6} ${Math.floor(index / columns) * 92 + 4})`}
          >
            <Figure isAwake={index < awake} colors={colors} />
          </g>
        ))}
      </g>
      <text x="60" y="588" fontFamily="Picture Mono" fontSize="30" fill={ink}>
        {stage
          ? `${pickText(stage.name, locale).text}: ${percent(stage.progressPercent, locale)}`
          : t`No stage yet`}
      </text>
      {stage ? (
        <>
          <text x="1140" y="578" textAnchor="end" fontFamily="Picture Mono" fontSize="26" fill={soft}>
            {t`${raised} of ${goal}`}
          </text>
          <text x="1140" y="610" textAnchor="end" fontFamily="Picture Text" fontSize="20" fill={soft}>
            {t`${onChain} confirmed on chain, ${byOperator} approved by an operator`}
          </text>
        </>
      ) : null}
    </svg>
  )
}

function Figure({
  isAwake,
  colors: { ink, outline, accent, now },
}: {
  isAwake: boolean
  colors: ReturnType<typeof pictureColors>
}) {
  const line = {
    stroke: isAwake ? ink : outline,
    strokeWidth: 3,
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
  } as const
  return (
    <g transform="scale(0.88)">
      <path d={shoesPath} fill={isAwake ? ink : 'none'} {...line} />
      <path d={stemPath} fill={isAwake ? accent : 'none'} {...line} />
      <circle cx="32" cy="25" r="20" fill={isAwake ? now : 'none'} {...line} />
      {isAwake ? (
        <path d="M25.8 22.6v.1M38.2 22.6v.1M24 31.5c3 5 13 5 16 0" fill="none" {...line} strokeWidth="4" />
      ) : (
        <path d="M22 24c1.2 3 5.4 3 6.6 0M35.4 24c1.2 3 5.4 3 6.6 0" fill="none" {...line} />
      )}
    </g>
  )
}
