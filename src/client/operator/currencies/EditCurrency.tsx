import { Trans, useLingui } from '@lingui/react/macro'
import { z } from 'zod'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { currencyFields } from '../../../shared/api/currencies-inputs.ts'
import { call } from '../../area/call.ts'
import { FormConflict, FormDialog } from '../../area/FormDialog.tsx'
import { rulesOf } from '../../area/rules.ts'
import { useEdit } from '../../area/use-edit.ts'
import { toast } from '../../ui/Toast.tsx'
import { touched } from '../touched.ts'
import { NewAddresses } from '../WalletMoves.tsx'
import { type CurrencyValues, MainFields, MoreFields } from './CurrencyFields.tsx'

const address = currencyFields.address.min(5, 'address_short 5')
const rules = rulesOf(z.object({ ...currencyFields, address }))
const rulesOfWatched = rulesOf(z.object(currencyFields))

const valuesOf = (currency: OperatorCurrency): CurrencyValues => ({
  fullName: currency.fullName,
  rate: currency.rate,
  address: currency.address,
  network: currency.network,
  erc20: currency.erc20,
  tokenContract: currency.tokenContract,
  rateSource: currency.rateSource,
  priceId: currency.priceId,
})

export function EditCurrency({ currency, onClose }: { currency: OperatorCurrency; onClose: () => void }) {
  const { t } = useLingui()
  const { code } = currency
  const form = useEdit({
    thing: currency,
    valuesOf,
    rules: currency.watched ? rulesOfWatched : rules,
    send: async (checked, base) => {
      const before = valuesOf(base)
      const changed = Object.entries(checked).filter(
        ([key, value]) => value !== before[key as keyof CurrencyValues],
      )
      if (changed.length === 0) return
      const body = { ...Object.fromEntries(changed), revision: base.revision }
      await call(operatorCurrencyRoutes.update, { params: { code }, body })
      toast.success(t`Cryptocurrency ${code} has been updated.`)
    },
    touches: touched.currencies,
    done: onClose,
    onWaits: onClose,
    failed: (message) => t`Failed to update cryptocurrency: ${message}`,
  })
  const { base } = form
  const isMoved = !base.watched && form.values.address !== base.address
  return (
    <FormDialog
      form={form}
      size="lg"
      title={t`Edit ${code}`}
      submit={<Trans>Save changes</Trans>}
      close={<Trans>Close</Trans>}
      conflict={
        <FormConflict
          form={form}
          labels={{
            fullName: t`Full name`,
            rate: t`Rate`,
            address: t`Address`,
            network: t`Network`,
            erc20: t`Shares the ERC-20 wallet`,
            tokenContract: t`Token contract`,
            rateSource: t`Rate source`,
            priceId: t`Price id`,
          }}
        />
      }
      onClose={onClose}
    >
      <MainFields form={form} watched={base.watched} />
      <NewAddresses
        moves={isMoved ? [{ codes: [code], from: base.address, to: form.values.address.trim() }] : []}
      />
      <MoreFields form={form} />
    </FormDialog>
  )
}
