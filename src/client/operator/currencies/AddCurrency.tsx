import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { type CurrencyInput, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { currencyInput } from '../../../shared/api/currencies-inputs.ts'
import { call } from '../../area/call.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { useChange } from '../../area/use-change.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { type CurrencyValues, MainFields, MoreFields, useAddressRefusal } from './currency-form.tsx'

const empty: CurrencyValues & { code: string } = {
  code: '',
  fullName: '',
  rate: '',
  address: '',
  network: undefined,
  erc20: false,
  tokenContract: null,
  rateSource: 'manual',
  priceId: null,
}

export function AddCurrency() {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(currencyInput, empty)
  const addressRefusal = useAddressRefusal()
  /** The address that the server refused, and why. */
  const [wrong, setWrong] = useState<{ address: string; words: string | undefined }>()
  const add = useChange({
    run: (body: CurrencyInput) => call(operatorCurrencyRoutes.add, { body }),
    touches: touched.currencies,
    done: ({ code }) => {
      toast.success(t`Cryptocurrency ${code} added.`)
      form.reset()
    },
    failed: (message) =>
      message ? t`Failed to add cryptocurrency: ${message}` : t`Failed to add cryptocurrency`,
    onFail: (error) => {
      form.refuse(error)
      setWrong({ address: form.values.address, words: addressRefusal(error) })
    },
  })
  const submit = () => {
    if (refusal) return
    const body = form.check(element.current)
    // The network by the code and the usual ERC-20 names are the server's to know.
    if (body) add.mutate({ ...body, erc20: body.erc20 || undefined })
  }
  const { set, values } = form
  const error = (path: string) =>
    form.error(path) ?? (path === 'address' && wrong?.address === values.address ? wrong.words : undefined)
  return (
    <Band title={t`Add a currency`}>
      <form
        ref={element}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FieldRow>
          <Field label={t`Currency`} error={error('code')}>
            <Input
              value={values.code}
              onChange={(event) => set({ code: event.target.value })}
              className="uppercase"
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
          <MainFields values={values} set={set} error={error} />
        </FieldRow>
        <details>
          <summary className="w-fit text-sm text-soft hover:text-ink">
            <Trans>Network, rate source and more</Trans>
          </summary>
          <div className="pt-4">
            <MoreFields values={values} set={set} error={error} />
          </div>
        </details>
        <Button type="submit" className="self-start" loading={add.isPending} disabledReason={refusal}>
          <Trans>Add currency</Trans>
        </Button>
      </form>
    </Band>
  )
}
