import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import type { PublicCurrency } from '../../../shared/api/currencies.ts'
import {
  compare,
  cryptoFromTokens,
  isAmount,
  isPositive,
  tokensFromCrypto,
  trimZeros,
  usdFromTokens,
} from '../../../shared/money.ts'

export type TypedAmount = ReturnType<typeof useTypedAmount>

type Unit = 'token' | 'crypto' | 'usd'

/** The amount that is typed, in tokens, in the coin or in dollars, and whether the amount is within the limits of an order. */
export function useTypedAmount({ settings, leftTokens, priceUsd }: PublicCampaign, { rate }: PublicCurrency) {
  const { orderDefaultTokens, orderMinimumTokens, orderMaximumTokens } = settings
  const [search] = useSearchParams()
  const [unit, setUnit] = useState<Unit>(search.get('unit') === 'crypto' ? 'crypto' : 'token')
  const [amount, setAmount] = useState(search.get('amount') ?? trimZeros(orderDefaultTokens))
  const isValid = isAmount(amount) && isPositive(amount)
  const price = priceUsd ?? '1'
  const tokensOf = {
    token: () => amount,
    crypto: () => tokensFromCrypto(amount, rate),
    usd: () => cryptoFromTokens(amount, price),
  }
  const tokens = isValid ? tokensOf[unit]() : '0'
  const valueIn = {
    token: () => tokens,
    crypto: () => cryptoFromTokens(tokens, rate),
    usd: () => usdFromTokens(tokens, price),
  }
  const goOnIn = (next: Unit) => {
    if (isValid) setAmount(trimZeros(valueIn[next]()))
    setUnit(next)
  }
  // The last order of a stage may be exactly what is left, when that is below the minimum.
  const isLast = isPositive(leftTokens) && compare(leftTokens, orderMinimumTokens) < 0
  const minimum = isLast ? leftTokens : orderMinimumTokens
  const isTooMuch = isValid && compare(tokens, orderMaximumTokens) > 0
  const isTooLittle = isValid && compare(tokens, minimum) < 0
  return {
    amount,
    setAmount,
    unit,
    /** What the server is asked: it knows no dollars. */
    asked: unit === 'usd' ? { amount: isValid ? tokens : amount, unit: 'token' as const } : { amount, unit },
    /** What the amount is in tokens, by the rate that the page knows. */
    tokens,
    minimum,
    /** Whether an order may hold so many tokens. */
    fits: (wanted: string) => compare(wanted, minimum) >= 0 && compare(wanted, orderMaximumTokens) <= 0,
    /** Takes a ready amount of tokens. */
    takeTokens: (wanted: string) => {
      setUnit('token')
      setAmount(trimZeros(wanted))
    },
    isTooLittle,
    isTooMuch,
    isWithinLimits: isValid && !isTooMuch && !isTooLittle,
    /** Goes on in the other unit, with what the amount comes to there. */
    swap: () => goOnIn(unit === 'token' ? 'crypto' : 'token'),
    typeDollars: () => goOnIn('usd'),
  }
}
