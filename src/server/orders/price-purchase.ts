import type { z } from 'zod'
import type { PurchaseAmounts } from '../../shared/api/orders.ts'
import type { purchaseInput } from '../../shared/api/orders-schemas.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { bonusFor } from '../../shared/levels.ts'
import {
  add,
  compare,
  cryptoFromTokens,
  isZero,
  smaller,
  tokensFromCrypto,
  usdFromTokens,
  writeAmount,
} from '../../shared/money.ts'
import { refuse } from '../refusal.ts'

/** Read in one statement. */
export interface PurchaseBasis {
  readonly settings: CampaignSettings
  readonly priceUsd: string
  readonly currency: { readonly code: string; readonly rate: string }
  /** Without orders that may be taken back; 0 for a visitor. */
  readonly balance: string
  /** Tokens for the USD left of the stage's goal and the hard cap. */
  readonly leftByCaps: string
  /** Tokens left of the sold share and of the bonus share. */
  readonly leftForSale: string
  readonly leftForBonuses: string
}

// Rules: NUM-4, ORDER-2, ORDER-3, ORDER-4, BONUS-2
/**
 * Errors, in order: amount_below_minimum, amount_above_maximum, cap_reached, supply_reached. If less than the
 * minimum is left, an order may take exactly that.
 */
export function pricePurchase(basis: PurchaseBasis, input: z.output<typeof purchaseInput>): PurchaseAmounts {
  const { settings, currency } = basis
  const typed = writeAmount(input.amount)
  const baseTokens = input.unit === 'token' ? typed : tokensFromCrypto(typed, currency.rate)
  const cryptoAmount = input.unit === 'crypto' ? typed : cryptoFromTokens(typed, currency.rate)
  const { orderMinimumTokens: minimum, orderMaximumTokens: maximum } = settings

  const left = smaller(basis.leftByCaps, basis.leftForSale)
  const isRest = compare(left, minimum) < 0 && compare(baseTokens, left) === 0 && !isZero(baseTokens)
  if (!isRest && compare(baseTokens, minimum) < 0) refuse('amount_below_minimum', { minimum, left })
  if (compare(baseTokens, maximum) > 0) refuse('amount_above_maximum', { maximum })
  if (compare(baseTokens, basis.leftByCaps) > 0) refuse('cap_reached', { left })
  if (compare(baseTokens, basis.leftForSale) > 0) refuse('supply_reached', { left })
  if (isZero(cryptoAmount)) refuse('amount_below_minimum', { minimum })

  const bonus = bonusFor(settings.levels, basis.balance, baseTokens)
  if (compare(bonus.bonusTokens, basis.leftForBonuses) > 0)
    refuse('supply_reached', { leftForBonuses: basis.leftForBonuses })
  return {
    currency: currency.code,
    baseTokens,
    bonusTokens: bonus.bonusTokens,
    bonusPercent: bonus.percent,
    levelKey: settings.levels[bonus.levelIndex]?.key ?? '',
    receiveTokens: writeAmount(add(baseTokens, bonus.bonusTokens)),
    cryptoAmount,
    usd: usdFromTokens(baseTokens, basis.priceUsd),
    priceUsd: basis.priceUsd,
    rate: currency.rate,
  }
}
