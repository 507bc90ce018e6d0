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

/** Whether an order may have the typed amount, in tokens, coin or dollars. */
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
  // The last order of a stage may buy exactly the rest, even below the minimum.
  const isLast = isPositive(leftTokens) && compare(leftTokens, orderMinimumTokens) < 0
  const minimum = isLast ? leftTokens : orderMinimumTokens
  const isTooMuch = isValid && compare(tokens, orderMaximumTokens) > 0
  const isTooLittle = isValid && compare(tokens, minimum) < 0
  return {
    amount,
    setAmount,
    unit,
    /** The question to the server, which accepts no dollars. */
    asked: unit === 'usd' ? { amount: isValid ? tokens : amount, unit: 'token' as const } : { amount, unit },
    /** The amount in tokens at the page's rate. */
    tokens,
    minimum,
    fits: (wanted: string) => compare(wanted, minimum) >= 0 && compare(wanted, orderMaximumTokens) <= 0,
    /** Sets a suggested number of tokens. */
    takeTokens: (wanted: string) => {
      setUnit('token')
      setAmount(trimZeros(wanted))
    },
    isTooLittle,
    isTooMuch,
    isWithinLimits: isValid && !isTooMuch && !isTooLittle,
    swap: () => goOnIn(unit === 'token' ? 'crypto' : 'token'),
    typeDollars: () => goOnIn('usd'),
  }
}
