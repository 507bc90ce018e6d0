import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog'
import { Dialog as Base } from '@base-ui/react/dialog'
import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Button } from './Button.tsx'

const backdropLook =
  'fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

const popupLook =
  'popup fixed inset-x-0 bottom-0 z-50 flex flex-col overflow-y-auto rounded-t-lg border border-line-strong bg-paper outline-none transition-[transform,opacity] duration-150 data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0 sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:data-ending-style:-translate-y-[calc(50%-0.75rem)] sm:data-starting-style:-translate-y-[calc(50%-0.75rem)]'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'full'
  /** False: a click outside does not close it; Escape and the close button do. */
  dismissible?: boolean
  initialFocus?: RefObject<HTMLElement | null>
}

export function DialogWindow({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  dismissible = true,
  initialFocus,
}: DialogProps) {
  const { t } = useLingui()
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal={!dismissible}>
      <Base.Portal>
        <Base.Backdrop className={backdropLook} />
        <Base.Popup
          initialFocus={initialFocus}
          className={cx(
            popupLook,
            { sm: 'sm:max-w-md', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl', full: 'sm:max-w-[90rem]' }[size],
          )}
        >
          <header className="flex items-start justify-between gap-4 border-b border-line px-5 pt-5 pb-4">
            <div className="min-w-0">
              <Base.Title className="display text-3xl">{title}</Base.Title>
              {description ? (
                <Base.Description className="mt-1.5 text-sm text-soft">{description}</Base.Description>
              ) : null}
            </div>
            <Base.Close
              aria-label={t`Close dialog`}
              className="-mt-1 -mr-2 grid size-10 shrink-0 place-items-center rounded-md hover:bg-sunk"
            >
              <X className="size-5" />
            </Base.Close>
          </header>
          <div className="px-5 py-5">{children}</div>
          {footer ? (
            <div className="sticky bottom-0 flex flex-wrap justify-end gap-3 border-t border-line bg-paper px-5 py-4 max-sm:*:grow">
              {footer}
            </div>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

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
  disabledReason?: string | undefined
}

export function ConfirmWindow({
  open,
  onOpenChange,
  title,
  children,
  confirm,
  cancel,
  onConfirm,
  loading = false,
  danger = false,
  disabledReason,
}: ConfirmDialogProps) {
  return (
    <BaseAlert.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={backdropLook} />
        <BaseAlert.Popup className={cx(popupLook, 'sm:max-w-md')}>
          <div className="px-5 pt-5 pb-4">
            <BaseAlert.Title className="display text-3xl">{title}</BaseAlert.Title>
            <BaseAlert.Description render={<div />} className="mt-3 text-base text-soft">
              {children}
            </BaseAlert.Description>
          </div>
          <div className="flex flex-wrap justify-end gap-3 border-t border-line px-5 py-4 max-sm:*:grow">
            <BaseAlert.Close render={<Button variant="secondary" />}>
              {cancel ?? <Trans>Cancel</Trans>}
            </BaseAlert.Close>
            <Button
              variant={danger ? 'danger' : 'primary'}
              loading={loading}
              disabledReason={disabledReason}
              onClick={open ? onConfirm : undefined}
            >
              {confirm}
            </Button>
          </div>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  )
}
