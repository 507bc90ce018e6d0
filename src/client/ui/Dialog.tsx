import { type ComponentType, lazy, type ReactNode, type RefObject, Suspense, useState } from 'react'

/*
 * The code of dialogs weighs as much as a page, and most pages are left without opening one, so that it is fetched when a dialog
 * first opens. The dialog then stays mounted, so that its closing is animated as well.
 */

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'full'
  /** False: a click outside does not close it (Escape and the cross still do). */
  dismissible?: boolean
  initialFocus?: RefObject<HTMLElement | null>
}

/** A dialog from the bottom on phones, in the middle elsewhere. Put actions in `footer`. */
export const Dialog = onceOpened<DialogProps>(async () => (await import('./DialogWindow.tsx')).DialogWindow)

export interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children: ReactNode
  confirm: ReactNode
  cancel?: ReactNode
  onConfirm: () => void
  loading?: boolean
  danger?: boolean
}

/** Asks before something that can't be undone; the body names what will happen, the button does too. */
export const ConfirmDialog = onceOpened<ConfirmDialogProps>(
  async () => (await import('./DialogWindow.tsx')).ConfirmWindow,
)

function onceOpened<Props extends { open: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const Window = lazy(async () => ({ default: await load() }))
  return function OnceOpened(props: Props) {
    const [wasOpened, setWasOpened] = useState(props.open)
    if (props.open && !wasOpened) setWasOpened(true)
    return wasOpened ? (
      <Suspense fallback={null}>
        <Window {...props} />
      </Suspense>
    ) : null
  }
}
