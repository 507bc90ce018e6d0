import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Operator, operatorRoutes } from '../../../shared/api/operators.ts'
import { type Role, roles } from '../../../shared/roles.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import type { Fields } from '../../area/form-fields.ts'
import { SelectField } from '../../area/SelectField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useEdit } from '../../area/use-edit.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useOperator, useRoleName } from '../session.ts'
import { touched } from '../touched.ts'

export interface Invited {
  login: string
  link: string
}

interface OperatorProps {
  operator: Operator
  onClose: () => void
  onLink: (invited: Invited) => void
}

export function AccessFields({ form, hint }: { form: Fields<{ role: Role; email: string }>; hint?: string }) {
  const { t } = useLingui()
  const roleName = useRoleName()
  return (
    <>
      <SelectField
        form={form}
        name="role"
        label={t`Role`}
        hint={hint}
        options={roles.map((role) => ({ value: role, label: roleName(role) }))}
      />
      <TextField
        form={form}
        name="email"
        label={t`Email for notices`}
        optional={t`optional`}
        type="email"
        autoComplete="off"
      />
    </>
  )
}

interface Values {
  role: Role
  email: string
  isDisabled: boolean
}

const valuesOf = ({ role, email, disabledAt }: Operator): Values => ({
  role,
  email: email ?? '',
  isDisabled: disabledAt !== null,
})

function changesOf({ role, email }: Values, operator: Operator) {
  return {
    ...(role === operator.role ? {} : { role }),
    ...(email.trim() === (operator.email ?? '') ? {} : { email: email.trim() || null }),
  }
}

type Changes = ReturnType<typeof changesOf> & { isDisabled?: boolean }

export function ChangeOperator({ operator, onClose, onLink }: OperatorProps) {
  const { t } = useLingui()
  const roleName = useRoleName()
  const me = useOperator()
  const [asksAccess, setAsksAccess] = useState(false)
  const { id, login } = operator
  const form = useEdit({
    thing: operator,
    valuesOf,
    rules: { now: (values): { data: Changes } => ({ data: changesOf(values as Values, operator) }) },
    ask: (changes: Changes) => {
      if (Object.keys(changes).length > 0) form.send(changes)
      else onClose()
    },
    send: (changes: Changes, { revision }) =>
      call(operatorRoutes.change, { params: { id }, body: { ...changes, revision } }),
    touches: touched.operators,
    done: () => {
      toast.success(t`${login} was changed.`)
      onClose()
    },
    onFail: () => setAsksAccess(false),
    onWaits: onClose,
  })
  const { isDisabled } = valuesOf(operator)
  const shown = (value: unknown, key: string) => {
    if (key === 'role') return roleName(value as Role)
    if (key === 'isDisabled') return value ? t`disabled` : t`active`
    return (value as string) || '—'
  }
  return (
    <FormDialog
      form={form}
      title={login}
      submit={<Trans>Save</Trans>}
      conflict={
        <FormConflict
          form={form}
          labels={{ role: t`Role`, email: t`Email for notices`, isDisabled: t`State` }}
          show={shown}
        />
      }
      onClose={onClose}
    >
      <AccessFields form={form} hint={t`Owners are told of it by mail.`} />
      {operator.reference === me.reference ? null : (
        <LockedOut operator={operator} onClose={onClose} onLink={onLink} />
      )}
      <div className="border-t border-line pt-4">
        <Button variant={isDisabled ? 'secondary' : 'danger'} size="sm" onClick={() => setAsksAccess(true)}>
          {isDisabled ? <Trans>Give access again</Trans> : <Trans>Take access away</Trans>}
        </Button>
      </div>
      <AskAccess
        operator={operator}
        open={asksAccess}
        loading={form.isPending}
        onOpenChange={setAsksAccess}
        onConfirm={() => form.send({ isDisabled: !isDisabled })}
      />
    </FormDialog>
  )
}

function LockedOut({ operator, onClose, onLink }: OperatorProps) {
  const { t } = useLingui()
  const [removesSecondFactor, setRemoves] = useState(false)
  const [asks, setAsks] = useState(false)
  const { id, login, disabledAt } = operator
  return (
    <div className="border-t border-line pt-4">
      <h3 className="font-medium">
        <Trans>Locked out</Trans>
      </h3>
      <p className="mb-3 text-sm text-soft">
        <Trans>A new one-time link sets a new password. Their sessions end.</Trans>
      </p>
      <Checkbox checked={removesSecondFactor} onCheckedChange={setRemoves}>
        <Trans>Their second factor is lost too: remove it</Trans>
      </Checkbox>
      <Button
        variant="secondary"
        size="sm"
        className="mt-3"
        disabledReason={disabledAt ? t`Access is off.` : undefined}
        onClick={() => setAsks(true)}
      >
        <Trans>Make a new link</Trans>
      </Button>
      {asks ? (
        <ConfirmChange
          title={t`New link for ${login}?`}
          danger
          confirm={t`Make a new link`}
          run={() => call(operatorRoutes.renewInvitation, { params: { id }, body: { removesSecondFactor } })}
          touches={touched.operators}
          done={(made) => {
            onClose()
            onLink({ login: made.operator.login, link: made.link })
          }}
          onClose={() => setAsks(false)}
        >
          <Trans>Every session of {login} ends now; the old link stops working.</Trans>
        </ConfirmChange>
      ) : null}
    </div>
  )
}

function AskAccess({
  operator: { login, disabledAt },
  ...dialog
}: Pick<OperatorProps, 'operator'> & {
  open: boolean
  loading: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => void
}) {
  const { t } = useLingui()
  if (disabledAt)
    return (
      <ConfirmDialog {...dialog} title={t`Give access again?`} confirm={t`Give access`}>
        <Trans>{login} can log in again with the password they had.</Trans>
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog {...dialog} danger title={t`Take access away?`} confirm={t`Take access away`}>
      <Trans>
        Every session of {login} ends now and no new one can begin. Their acts stay in the audit log.
      </Trans>
    </ConfirmDialog>
  )
}
