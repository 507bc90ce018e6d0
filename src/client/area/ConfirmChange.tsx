import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { type ChangeOptions, useChange } from './use-change.ts'

/** Asks before a change, makes it and closes. A change that failed, or waits for a second operator, closes as well. */
export function ConfirmChange<Result>({
  title,
  confirm,
  cancel,
  danger,
  onClose,
  children,
  done,
  ...change
}: {
  title: ReactNode
  /** The words of the button that makes the change. */
  confirm: ReactNode
  /** The words of the other one; left out: `Cancel`. */
  cancel?: ReactNode
  danger?: boolean
  onClose: () => void
  children: ReactNode
} & Omit<ChangeOptions<void, Result>, 'onFail' | 'onWaits'>) {
  const { mutate, isPending } = useChange<void, Result>({
    ...change,
    done: (result) => {
      onClose()
      return done?.(result)
    },
    onFail: onClose,
    onWaits: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      confirm={confirm}
      cancel={cancel}
      danger={danger}
      loading={isPending}
      onConfirm={() => mutate()}
    >
      {children}
    </ConfirmDialog>
  )
}
