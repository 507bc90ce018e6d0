import type { ComponentProps } from 'react'
import { Input } from '../ui/Field.tsx'

/** A moment (ISO 8601, or empty) typed in a zone of `offset` minutes. */
export function MomentInput({
  value,
  offset,
  onValueChange,
  ...props
}: {
  value: string
  offset: number
  onValueChange: (iso: string) => void
} & Omit<ComponentProps<typeof Input>, 'value' | 'type' | 'onChange' | 'onValueChange'>) {
  return (
    <Input
      {...props}
      type="datetime-local"
      value={localOf(value, offset)}
      onChange={(event) => onValueChange(isoOf(event.target.value, offset))}
    />
  )
}

/** `2026-08-05T20:00`, as the browser's control has it. */
const localOf = (iso: string, offset: number) =>
  iso ? new Date(Date.parse(iso) + offset * 60_000).toISOString().slice(0, 16) : ''

const isoOf = (local: string, offset: number) => {
  const at = Date.parse(`${local}Z`)
  return Number.isNaN(at) ? '' : new Date(at - offset * 60_000).toISOString()
}
