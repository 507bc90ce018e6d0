import { Trans, useLingui } from '@lingui/react/macro'
import { type GrantInput, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import { grantInput } from '../../../shared/api/holdings-inputs.ts'
import { ConfirmForm } from '../../area/ConfirmForm.tsx'
import { call } from '../../area/call.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { FieldRow } from '../../area/Page.tsx'
import { type Rules, rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { formatAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

export function AddBalance() {
  const { t } = useLingui()
  const form = useGrant()
  const refusal = useRefusal()('grants:write')
  const isEmpty = form.values.email.trim() === '' || form.values.amount.trim() === ''
  return (
    <form {...form.formProps} className="mb-6">
      <FieldRow>
        <TextField
          form={form}
          name="email"
          label={t`Email`}
          type="email"
          autoComplete="off"
          spellCheck={false}
        />
        <DecimalField form={form} name="amount" label={t`Amount`} placeholder="100" />
        <TextField form={form} name="reason" label={t`Reason`} optional={t`optional`} />
        <Button
          type="submit"
          className="sm:mt-6.5 justify-self-start"
          disabled={isEmpty || form.isPending}
          disabledReason={refusal}
        >
          {form.isPending ? <Trans>Updating...</Trans> : <Trans>Add Balance</Trans>}
        </Button>
      </FieldRow>
      <ConfirmForm form={form} title={t`Add balance?`} confirm={() => t`Add Balance`}>
        {({ body }) => <Consequences grant={body} />}
      </ConfirmForm>
    </form>
  )
}

const { now: check } = rulesOf(grantInput)

interface Intention {
  body: GrantInput
  key: string
}

function useGrant() {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  return useForm({
    rules: {
      now: (values, locale): ReturnType<Rules<Intention>> => {
        const checked = check(values, locale)
        return 'data' in checked ? { data: { body: checked.data, key: crypto.randomUUID() } } : checked
      },
    },
    initial: { email: '', amount: '', reason: '' },
    asks: true,
    send: ({ body, key }: Intention) => call(operatorUserRoutes.addBalance, { body, idempotencyKey: key }),
    untilAnswered: true,
    touches: touched.users,
    done: ({ balanceTokens }) => {
      const balance = formatAmount(balanceTokens, i18n.locale)
      toast.success(t`Balance updated successfully!`, t`It is ${balance} ${symbol} now.`)
    },
    empties: true,
    failed: t`Error`,
  })
}

function Consequences({ grant }: { grant: GrantInput }) {
  const { i18n } = useLingui()
  const symbol = useSymbol()
  return (
    <ul className="list-disc pl-5">
      <li>
        <Trans>
          {grant.email} is given {formatAmount(grant.amount, i18n.locale)} {symbol}.
        </Trans>
      </li>
      <li>
        <Trans>
          It counts for balance, level and the bonus share; never as raised, purchased or deposits.
        </Trans>
      </li>
      <li>
        <Trans>It is in the ledger for ever; it can be taken back by an entry of its own.</Trans>
      </li>
    </ul>
  )
}
