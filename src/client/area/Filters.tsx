import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Checkbox } from '../ui/Choice.tsx'
import { Field } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'
import { useUrlState } from './url-state.ts'

/** The choice is kept in the URL under `name`. */
export function FilterSelect({
  name,
  label,
  options,
  className,
}: {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
  className: string
}) {
  const { t } = useLingui()
  const url = useUrlState()
  return (
    <Field label={label} className={className}>
      <Select
        value={url.get(name) ?? 'all'}
        onValueChange={(next) => url.set({ [name]: next === 'all' ? null : next })}
        options={[{ value: 'all', label: t`All` }, ...options]}
      />
    </Field>
  )
}

/** `name=yes` in the URL while it is on. */
export function FilterCheckbox({ name, children }: { name: string; children: ReactNode }) {
  const url = useUrlState()
  return (
    <div className="flex h-11 items-center">
      <Checkbox
        checked={url.get(name) === 'yes'}
        onCheckedChange={(on) => url.set({ [name]: on ? 'yes' : null })}
      >
        {children}
      </Checkbox>
    </div>
  )
}
