import { Trans } from '@lingui/react/macro'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../shared/api/currencies.ts'
import { compare, multiply } from '../../shared/money.ts'
import { Notice } from '../ui/states.tsx'

/** Shown while less than a tenth of the stage is left. */
export function LittleLeft({
  campaign: { stage, priceUsd, leftTokens },
  currency,
}: {
  campaign: PublicCampaign
  currency: PublicCurrency
}) {
  // An escrow payment reserves its room with the signature.
  if (!stage || !priceUsd || currency.inEscrow) return null
  if (compare(multiply(multiply(leftTokens, priceUsd), '10'), stage.goalUsd) >= 0) return null
  return (
    <div className="mt-4">
      <Notice>
        {currency.watched ? (
          <Trans>
            Little of this stage is left: your order takes its tokens once your whole payment is in a block.
            If too few are left by then, your money is owed back to you.
          </Trans>
        ) : (
          <Trans>
            Little of this stage is left: your order takes its tokens when an operator approves it. If too few
            are left by then, it can't be approved: the operator has to reject it, and your payment is owed
            back to you.
          </Trans>
        )}
      </Notice>
    </div>
  )
}
