import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { z } from 'zod'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { currencyFields } from '../../../shared/api/currencies-inputs.ts'
import { ApiError } from '../../api.ts'
import { call, currentOf } from '../../area/call.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import { FormDialog } from '../../area/FormDialog.tsx'
import { type ItemFields, itemsOf } from '../../area/form-fields.ts'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSymbol } from '../queries.ts'
import { touched } from '../touched.ts'
import { NewAddresses } from '../WalletMoves.tsx'

const edited = z.object({ code: z.string(), rate: currencyFields.rate, address: currencyFields.address })
const rules = rulesOf(z.object({ currencies: z.array(edited) }))

type Edited = z.infer<typeof edited>
const fields = ['rate', 'address'] as const

const valuesOf = ({ code, rate, address }: OperatorCurrency): Edited => ({ code, rate, address })

/** Returns the fields the operator changed, `{}` if none. */
const changeOf = (typed: Edited, base: OperatorCurrency): Partial<Edited> =>
  Object.fromEntries(fields.flatMap((field) => (typed[field] === base[field] ? [] : [[field, typed[field]]])))

/** Saves all or none. */
export function EditSeveral({
  currencies,
  onClose,
}: {
  currencies: readonly OperatorCurrency[]
  onClose: () => void
}) {
  const { t } = useLingui()
  const form = useSeveral(currencies, onClose)
  const isChanged = form.values.currencies.some((typed, at) => {
    const base = form.base[at]
    return base !== undefined && Object.keys(changeOf(typed, base)).length > 0
  })
  const moves = form.values.currencies.flatMap(({ code, address }, at) => {
    const from = form.base[at]?.address ?? ''
    return address === from ? [] : { codes: [code], from, to: address.trim() }
  })
  return (
    <FormDialog
      form={form}
      size="lg"
      title={t`Edit several`}
      description={t`All your changes are saved together, or none.`}
      submit={<Trans>Save changes</Trans>}
      disabledReason={isChanged ? undefined : t`No changes yet.`}
      onClose={onClose}
    >
      {form.changed ? (
        <Notice tone="danger">
          <Trans>
            {form.changed.code} was changed by somebody else meanwhile: its rate is {form.changed.rate} now,
            its address {form.changed.address || '—'}. Your text is kept; saving again replaces theirs.
          </Trans>
        </Notice>
      ) : null}
      <ul className="flex flex-col gap-4">
        {itemsOf(form, 'currencies').map((item, at) => (
          <li key={item.values.code}>
            <CurrencyRow item={item} watched={form.base[at]?.watched ?? false} />
          </li>
        ))}
      </ul>
      <NewAddresses moves={moves} />
    </FormDialog>
  )
}

/** `changed` is the saved version of a currency that somebody else changed. */
function useSeveral(currencies: readonly OperatorCurrency[], onClose: () => void) {
  const { t } = useLingui()
  const [base, setBase] = useState(currencies)
  const [changed, setChanged] = useState<OperatorCurrency>()
  const takeUp = (current: OperatorCurrency) => {
    const before = base.find(({ code }) => code === current.code)
    setBase(base.map((one) => (one.code === current.code ? current : one)))
    setChanged(current)
    // An untouched field takes over the other's value: saving must not restore the old one.
    form.set({
      currencies: form.values.currencies.map((typed) =>
        before && typed.code === current.code ? { ...valuesOf(current), ...changeOf(typed, before) } : typed,
      ),
    })
  }
  const form = useForm({
    rules,
    initial: { currencies: currencies.map(valuesOf) },
    send: async ({ currencies: all }) => {
      setChanged(undefined)
      const changes = all.flatMap((typed, at) => {
        const stood = base[at]
        const change = stood ? changeOf(typed, stood) : {}
        return stood && Object.keys(change).length > 0
          ? [{ code: stood.code, revision: stood.revision, ...change }]
          : []
      })
      await call(operatorCurrencyRoutes.updateSeveral, { body: { currencies: changes } })
    },
    touches: touched.currencies,
    done: () => {
      toast.success(t`Cryptos updated successfully`)
      onClose()
    },
    onWaits: onClose,
    words: (error) => {
      const code = error instanceof ApiError ? error.details['currency'] : undefined
      return typeof code === 'string' ? `${code}: ${errorText(error)}` : errorText(error)
    },
    onFail: (error) => {
      const current = currentOf<OperatorCurrency>(error)
      if (current?.code) takeUp(current)
    },
  })
  return { ...form, base, changed }
}

function CurrencyRow({ item, watched }: { item: ItemFields<Edited>; watched: boolean }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const { code } = item.values
  return (
    <div className="grid gap-3 sm:grid-cols-[12rem_1fr]">
      <DecimalField form={item} name="rate" label={t`${code}, ${symbol} for 1`} />
      <TextField
        form={item}
        name="address"
        label={t`Address for ${code}`}
        className="figures"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={watched}
        hint={watched ? t`Watched on its chain: each order gets an address of its own.` : undefined}
      />
    </div>
  )
}
