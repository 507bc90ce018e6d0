import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { currencyFields } from '../../../shared/api/currencies-inputs.ts'
import { Conflict, differencesOf } from '../../area/Conflict.tsx'
import { call, currentOf, waitsForSecond } from '../../area/call.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormError } from '../../ui/Field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { touched } from '../touched.ts'
import { type CurrencyValues, MainFields, MoreFields } from './currency-form.tsx'

const schema = z.object(currencyFields)

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

/** Changes one currency; its code stays. */
export function EditCurrency({ currency, onClose }: { currency: OperatorCurrency; onClose: () => void }) {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const [base, setBase] = useState(currency)
  const [theirs, setTheirs] = useState<OperatorCurrency>()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm(
    base.watched
      ? schema
      : schema.extend({ address: schema.shape.address.min(5, 'Address must be at least 5 characters.') }),
    valuesOf(currency),
  )
  const { set, error, values } = form
  const { code } = currency

  const update = useChange({
    run: (body: Partial<CurrencyValues>) =>
      call(operatorCurrencyRoutes.update, { params: { code }, body: { ...body, revision: base.revision } }),
    touches: touched.currencies,
    done: () => {
      toast.success(t`Cryptocurrency ${code} has been updated.`)
      onClose()
    },
    failed: (message) => t`Failed to update cryptocurrency: ${message}`,
    onFail: (thrown) => {
      setTheirs(currentOf<OperatorCurrency>(thrown))
      if (!form.refuse(thrown)) setFailure(errorText(thrown))
    },
  })

  const submit = () => {
    const checked = form.check(element.current)
    if (!checked) return
    const before = valuesOf(base)
    const changed = Object.fromEntries(
      Object.entries(checked).filter(([key, value]) => value !== before[key as keyof CurrencyValues]),
    )
    if (Object.keys(changed).length === 0) return onClose()
    setFailure(undefined)
    update.mutate(changed, { onError: (thrown) => waitsForSecond(thrown) && onClose() })
  }

  const addressChanges = !base.watched && values.address !== base.address
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      dismissible={false}
      title={t`Edit ${code}`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button loading={update.isPending} onClick={submit}>
            <Trans>Save changes</Trans>
          </Button>
        </>
      }
    >
      {theirs ? (
        <Conflict
          differences={differencesOf<CurrencyValues>(values, valuesOf(theirs), {
            fullName: t`Full name`,
            rate: t`Rate`,
            address: t`Address`,
            network: t`Network`,
            erc20: t`Shares the ERC-20 wallet`,
            tokenContract: t`Token contract`,
            rateSource: t`Rate source`,
            priceId: t`Price id`,
          })}
          onTheirs={() => {
            setBase(theirs)
            form.reset(valuesOf(theirs))
            setTheirs(undefined)
            setFailure(undefined)
          }}
          onMine={() => {
            setBase(theirs)
            setTheirs(undefined)
            setFailure(undefined)
          }}
        />
      ) : null}
      <form
        ref={element}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormError>{theirs ? null : failure}</FormError>
        <MainFields values={values} set={set} error={error} watched={base.watched} />
        {addressChanges ? (
          <Notice>
            <Trans>
              New orders will be paid to the new address. Buyers with open orders are told by mail, owners
              too.
            </Trans>
          </Notice>
        ) : null}
        <MoreFields values={values} set={set} error={error} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
