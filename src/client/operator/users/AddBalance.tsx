import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { type GrantInput, operatorUserRoutes } from '../../../shared/api/holdings.ts'
import { grantInput } from '../../../shared/api/holdings-inputs.ts'
import { call } from '../../area/call.ts'
import { FieldRow } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { formatAmount } from '../../ui/numbers.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

const empty = { email: '', amount: '', reason: '' }

/** Grants tokens from the share that pays bonuses. */
export function AddBalance() {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const refusal = useRefusal()('grants:write')
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(grantInput, empty)
  const [asked, setAsked] = useState<{ body: GrantInput; key: string }>()
  const add = useChange({
    // One key for one intention: a repeat after a lost answer adds nothing twice.
    run: ({ body, key }: { body: GrantInput; key: string }) =>
      call(operatorUserRoutes.addBalance, { body, idempotencyKey: key }),
    touches: touched.users,
    done: ({ balanceTokens }) => {
      const balance = formatAmount(balanceTokens, i18n.locale)
      toast.success(t`Balance updated successfully!`, t`It is ${balance} ${symbol} now.`)
      setAsked(undefined)
      form.reset(empty)
    },
    failed: false,
    onFail: (error) => {
      setAsked(undefined)
      form.refuse(error)
      toast.error(t`Error`, errorText(error) || t`Failed to update balance`)
    },
  })
  const { values, set, error } = form
  const isEmpty = values.email.trim() === '' || values.amount.trim() === ''
  const run = (body: GrantInput, key: string) =>
    add.mutate({ body, key }, { onError: () => setAsked(undefined) })
  return (
    <form
      ref={element}
      noValidate
      className="mb-6"
      onSubmit={(event) => {
        event.preventDefault()
        const body = form.check(element.current)
        if (body && !isEmpty && !refusal) setAsked({ body, key: crypto.randomUUID() })
      }}
    >
      <FieldRow>
        <Field label={t`Email`} error={error('email')}>
          <Input
            value={values.email}
            onChange={(event) => set({ email: event.target.value })}
            type="email"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label={t`Amount`} error={error('amount')}>
          <DecimalInput
            className="figures"
            value={values.amount}
            placeholder="100"
            onValueChange={(amount) => set({ amount })}
          />
        </Field>
        <Field label={t`Reason`} optional={t`optional`} error={error('reason')}>
          <Input value={values.reason} onChange={(event) => set({ reason: event.target.value })} />
        </Field>
        <Button
          type="submit"
          className="sm:mt-6.5 justify-self-start"
          disabled={isEmpty || add.isPending}
          disabledReason={refusal}
        >
          {add.isPending ? <Trans>Updating...</Trans> : <Trans>Add Balance</Trans>}
        </Button>
      </FieldRow>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t`Add balance?`}
        confirm={t`Add Balance`}
        loading={add.isPending}
        onConfirm={() => asked && run(asked.body, asked.key)}
      >
        {asked ? (
          <ul className="list-disc pl-5">
            <li>
              <Trans>
                {asked.body.email} is given {formatAmount(asked.body.amount, i18n.locale)} {symbol}.
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
        ) : null}
      </ConfirmDialog>
    </form>
  )
}
