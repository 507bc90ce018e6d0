import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { operatorPasswordInput } from '../../../shared/api/operator-session-inputs.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { NetworkError } from '../../api.ts'
import { call } from '../../area/call.ts'
import { Page } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { useOperator } from '../session.ts'
import { touched } from '../touched.ts'

const empty = { oldPassword: '', newPassword: '', confirmPassword: '' }

/** `Change Pass`: the own password; the other sessions end. */
export function PasswordPage() {
  const { t } = useLingui()
  const { login } = useOperator()
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(operatorPasswordInput, { name: login, ...empty })
  const [shown, setShown] = useState(false)
  const [failure, setFailure] = useState<string>()
  const change = useChange({
    run: (body: { name: string; oldPassword: string; newPassword: string }) =>
      call(operatorSessionRoutes.changePassword, { body }),
    touches: touched.sessions,
    done: () => {
      toast.success(t`Password updated successfully.`)
      form.reset({ name: login, ...empty })
    },
    failed: false,
    onFail: (error) => {
      if (form.refuse(error)) return
      setFailure(
        error instanceof NetworkError
          ? t`Failed to update password.`
          : errorText(error) || t`Failed to update password.`,
      )
    },
  })
  const { values, set, error } = form
  return (
    <Page title={t`Change password`} lead={t`Your other sessions end; this one stays.`}>
      <form
        ref={element}
        noValidate
        className="flex max-w-md flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setFailure(undefined)
          const body = form.check(element.current)
          if (body) change.mutate(body)
        }}
      >
        <FormError>{failure}</FormError>
        <Field label={t`Admin name`} error={error('name')}>
          <Input
            value={values.name}
            onChange={(event) => set({ name: event.target.value })}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={t`Old password`} error={error('oldPassword')}>
          <PasswordInput
            value={values.oldPassword}
            onChange={(event) => set({ oldPassword: event.target.value })}
            autoComplete="current-password"
          />
        </Field>
        <Field
          label={t`New password`}
          error={error('newPassword')}
          hint={t`${passwordMin} characters or more.`}
        >
          <PasswordInput
            value={values.newPassword}
            onChange={(event) => set({ newPassword: event.target.value })}
            autoComplete="new-password"
            shown={shown}
            onShownChange={setShown}
          />
        </Field>
        <Field label={t`Confirm password`} error={error('confirmPassword')}>
          <PasswordInput
            value={values.confirmPassword}
            onChange={(event) => set({ confirmPassword: event.target.value })}
            autoComplete="new-password"
            shown={shown}
            toggle={false}
          />
        </Field>
        <Button type="submit" className="self-start" loading={change.isPending}>
          <Trans>Change password</Trans>
        </Button>
      </form>
    </Page>
  )
}
