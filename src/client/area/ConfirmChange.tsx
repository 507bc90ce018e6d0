import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { type ChangeOptions, useChange } from './use-change.ts'

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
  confirm: ReactNode
  /** Left out: `Cancel`. */
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
