import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Operator, operatorRoutes } from '../../../shared/api/operators.ts'
import { invitationInput } from '../../../shared/api/operators-inputs.ts'
import { type Role, roles } from '../../../shared/roles.ts'
import { Conflict, differencesOf } from '../../area/Conflict.tsx'
import { call, currentOf } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { FieldRow, Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Badge, Status } from '../../ui/Status.tsx'
import { Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { useOperator, useRoleName } from '../session.ts'
import { touched } from '../touched.ts'
import { RightsTable } from './RightsTable.tsx'

/** Who may do what here; new ones come by a one-time link. */
export function OperatorsPage() {
  const { t } = useLingui()
  const [link, setLink] = useState<{ login: string; link: string }>()
  const [changing, setChanging] = useState<Operator>()
  const query = useQuery({
    ...readItems(operatorRoutes.list),
  })
  return (
    <Page title={t`Operators`}>
      <Invite onLink={setLink} />
      <Loaded query={query}>
        {(operators) => (
          <Table caption={t`Operators`} stack>
            <THead>
              <Th>{t({ message: 'Login', context: 'name of an operator' })}</Th>
              <Th>{t`Role`}</Th>
              <Th>{t`Second factor`}</Th>
              <Th>{t`Notices go to`}</Th>
              <Th>{t`Last login`}</Th>
              <Th>{t`State`}</Th>
              <Th className="text-right">{t`Actions`}</Th>
            </THead>
            <TBody>
              {operators.map((operator) => (
                <OperatorRow key={operator.id} operator={operator} onChange={() => setChanging(operator)} />
              ))}
            </TBody>
          </Table>
        )}
      </Loaded>
      <RightsTable />
      {changing ? (
        <ChangeOperator
          operator={changing}
          onClose={() => setChanging(undefined)}
          onLink={(next) => {
            setChanging(undefined)
            setLink(next)
          }}
        />
      ) : null}
      {link ? <OneTimeLink {...link} onClose={() => setLink(undefined)} /> : null}
    </Page>
  )
}

function OperatorRow({ operator, onChange }: { operator: Operator; onChange: () => void }) {
  const { t } = useLingui()
  const me = useOperator()
  const roleName = useRoleName()
  return (
    <Tr className={operator.disabledAt ? 'text-soft' : undefined}>
      <Td label={t({ message: 'Login', context: 'name of an operator' })}>
        <strong>{operator.login}</strong>{' '}
        {operator.reference === me.reference ? <Badge>{t`you`}</Badge> : null}
      </Td>
      <Td label={t`Role`}>{roleName(operator.role)}</Td>
      <Td label={t`Second factor`}>
        {operator.hasSecondFactor ? <Status tone="success">{t`on`}</Status> : <Status>{t`off`}</Status>}
      </Td>
      <Td label={t`Notices go to`} className="wrap-anywhere">
        {operator.email ?? '—'}
      </Td>
      <Td label={t`Last login`}>
        {operator.lastLoginAt ? <RelativeTime value={operator.lastLoginAt} /> : t`never`}
      </Td>
      <Td label={t`State`}>
        {operator.disabledAt ? (
          <>
            {t`disabled`} <DateTime value={operator.disabledAt} part="date" />
          </>
        ) : operator.hasPassword ? (
          t`active`
        ) : (
          t`has not used the link yet`
        )}
      </Td>
      <Td className="text-right">
        <Button variant="secondary" size="sm" aria-label={t`Change ${operator.login}`} onClick={onChange}>
          <Trans>Change</Trans>
        </Button>
      </Td>
    </Tr>
  )
}

function useRoleOptions() {
  const roleName = useRoleName()
  return roles.map((role) => ({ value: role, label: roleName(role) }))
}

function Invite({ onLink }: { onLink: (made: { login: string; link: string }) => void }) {
  const { t } = useLingui()
  const options = useRoleOptions()
  const element = useRef<HTMLFormElement>(null)
  const empty = { login: '', role: 'support' as Role, email: '' }
  const form = useSchemaForm(invitationInput, empty)
  const [failure, setFailure] = useState<string>()
  const invite = useChange({
    run: (body: typeof empty) =>
      call(operatorRoutes.invite, { body: { ...body, email: body.email || undefined } }),
    touches: touched.operators,
    done: ({ operator, link }) => {
      form.reset(empty)
      onLink({ login: operator.login, link })
    },
    failed: false,
    onFail: (error) => {
      if (!form.refuse(error)) setFailure(errorText(error))
    },
  })
  const { values, set, error } = form
  return (
    <form
      ref={element}
      noValidate
      className="mb-8"
      onSubmit={(event) => {
        event.preventDefault()
        setFailure(undefined)
        if (form.check(element.current)) invite.mutate(values)
      }}
    >
      <FormError>{failure}</FormError>
      <FieldRow className="mt-2">
        <Field label={t({ message: 'Login', context: 'name of an operator' })} error={error('login')}>
          <Input
            value={values.login}
            onChange={(event) => set({ login: event.target.value })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={t`Role`}>
          <Select value={values.role} onValueChange={(role) => set({ role })} options={options} />
        </Field>
        <Field label={t`Email for notices`} optional={t`optional`} error={error('email')}>
          <Input
            type="email"
            value={values.email}
            onChange={(event) => set({ email: event.target.value })}
            autoComplete="off"
          />
        </Field>
        <Button type="submit" className="sm:mt-6.5 justify-self-start" loading={invite.isPending}>
          <Trans>Invite</Trans>
        </Button>
      </FieldRow>
    </form>
  )
}

function OneTimeLink({ login, link, onClose }: { login: string; link: string; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`One-time link for ${login}`}
      description={t`It sets the password, once, within 24 hours. It is shown only now: pass it on by a way that you trust.`}
      footer={
        <>
          <CopyButton text={link} what={t`Copy the link`}>
            <Trans>Copy</Trans>
          </CopyButton>
          <Button onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </>
      }
    >
      <p className="figures wrap-anywhere select-all">{link}</p>
    </Dialog>
  )
}

function ChangeOperator({
  operator,
  onClose,
  onLink,
}: {
  operator: Operator
  onClose: () => void
  onLink: (made: { login: string; link: string }) => void
}) {
  const { t } = useLingui()
  const options = useRoleOptions()
  const roleName = useRoleName()
  const { login } = operator
  const params = { id: operator.id }
  const [role, setRole] = useState<Role>(operator.role)
  const [email, setEmail] = useState(operator.email ?? '')
  const [removesSecondFactor, setRemoves] = useState(false)
  const [asked, setAsked] = useState<'access' | 'link'>()
  const [failure, setFailure] = useState<string>()
  const [revision, setRevision] = useState(operator.revision)
  const [theirs, setTheirs] = useState<Operator>()
  const fail = (error: unknown) => {
    const current = currentOf<Operator>(error)
    setAsked(undefined)
    setTheirs(current)
    setFailure(current ? undefined : errorText(error))
  }
  const change = useChange({
    run: (body: { role?: Role; email?: string | null; isDisabled?: boolean }) =>
      call(operatorRoutes.change, { params, body: { ...body, revision } }),
    touches: touched.operators,
    done: () => {
      toast.success(t`${login} was changed.`)
      onClose()
    },
    failed: false,
    onFail: fail,
  })
  const renew = useChange({
    run: () => call(operatorRoutes.renewInvitation, { params, body: { removesSecondFactor } }),
    touches: touched.operators,
    done: (made) => onLink({ login: made.operator.login, link: made.link }),
    failed: false,
    onFail: fail,
  })
  const save = () => {
    setFailure(undefined)
    const changes = {
      ...(role === operator.role ? {} : { role }),
      ...(email.trim() === (operator.email ?? '') ? {} : { email: email.trim() || null }),
    }
    if (Object.keys(changes).length > 0) change.mutate(changes)
    else onClose()
  }
  const disabled = operator.disabledAt !== null
  const shownOf = (one: Pick<Operator, 'role' | 'email' | 'disabledAt'>) => ({
    role: roleName(one.role),
    email: one.email,
    access: one.disabledAt ? t`disabled` : t`active`,
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={login}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={change.isPending && asked === undefined} onClick={save}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      {theirs ? (
        <Conflict
          differences={differencesOf(
            shownOf({ role, email: email.trim() || null, disabledAt: operator.disabledAt }),
            shownOf(theirs),
            { role: t`Role`, email: t`Email for notices`, access: t`State` },
          )}
          onTheirs={onClose}
          onMine={() => {
            setRevision(theirs.revision)
            setTheirs(undefined)
          }}
        />
      ) : null}
      <div className="flex flex-col gap-5">
        <FormError>{failure}</FormError>
        <Field label={t`Role`} hint={t`Owners are told of it by mail.`}>
          <Select value={role} onValueChange={setRole} options={options} />
        </Field>
        <Field label={t`Email for notices`} optional={t`optional`}>
          <Input
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="off"
          />
        </Field>
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
            disabledReason={disabled ? t`Access is off.` : undefined}
            onClick={() => setAsked('link')}
          >
            <Trans>Make a new link</Trans>
          </Button>
        </div>
        <div className="border-t border-line pt-4">
          <Button variant={disabled ? 'secondary' : 'danger'} size="sm" onClick={() => setAsked('access')}>
            {disabled ? <Trans>Give access again</Trans> : <Trans>Take access away</Trans>}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        danger={asked === 'link' || !disabled}
        title={
          asked === 'link'
            ? t`New link for ${login}?`
            : disabled
              ? t`Give access again?`
              : t`Take access away?`
        }
        confirm={asked === 'link' ? t`Make a new link` : disabled ? t`Give access` : t`Take access away`}
        loading={change.isPending || renew.isPending}
        onConfirm={() => (asked === 'link' ? renew.mutate() : change.mutate({ isDisabled: !disabled }))}
      >
        {asked === 'link' ? (
          <Trans>Every session of {login} ends now; the old link stops working.</Trans>
        ) : disabled ? (
          <Trans>{login} can log in again with the password they had.</Trans>
        ) : (
          <Trans>
            Every session of {login} ends now and no new one can begin. What they did stays in the audit log.
          </Trans>
        )}
      </ConfirmDialog>
    </Dialog>
  )
}
