import { Trans, useLingui } from '@lingui/react/macro'
import { operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { currencyInput } from '../../../shared/api/currencies-inputs.ts'
import { type Network } from '../../../shared/networks.ts'
import { ApiError } from '../../api.ts'
import { call } from '../../area/call.ts'
import { useNamedPart } from '../../area/named-part.ts'
import { Band, FieldRow } from '../../area/Page.tsx'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useNetworkName } from '../payment-names.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { type CurrencyValues, MainFields, MoreFields } from './CurrencyFields.tsx'

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

const rules = rulesOf(currencyInput)

export function AddCurrency() {
  const { t } = useLingui()
  useNamedPart()
  const refusal = useRefusal()('currencies:write')
  const form = useForm({
    rules,
    initial: empty,
    // The server knows a code's network and the usual ERC-20 names.
    send: (body) => call(operatorCurrencyRoutes.add, { body: { ...body, erc20: body.erc20 || undefined } }),
    touches: touched.currencies,
    done: ({ code }) => toast.success(t`Cryptocurrency ${code} added.`),
    empties: true,
    atField: { address_invalid: 'address' },
    words: useWords(),
    failed: (message) => t`Failed to add cryptocurrency: ${message}`,
  })
  return (
    <Band title={t`Add a currency`} id="add-currency">
      <form {...form.formProps} className="flex flex-col gap-4">
        <FieldRow>
          <TextField
            form={form}
            name="code"
            label={t`Currency`}
            className="uppercase"
            autoComplete="off"
            spellCheck={false}
          />
          <MainFields form={form} />
        </FieldRow>
        <details>
          <summary className="w-fit text-sm text-soft hover:text-ink">
            <Trans>Network, rate source and more</Trans>
          </summary>
          <div className="pt-4">
            <MoreFields form={form} />
          </div>
        </details>
        <Button type="submit" className="self-start" loading={form.isPending} disabledReason={refusal}>
          <Trans>Add currency</Trans>
        </Button>
      </form>
    </Band>
  )
}

/** Words that name the network of a wrong address. */
function useWords(): (error: unknown) => string {
  const { t } = useLingui()
  const networkName = useNetworkName()
  return (error) => {
    if (!(error instanceof ApiError) || error.code !== 'address_invalid') return errorText(error)
    const name = networkName(error.details['network'] as Network)
    return t`This is no address of ${name}. Another network is chosen under “Network, rate source and more”.`
  }
}
