import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { pickText } from '../../../shared/languages.ts'
import { amountBar, levelIndexHeld, levelIndexReached } from '../../../shared/levels.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { Ito } from '../../ito/Ito.tsx'
import { TokenAmount } from '../../ui/numbers.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { TypedAmount } from './typed-amount.ts'

interface LevelReachedProps {
  settings: PublicCampaign['settings']
  typed: Pick<TypedAmount, 'tokens'>
}

/** The level that this purchase alone reaches, and the next one. */
export function LevelReached({ settings, typed }: LevelReachedProps) {
  const { t, i18n } = useLingui()
  const { levels, orderMaximumTokens } = settings
  const { tokens } = typed
  const reached = levelIndexReached(levels, tokens)
  const held = levels[reached]
  return (
    <div className="mt-3 flex items-end gap-3 lg:mt-4">
      <Ito
        decorative
        state={reached < 0 ? 'asleep' : 'awake'}
        rank={reached < 0 ? undefined : levelIndexHeld(levels, tokens)}
        levelCount={levels.length}
        className="h-12 w-10 shrink-0 lg:h-16 lg:w-14"
      />
      <div className="min-w-0 flex-1">
        <ProgressBar
          tone="now"
          percent={amountBar(levels, tokens, orderMaximumTokens)}
          label={t`Level reached`}
          valueText={held ? pickText(held.name, i18n.locale).text : t`below the first level`}
          marks={levels
            .slice(1)
            .map((_, index) => (index + 1) * 20)
            .filter((mark) => mark < 100)}
        />
        <p className="mt-1.5 text-sm text-soft" aria-live="polite">
          <WhatIsNext settings={settings} typed={typed} />
        </p>
      </div>
    </div>
  )
}

function WhatIsNext({ settings: { levels, symbol }, typed: { tokens } }: LevelReachedProps) {
  const reached = levelIndexReached(levels, tokens)
  const next = levels[reached + 1]
  const levelName = <LocalText text={levels[reached]?.name ?? ''} />
  const nextName = <LocalText text={next?.name ?? ''} />
  if (!next)
    return (
      <Trans>
        This amount alone reaches <strong className="text-ink">{levelName}</strong>, the highest level
      </Trans>
    )
  if (reached < 0)
    return (
      <Trans>
        {nextName} begins at <TokenAmount value={next.threshold} unit={symbol} />
      </Trans>
    )
  return (
    <Trans>
      This amount alone reaches <strong className="text-ink">{levelName}</strong>; {nextName} from{' '}
      <TokenAmount value={next.threshold} unit={symbol} />
    </Trans>
  )
}
