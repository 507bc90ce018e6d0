import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useShortcut } from '../area/keyboard.ts'
import { useDebounced } from '../ui/clock.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { controlLook } from '../ui/Field.tsx'
import { type Command, useFound, usePlaces } from './commands.ts'

const shownMax = 12

/** Opened by Ctrl/Cmd+K on any page; lists what the role permits. */
export function CommandPalette() {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useShortcut('k', () => setOpen(true))
  // Fetch the dialog early, so that keys typed at once are not lost.
  useEffect(() => {
    const early = setTimeout(() => void import('../ui/DialogWindow.tsx'), 1_500)
    return () => clearTimeout(early)
  }, [])
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setOpen}
      title={t`Go to`}
      description={t`Pages and actions by name; orders by number, token, transaction id or e-mail; users by e-mail; payments by transaction or address.`}
      initialFocus={field}
    >
      <Finder field={field} onDone={() => setOpen(false)} />
    </Dialog>
  )
}

function Finder({ field, onDone }: { field: React.RefObject<HTMLInputElement | null>; onDone: () => void }) {
  const { t } = useLingui()
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const commands = useCommands(typed)
  const active = Math.min(at, commands.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    onDone()
    void navigate(command.path)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (next !== undefined) setAt(Math.max(0, Math.min(next, commands.length - 1)))
    else if (event.key === 'Enter') run(commands[active])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={field}
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}list`}
        aria-activedescendant={active >= 0 ? `${id}${active}` : undefined}
        aria-label={t`Go to`}
        placeholder={t`Page, action, order, user or payment`}
        className={controlLook}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className="mt-3 text-sm text-soft empty:mt-0">
        {commands.length === 0 ? <Trans>Nothing found.</Trans> : null}
      </p>
      <ul id={`${id}list`} role="listbox" aria-label={t`Found`} className="mt-3 flex min-h-80 flex-col">
        {commands.map((command, index) => (
          // The focused input handles the keys.
          <li
            key={command.key}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === active}
            className={cx(
              'flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-2',
              index === active ? 'bg-ink text-paper' : 'hover:bg-sunk',
            )}
            onClick={() => run(command)}
          >
            <span className="min-w-0 truncate">{command.label}</span>
            <span className={cx('shrink-0 text-sm', index === active ? 'text-paper' : 'text-faint')}>
              {command.kind}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Searches records after a pause in typing. */
function useCommands(typed: string): Command[] {
  const wanted = typed.trim().toLowerCase()
  const places = usePlaces().filter(({ label }) => label.toLowerCase().includes(wanted))
  const found = useFound(useDebounced(typed.trim(), 250))
  return [...found, ...places].slice(0, shownMax)
}
