import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useDebounced } from '../ui/clock.ts'
import { Field, Input } from '../ui/Field.tsx'
import { useSearchKey } from './keyboard.ts'

/** A search that starts when the typing rests; Ctrl/Cmd+K goes to it. */
export function SearchField({
  value,
  onChange,
  placeholder,
}: {
  value: string
  onChange: (value: string) => void
  placeholder: string
}) {
  const { t } = useLingui()
  const field = useSearchKey()
  const [typed, setTyped] = useState(value)
  const settled = useDebounced(typed, 300)
  useEffect(() => {
    if (settled !== value) onChange(settled)
    // Only typing starts a search; what else changes the address is taken up below.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  useEffect(() => setTyped(value), [value])
  return (
    <Field label={t`Search`} className="w-full sm:w-80">
      <Input
        ref={field}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={placeholder}
      />
    </Field>
  )
}
