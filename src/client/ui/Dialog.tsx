import { type ComponentType, lazy, Suspense, useState } from 'react'
import type { ConfirmDialogProps, DialogProps } from './DialogWindow.tsx'

/*
 * Dialog code is as large as a page, so it loads when a dialog first opens. The dialog stays mounted, so that
 * its closing is animated.
 */

/** Opens from the bottom on phones, centred elsewhere. */
export const Dialog = onceOpened<DialogProps>(async () => (await import('./DialogWindow.tsx')).DialogWindow)

/** Asks before an irreversible action; body and button name the consequence. */
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
