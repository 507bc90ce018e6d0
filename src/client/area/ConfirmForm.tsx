import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import type { Form } from './use-form.ts'

export function ConfirmForm<Input>({
  form: { asked, isAsking, takeBack, send, isPending },
  title,
  confirm,
  children,
}: {
  form: Pick<Form<any, Input, any>, 'asked' | 'isAsking' | 'takeBack' | 'send' | 'isPending'>
  title: ReactNode
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
