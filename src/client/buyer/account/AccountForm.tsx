import type { ReactNode } from 'react'
import type { AnyForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'

/** A form about an account: its fields, what failed, the button that sends, and what else can be done. */
export function AccountForm({
  form,
  failure = form.failure,
  posts = false,
  wayOut,
  submit,
  fields,
  children,
}: {
  form: AnyForm
  failure?: ReactNode
  /** Whether the server takes the form at the page's own address, before the scripts are there. */
  posts?: boolean
  /** What helps after the failure. */
  wayOut?: ReactNode
  /** The words of the button. */
  submit: ReactNode
  fields: ReactNode
  /** Below the button. */
  children?: ReactNode
}) {
  return (
    <form {...form.formProps} method={posts ? 'post' : undefined} className="flex flex-col gap-5">
      {fields}
      <FormError>{failure}</FormError>
      {wayOut}
      <Button type="submit" size="lg" wide loading={form.isPending}>
        {submit}
      </Button>
      {children}
    </form>
  )
}
