import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { ConfirmDialogProps, DialogProps } from './DialogWindow.tsx'

/*
 * The code of dialogs weighs as much as a page, and most pages are left without opening one, so that it is fetched when a dialog
 * first opens. The dialog then stays mounted, so that its closing is animated as well.
 */

/** A dialog from the bottom on phones, in the middle elsewhere. Put actions in `footer`. */
export const Dialog = onceOpened<DialogProps>(async () => (await import('./DialogWindow.tsx')).DialogWindow)

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
