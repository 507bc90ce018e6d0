import { NumberField as Base } from '@base-ui/react/number-field'
import { useLingui } from '@lingui/react/macro'
import { Minus, Plus } from 'lucide-react'
import { useField } from './Field.tsx'

/** For counts; money uses `DecimalInput`. */
export function NumberField({
  value,
  onValueChange,
  min,
  max,
  name,
  disabled,
}: {
  value: number | null
  onValueChange: (value: number | null) => void
  min?: number
  max?: number
  name?: string
  disabled?: boolean
}) {
  const { t } = useLingui()
  const field = useField()
  const step = 'grid w-11 place-items-center text-soft hover:bg-sunk hover:text-ink disabled:text-line-strong'
  return (
    <Base.Root
      id={field.id}
      value={value}
      onValueChange={(next) => onValueChange(next)}
      min={min}
      max={max}
      name={name}
      disabled={disabled}
    >
      <Base.Group className="flex h-11 w-fit overflow-hidden rounded-md border border-line-strong bg-raised focus-within:outline-2 focus-within:outline-ring">
        <Base.Decrement className={step} aria-label={t`Less`}>
          <Minus className="size-4" />
        </Base.Decrement>
        <Base.Input
          aria-describedby={field['aria-describedby']}
          aria-invalid={field['aria-invalid']}
          className="figures w-16 border-x border-line bg-transparent text-center outline-none"
        />
        <Base.Increment className={step} aria-label={t`More`}>
          <Plus className="size-4" />
        </Base.Increment>
      </Base.Group>
    </Base.Root>
  )
}
