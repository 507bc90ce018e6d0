import { Combobox as Base } from '@base-ui/react/combobox'
import { cx } from 'class-variance-authority'
import type { ReactNode } from 'react'
import { controlLook, useField } from './Field.tsx'
import { itemLook, popupLook } from './Select.tsx'

export interface ComboOption {
  value: string
  label: string
}

/** For long lists such as countries. */
export function Combobox({
  value,
  onValueChange,
  options,
  placeholder,
  empty,
}: {
  value: string | null
  onValueChange: (value: string | null) => void
  options: readonly ComboOption[]
  placeholder?: string
  /** Shown if no option matches. */
  empty: ReactNode
}) {
  const field = useField()
  const chosen = options.find((option) => option.value === value) ?? null
  /** Chooses the option whose full name was typed. */
  const takeTyped = (typed: string) => {
    const name = typed.trim().toLocaleLowerCase()
    const option = options.find(({ label }) => label.toLocaleLowerCase() === name)
    if (option && option.value !== value) onValueChange(option.value)
  }
  return (
    <Base.Root
      items={options as ComboOption[]}
      value={chosen}
      onValueChange={(next: ComboOption | null) => onValueChange(next?.value ?? null)}
      isItemEqualToValue={(a: ComboOption, b: ComboOption) => a.value === b.value}
    >
      <Base.Input
        {...field}
        placeholder={placeholder}
        className={controlLook}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Tab') takeTyped(currentTarget.value)
        }}
        onBlur={({ currentTarget }) => takeTyped(currentTarget.value)}
      />
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-50">
          <Base.Popup
            className={cx(popupLook, 'max-h-[min(20rem,var(--available-height))] w-(--anchor-width)')}
          >
            <Base.Empty className="px-3 py-2 text-sm text-soft empty:hidden">{empty}</Base.Empty>
            <Base.List>
              {(option: ComboOption) => (
                <Base.Item key={option.value} value={option} className={itemLook}>
                  {option.label}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
