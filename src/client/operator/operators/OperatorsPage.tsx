import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Operator, operatorRoutes } from '../../../shared/api/operators.ts'
import { invitationInput } from '../../../shared/api/operators-inputs.ts'
import type { Role } from '../../../shared/roles.ts'
import { call } from '../../area/call.ts'
import { type Column, DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, FieldRow, Page } from '../../area/Page.tsx'
import { RowButton } from '../../area/RowActions.tsx'
import { readItems } from '../../area/reading.ts'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { FormError } from '../../ui/Field.tsx'
import { DateTime, RelativeTime } from '../../ui/numbers.tsx'
import { Badge, Status } from '../../ui/Status.tsx'
import { ShownOnce } from '../ShownOnce.tsx'
import { useOperator, useRoleName } from '../session.ts'
import { touched } from '../touched.ts'
import { WhoConfirms } from '../WhoConfirms.tsx'
import { AccessFields, ChangeOperator, type Invited } from './ChangeOperator.tsx'
import { RightsTable } from './RightsTable.tsx'

export function OperatorsPage() {
  const { t } = useLingui()
  const [invited, setInvited] = useState<Invited>()
  const [changing, setChanging] = useState<Operator>()
  const query = useQuery(readItems(operatorRoutes.list))
  const columns = useColumns(setChanging)
  return (
    <Page title={t`Operators`}>
      <Invite onLink={setInvited} />
      <Loaded query={query}>
        {(operators) => (
          <DataTable
            caption={t`Operators`}
            rows={operators}
            keyOf={({ id }) => id}
            rowClassName={({ disabledAt }) => (disabledAt ? 'text-soft' : undefined)}
            columns={columns}
          />
        )}
      </Loaded>
      <Band title={t`Confirmations between operators`}>
        <p className="mb-2 max-w-prose text-sm text-soft">
          <Trans>
            This counts once two operators decide together. The maker of a one-time link and its holder count
            as one person for 7 days, unless the holder could log in before that was switched on.
          </Trans>
        </p>
        <WhoConfirms />
      </Band>
      <RightsTable />
      {changing ? (
        <ChangeOperator operator={changing} onClose={() => setChanging(undefined)} onLink={setInvited} />
      ) : null}
      {invited ? <OneTimeLink {...invited} onClose={() => setInvited(undefined)} /> : null}
    </Page>
  )
}

function useColumns(onChange: (operator: Operator) => void): Column<Operator>[] {
  const { t } = useLingui()
  const me = useOperator()
  const roleName = useRoleName()
  return [
    {
      label: t({ message: 'Login', context: 'name of an operator' }),
      cell: ({ login, reference }) => (
        <>
          <strong>{login}</strong> {reference === me.reference ? <Badge>{t`you`}</Badge> : null}
        </>
      ),
    },
    { label: t`Role`, cell: ({ role }) => roleName(role) },
    {
      label: t`Second factor`,
      cell: ({ hasSecondFactor }) =>
        hasSecondFactor ? <Status tone="success">{t`on`}</Status> : <Status>{t`off`}</Status>,
    },
    { label: t`Notices go to`, className: 'wrap-anywhere', cell: ({ email }) => email ?? '—' },
    {
      label: t`Last login`,
      cell: ({ lastLoginAt }) => (lastLoginAt ? <RelativeTime value={lastLoginAt} /> : t`never`),
    },
    { label: t`State`, cell: (operator) => <State operator={operator} /> },
    {
      label: t`Actions`,
      actions: true,
      cell: (operator) => (
        <RowButton aria-label={t`Change ${operator.login}`} onClick={() => onChange(operator)}>
          <Trans>Change</Trans>
        </RowButton>
      ),
    },
  ]
}

function State({ operator: { disabledAt, hasPassword } }: { operator: Operator }) {
  const { t } = useLingui()
  if (!disabledAt) return hasPassword ? t`active` : t`has not used the link yet`
  return (
    <>
      {t`disabled`} <DateTime value={disabledAt} part="date" />
    </>
  )
}

function Invite({ onLink }: { onLink: (invited: Invited) => void }) {
  const { t } = useLingui()
  const initial: { login: string; role: Role; email: string } = { login: '', role: 'support', email: '' }
  const form = useForm({
    rules: rulesOf(invitationInput),
    initial,
    send: (body) => call(operatorRoutes.invite, { body }),
    touches: touched.operators,
    done: ({ operator, link }) => onLink({ login: operator.login, link }),
    empties: true,
  })
  return (
    <form {...form.formProps} className="mb-8">
      <FormError>{form.failure}</FormError>
      <FieldRow className="mt-2">
        <TextField
          form={form}
          name="login"
          label={t({ message: 'Login', context: 'name of an operator' })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <AccessFields form={form} />
        <Button type="submit" className="sm:mt-6.5 justify-self-start" loading={form.isPending}>
          <Trans>Invite</Trans>
        </Button>
      </FieldRow>
    </form>
  )
}

function OneTimeLink({ login, link, onClose }: Invited & { onClose: () => void }) {
  const { t } = useLingui()
  return (
    <ShownOnce
      title={t`One-time link for ${login}`}
      description={t`It sets the password, once, within 24 hours. It is shown only now: pass it on by a way that you trust.`}
      text={link}
      what={t`Copy the link`}
      onClose={onClose}
    />
  )
}
