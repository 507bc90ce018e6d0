import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useDebounced } from '../ui/clock.ts'
import { Field, Input } from '../ui/Field.tsx'
import { useSearchKey } from './keyboard.ts'
import { useUrlState } from './url-state.ts'

/** The text is kept in the URL after a pause in typing; `/` focuses the field. */
export function SearchField({ placeholder }: { placeholder: string }) {
  const { t } = useLingui()
  const url = useUrlState()
  const value = url.get('search') ?? ''
  const field = useSearchKey()
  const [typed, setTyped] = useState(value)
  const settled = useDebounced(typed, 300)
  useEffect(() => {
    if (settled !== value) url.set({ search: settled })
    // Only typing starts a search. Other changes of the URL are handled below.
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
