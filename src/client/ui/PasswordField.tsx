import { useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { controlLook, useField } from './Field.tsx'

/** Two related inputs share `shown` and `onShownChange`; only one needs the button (`toggle`). */
export function PasswordInput({
  shown: shownByParent,
  onShownChange,
  toggle = true,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & {
  shown?: boolean
  onShownChange?: (shown: boolean) => void
  toggle?: boolean
}) {
  const { t } = useLingui()
  const field = useField(rest)
  const [ownShown, setOwnShown] = useState(false)
  const shown = shownByParent ?? ownShown
  const setShown = onShownChange ?? setOwnShown
  return (
    <div className="relative">
      <input
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        {...field}
        type={shown ? 'text' : 'password'}
        className={cx(controlLook, toggle && 'pr-12', className)}
      />
      {toggle ? (
        <button
          type="button"
          aria-label={shown ? t`Hide password` : t`Show password`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-soft hover:text-ink"
        >
          {shown ? <EyeOff className="size-5" /> : <Eye className="size-5" />}
        </button>
      ) : null}
    </div>
  )
}
