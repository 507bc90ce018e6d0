import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type GrantInput, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import { grantInput } from '../../../shared/api/holdings-inputs.ts'
import { call } from '../../area/call.ts'
import { FieldRow } from '../../area/Page.tsx'
import { type Rules, rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { formatAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

/** Grants tokens from the share that pays bonuses. */
export function AddBalance() {
  const { t } = useLingui()
  const { form, asked, onClose } = useGrant()
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
        <Field label={t`Amount`} error={form.error('amount')}>
          <DecimalInput {...form.value('amount')} className="figures" placeholder="100" />
        </Field>
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
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && onClose()}
        title={t`Add balance?`}
        confirm={t`Add Balance`}
        loading={form.isPending}
        onConfirm={() => asked && form.send(asked)}
      >
        {asked ? <Consequences grant={asked.body} /> : null}
      </ConfirmDialog>
    </form>
  )
}

const { now: check } = rulesOf(grantInput)

interface Intention {
  body: GrantInput
  key: string
}

/** The form, and what was typed while it is asked whether to do it. */
function useGrant() {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const [asked, setAsked] = useState<Intention>()
  const onClose = () => setAsked(undefined)
  const form = useForm({
    rules: {
      now: (values, locale): ReturnType<Rules<Intention>> => {
        const checked = check(values, locale)
        // One key for one intention: a repeat after a lost answer adds nothing twice.
        return 'data' in checked ? { data: { body: checked.data, key: crypto.randomUUID() } } : checked
      },
    },
    initial: { email: '', amount: '', reason: '' },
    ask: setAsked,
    send: ({ body, key }: Intention) => call(operatorUserRoutes.addBalance, { body, idempotencyKey: key }),
    untilAnswered: true,
    touches: touched.users,
    done: ({ balanceTokens }) => {
      onClose()
      const balance = formatAmount(balanceTokens, i18n.locale)
      toast.success(t`Balance updated successfully!`, t`It is ${balance} ${symbol} now.`)
    },
    empties: true,
    failed: t`Error`,
    onFail: onClose,
    onWaits: onClose,
  })
  return { form, asked, onClose }
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
