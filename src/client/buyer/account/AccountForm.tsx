import type { ReactNode } from 'react'
import type { AnyForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'

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
  /** True if the server also accepts the form without scripts. */
  posts?: boolean
  /** A hint after a failure. */
  wayOut?: ReactNode
  submit: ReactNode
  fields: ReactNode
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
