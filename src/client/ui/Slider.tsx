import { Slider as Base } from '@base-ui/react/slider'

/** Picks a number from a range; `valueText` says what it means ("500 ITOKEN, Gold"). */
export function Slider({
  value,
  onValueChange,
  min,
  max,
  step = 1,
  label,
  valueText,
}: {
  value: number
  onValueChange: (value: number) => void
  min: number
  max: number
  step?: number
  label: string
  valueText?: string
}) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onValueChange(Array.isArray(next) ? (next[0] ?? min) : (next as number))}
      min={min}
      max={max}
      step={step}
    >
      <Base.Control className="flex h-11 w-full touch-none items-center">
        <Base.Track className="h-2 w-full rounded-sm border border-line-strong bg-raised">
          <Base.Indicator className="rounded-sm bg-accent" />
          <Base.Thumb
            aria-label={label}
            getAriaValueText={valueText ? () => valueText : null}
            className="size-6 rounded-full border-2 border-ink bg-now has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
          />
        </Base.Track>
      </Base.Control>
    </Base.Root>
  )
}
