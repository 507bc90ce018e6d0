/*
 * Exact decimals for the islands: amounts as whole millionths in a bigint, so that sums and comparisons never pass
 * through a float. The server's arithmetic stays in src/shared/money.ts.
 */
const decimals = 6

/** Millionths of a plain decimal string; null where it is not one. */
export function millionths(text: string): bigint | null {
  const match = /^(-?)(\d{1,30})(?:\.(\d{0,6})0*)?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '0', fraction = ''] = match
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign ? -value : value
}

/** The plain decimal string of millionths, zeros trimmed. */
export function plain(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return sign + digits.slice(0, -decimals) + (fraction ? `.${fraction}` : '')
}
