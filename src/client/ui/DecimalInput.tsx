import { Trans, useLingui } from '@lingui/react/macro'
import { type ComponentProps, useState } from 'react'
import { readingsOf, typedDecimal, typedOn } from '../../shared/typed-decimal.ts'
import { Button } from './Button.tsx'
import { Input, useField } from './Field.tsx'
import { formatAmount } from './numbers.tsx'

/**
 * The value stays a string. Ambiguous text is kept as typed, which is no valid decimal; show `WhichDecimal`
 * with it.
 */
export function DecimalInput({
  value,
  onValueChange,
  ...rest
}: Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  value: string
  onValueChange: (value: string) => void
}) {
  const { i18n } = useLingui()
  const [typed, setTyped] = useState(() => typedDecimal(value))
  const before = typed.text === value ? typed : typedDecimal(value)
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={value}
      onChange={(event) => {
        const next = typedOn(before, event.target.value, i18n.locale)
        setTyped(next)
        onValueChange(next.text)
      }}
    />
  )
}

/** Thousands and fractions can look alike. */
export function WhichDecimal({ value, onChoose }: { value: string; onChoose: (value: string) => void }) {
  const { i18n } = useLingui()
  const { id } = useField()
  const readings = readingsOf(value)
  const choose = (reading: string) => {
    onChoose(reading)
    // The buttons disappear, so focus the field.
    if (id) document.getElementById(id)?.focus()
  }
  return (
    <div role="status" className="empty:hidden">
      {readings ? (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
          <Trans>This can be two numbers. Which one?</Trans>
          {readings.map((reading) => (
            <Button key={reading} size="sm" variant="secondary" onClick={() => choose(reading)}>
              {formatAmount(reading, i18n.locale)}
            </Button>
          ))}
        </p>
      ) : null}
    </div>
  )
}
