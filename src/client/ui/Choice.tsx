import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'

interface ChoiceProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
  hint?: ReactNode
  error?: ReactNode
  disabled?: boolean
  name?: string
  inputRef?: React.Ref<HTMLInputElement>
}

/** A box to tick, with its words beside it. */
export function Checkbox({
  checked,
  onCheckedChange,
  children,
  hint,
  error,
  disabled,
  name,
  inputRef,
}: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex gap-3">
      <BaseCheckbox.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onCheckedChange(next)}
        disabled={disabled}
        name={name}
        inputRef={inputRef}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        aria-invalid={error ? true : undefined}
        className="mt-0.5 grid size-6 shrink-0 place-items-center rounded-sm border border-line-strong bg-raised hover:border-ink aria-invalid:border-danger data-checked:border-ink data-checked:bg-ink data-checked:text-paper"
      >
        <BaseCheckbox.Indicator>
          <Check className="size-4" strokeWidth={3} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <ChoiceText id={id} hint={hint} error={error}>
        {children}
      </ChoiceText>
    </div>
  )
}

/** On or off, at once. */
export function Switch({ checked, onCheckedChange, children, hint, error, disabled, name }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex gap-3">
      <BaseSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onCheckedChange(next)}
        disabled={disabled}
        name={name}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint || error ? `${id}-note` : undefined}
        className="mt-0.5 flex h-6 w-10 shrink-0 items-center rounded-full border border-line-strong bg-sunk p-0.5 transition-colors data-checked:border-success data-checked:bg-success data-disabled:opacity-50"
      >
        <BaseSwitch.Thumb className="size-4.5 rounded-full bg-ink transition-transform data-checked:translate-x-4 data-checked:bg-paper" />
      </BaseSwitch.Root>
      <ChoiceText id={id} hint={hint} error={error}>
        {children}
      </ChoiceText>
    </div>
  )
}

function ChoiceText({
  id,
  hint,
  error,
  children,
}: {
  id: string
  hint: ReactNode
  error: ReactNode
  children: ReactNode
}) {
  return (
    <div className="min-w-0 text-sm leading-6">
      <label id={`${id}-label`} htmlFor={id} className="font-medium">
        {children}
      </label>
      {hint || error ? (
        <p id={`${id}-note`} className={error ? 'text-danger' : 'text-soft'}>
          {error || hint}
        </p>
      ) : null}
    </div>
  )
}
