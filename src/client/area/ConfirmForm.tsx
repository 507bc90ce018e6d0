import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import type { Form } from './use-form.ts'

/** Asks before a form that `asks` is sent, with what was checked. */
export function ConfirmForm<Input>({
  form: { asked, isAsking, takeBack, send, isPending },
  title,
  confirm,
  children,
}: {
  form: Pick<Form<any, Input, any>, 'asked' | 'isAsking' | 'takeBack' | 'send' | 'isPending'>
  title: ReactNode
  /** The words of the button that sends. */
  confirm: (asked: Input) => ReactNode
  children: (asked: Input) => ReactNode
}) {
  if (asked === undefined) return null
  return (
    <ConfirmDialog
      open={isAsking}
      onOpenChange={(open) => !open && takeBack()}
      title={title}
      confirm={confirm(asked)}
      loading={isPending}
      onConfirm={() => send(asked)}
    >
      {children(asked)}
    </ConfirmDialog>
  )
}
