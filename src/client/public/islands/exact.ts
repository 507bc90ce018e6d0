/*
 * Decimals of the islands are millionths as bigint, so that no sum uses floats. The server uses
 * src/shared/money.ts.
 */
const decimals = 6

/** Null if it is invalid. */
export function millionths(text: string): bigint | null {
  const match = /^(-?)(\d{1,30})(?:\.(\d{0,6})0*)?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '0', fraction = ''] = match
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return sign ? -value : value
}

export function plain(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return sign + digits.slice(0, -decimals) + (fraction ? `.${fraction}` : '')
}
