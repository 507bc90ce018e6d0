import type { ComponentProps } from 'react'
import { decimalTyping } from '../ui/DecimalInput.tsx'
import { TextField } from './TextField.tsx'

/** A field of a form that takes an exact decimal: the value stays a string, never a float. */
export function DecimalField<Values extends object>(
  field: Omit<ComponentProps<typeof TextField<Values>>, 'typing'>,
) {
  return (
    <TextField
      className="figures"
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      {...field}
      typing={decimalTyping}
    />
  )
}
