import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../ui/Dialog.tsx'
import { FormError } from '../ui/Field.tsx'
import { Conflict, differencesOf } from './Conflict.tsx'
import { useUnsaved } from './unsaved.ts'
import type { AnyForm } from './use-form.ts'

interface Editing<Values extends object> {
  values: Values
  theirValues: Values | undefined
  takeTheirs: () => void
  keepMine: () => void
}

/** Escape and the close button ask before they discard typed values. */
export function FormDialog({
  form,
  title,
  description,
  size,
  submit,
  close,
  disabled,
  disabledReason,
  conflict,
  onClose,
  children,
}: {
  form: AnyForm
  title: ReactNode
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  submit: ReactNode
  close?: ReactNode
  disabled?: boolean
  disabledReason?: string | undefined
  /** `<FormConflict …>` for a form of `useEdit`. */
  conflict?: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const [isLeaving, setLeaving] = useState(false)
  const isTouched = useTouched(form)
  const leave = () => {
    if (isTouched && !form.isPending) setLeaving(true)
    else onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && leave()}
      size={size}
      dismissible={false}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {close ?? <Trans>Cancel</Trans>}
          </Button>
          <Button
            type="submit"
            form={form.formProps.id}
            loading={form.isPending}
            disabled={disabled}
            disabledReason={disabledReason}
          >
            {submit}
          </Button>
        </>
      }
    >
      {conflict}
      <form {...form.formProps} className="flex flex-col gap-4">
        <FormError>{form.failure}</FormError>
        {children}
      </form>
      {isLeaving ? <DiscardQuestion onStay={() => setLeaving(false)} onDiscard={onClose} /> : null}
    </Dialog>
  )
}

function useTouched(form: AnyForm): boolean {
  const [first] = useState(form.values)
  const isTouched = JSON.stringify(form.values) !== JSON.stringify(form.kept ?? first)
  useUnsaved(isTouched)
  return isTouched
}

function DiscardQuestion({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onStay()}
      title={<Trans>Discard what you typed?</Trans>}
      confirm={<Trans>Discard</Trans>}
      cancel={<Trans>Keep writing</Trans>}
      danger
      onConfirm={onDiscard}
    >
      <Trans>Your changes in this form are not saved.</Trans>
    </ConfirmDialog>
  )
}

/** Renders nothing without a conflict. */
export function FormConflict<Values extends object>({
  form,
  labels,
  show,
}: {
  form: Editing<Values>
  labels: Partial<Record<keyof Values & string, ReactNode>>
  show?: (value: unknown, key: string) => ReactNode
}) {
  if (form.theirValues === undefined) return null
  return (
    <Conflict
      differences={differencesOf<Values>(form.values, form.theirValues, labels, show)}
      onTheirs={form.takeTheirs}
      onMine={form.keepMine}
    />
  )
}
