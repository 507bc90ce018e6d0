import { Trans, useLingui } from '@lingui/react/macro'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { operatorPasswordInput } from '../../../shared/api/operator-session-inputs.ts'
import { passwordMin } from '../../../shared/password-min.ts'
import { NetworkError } from '../../api.ts'
import { call } from '../../area/call.ts'
import { Page } from '../../area/Page.tsx'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FormError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordField.tsx'
import { toast } from '../../ui/Toast.tsx'
import { NewPasswordFields } from '../NewPasswordFields.tsx'
import { useOperator } from '../session.ts'
import { touched } from '../touched.ts'

export function PasswordPage() {
  const { t } = useLingui()
  const { login } = useOperator()
  const form = useForm({
    rules: rulesOf(operatorPasswordInput),
    initial: { name: login, oldPassword: '', newPassword: '', confirmPassword: '' },
    send: (body) => call(operatorSessionRoutes.changePassword, { body }),
    touches: touched.sessions,
    done: () => toast.success(t`Password updated successfully.`),
    empties: true,
    words: (error) => (error instanceof NetworkError ? t`Failed to update password.` : errorText(error)),
  })
  return (
    <Page title={t`Change password`} lead={t`Your other sessions and your API keys end; this session stays.`}>
      <form {...form.formProps} className="flex max-w-md flex-col gap-4">
        <FormError>{form.failure}</FormError>
        <TextField
          form={form}
          name="name"
          label={t`Admin name`}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field label={t`Old password`} error={form.error('oldPassword')}>
          <PasswordInput {...form.text('oldPassword')} autoComplete="current-password" />
        </Field>
        <NewPasswordFields
          form={form}
          name="newPassword"
          hint={t`${passwordMin} characters or more.`}
          login={login}
        />
        <Button type="submit" className="self-start" loading={form.isPending}>
          <Trans>Change password</Trans>
        </Button>
      </form>
    </Page>
  )
}
