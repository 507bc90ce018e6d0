import { Select as Base } from '@base-ui/react/select'
import { cx } from 'class-variance-authority'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { controlLook, useField } from './Field.tsx'

export interface Option<Value extends string = string> {
  value: Value
  label: ReactNode
  disabled?: boolean
}

/** For few options; use `Combobox` for long lists. */
export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  placeholder,
  name,
  disabled,
  className,
  'aria-label': ariaLabel,
}: {
  value: Value | null
  onValueChange: (value: Value) => void
  options: readonly Option<Value>[]
  placeholder?: ReactNode
  name?: string
  disabled?: boolean
  className?: string
  'aria-label'?: string
}) {
  const field = useField()
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onValueChange(next as Value)}
      name={name}
      disabled={disabled}
    >
      <Base.Trigger {...field} aria-label={ariaLabel} className={cx(triggerLook, className)}>
        <Base.Value>
          {(chosen: Value | null) =>
            options.find((option) => option.value === chosen)?.label ?? (
              <span className="text-faint">{placeholder}</span>
            )
          }
        </Base.Value>
        <Base.Icon>
          <ChevronsUpDown className="size-4 text-soft" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-50" alignItemWithTrigger={false}>
          <Base.Popup
            className={cx(popupLook, 'max-h-[min(24rem,var(--available-height))] min-w-(--anchor-width)')}
          >
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled}
                className={cx(itemLook, 'grid grid-cols-[1rem_1fr] gap-2')}
              >
                <Base.ItemIndicator className="col-start-1">
                  <Check className="size-4" />
                </Base.ItemIndicator>
                <Base.ItemText className="col-start-2">{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Wraps on a narrow page. */
const triggerLook = cx(
  controlLook,
  'flex h-auto min-h-11 items-center justify-between gap-2 py-1.5 text-left',
)

export const popupLook =
  'overflow-y-auto rounded-md border border-line-strong bg-raised py-1 text-ink lifted outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0'

export const itemLook =
  'flex min-h-10 cursor-default items-center px-3 py-1.5 text-sm outline-none select-none data-disabled:text-faint data-highlighted:bg-ink data-highlighted:text-paper'
