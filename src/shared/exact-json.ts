/** Keeps each number as its original text, exponents expanded. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, ((_key: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' ? plainDigits(context.source ?? String(value)) : value) as Parameters<
    typeof JSON.parse
  >[1])
}

function plainDigits(source: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(source)
  if (!match) return source
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const point = whole.length + Number.parseInt(exponent, 10)
  const digits = whole + fraction
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const rest = padded.slice(at)
  return `${sign}${padded.slice(0, at)}${rest ? `.${rest}` : ''}`
}
