import type { ReactNode } from 'react'
import { Checkbox } from '../ui/Choice.tsx'

export function CheckboxList<Value extends string>({
  legend,
  options,
  nameOf,
  value,
  onValueChange,
  error,
  className,
}: {
  legend: ReactNode
  options: readonly Value[]
  nameOf: (option: Value) => ReactNode
  value: readonly Value[]
  onValueChange: (value: Value[]) => void
  error?: ReactNode
  className: string
}) {
  return (
    <fieldset className={className}>
      <legend className="mb-2 text-sm font-medium">{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          checked={value.includes(option)}
          onCheckedChange={(on) =>
            onValueChange(on ? [...value, option] : value.filter((other) => other !== option))
          }
        >
          {nameOf(option)}
        </Checkbox>
      ))}
      {error ? <p className="text-sm text-danger">{error}</p> : null}
    </fieldset>
  )
}
