import { Trans, useLingui } from '@lingui/react/macro'
import { CircleUserRound } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { useLogOut, useSession } from './session.ts'

export function AccountMenu() {
  const { t } = useLingui()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ top: 0, right: 0 })
  const logOut = useLogOut()
  const email = useSession()?.email
  const settle = () => {
    const rect = button.current?.getBoundingClientRect()
    if (rect) setPlace({ top: rect.bottom + 4, right: document.documentElement.clientWidth - rect.right })
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={email ? t`Account: ${email}` : t`Account`}
        className={`${buttonLook({ variant: 'ghost', size: 'sm' })} min-w-0 shrink! max-w-64`}
      >
        <CircleUserRound aria-hidden="true" className="size-4.5 shrink-0" />
        <span className="hidden min-w-0 truncate leading-normal font-normal text-soft sm:block">{email}</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onBeforeToggle={settle}
        style={{ inset: 'auto', ...place }}
        className="fixed w-64 max-w-[calc(100vw-1rem)] rounded-md border border-line-strong bg-raised p-1 text-ink lifted"
      >
        <p className="mb-1 px-4 pt-2 text-sm break-all text-soft">{email}</p>
        <Link
          to={paths.profile}
          onClick={() => menu.current?.hidePopover()}
          className={`${buttonLook({ variant: 'ghost', wide: true })} justify-start!`}
        >
          <Trans>My Profile</Trans>
        </Link>
        <Button
          variant="ghost"
          wide
          className="justify-start!"
          loading={logOut.isPending}
          onClick={() => logOut.mutate()}
        >
          <Trans>Log out</Trans>
        </Button>
      </div>
    </>
  )
}
