import type { ComponentProps } from 'react'
import { Input } from './Field.tsx'

/** Keeps digits and one decimal point; a comma becomes a point; anything else is ignored. */
export function decimalTyping(typed: string): string {
  const points = typed.replaceAll(',', '.').replace(/[^\d.]/g, '')
  const [whole = '', ...rest] = points.split('.')
  return rest.length > 0 ? `${whole}.${rest.join('')}` : whole
}

/** A text input for exact decimals: the value stays a string, never a float. */
export function DecimalInput({
  value,
  onValueChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: string
  onValueChange: (value: string) => void
}) {
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={value}
      onChange={(event) => onValueChange(decimalTyping(event.target.value))}
    />
  )
}
