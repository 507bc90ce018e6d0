import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { evmWalletInput } from '../../../shared/api/currencies-inputs.ts'
import { call, waitsForSecond } from '../../area/call.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input } from '../../ui/Field.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useSchemaForm } from '../form.ts'
import { currenciesQuery } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

/** `Update Crypto Rates` and `Update ERC-20 Wallet`. */
export function RateTools() {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  const [wallet, setWallet] = useState(false)
  const refresh = useChange({
    run: () => call(operatorCurrencyRoutes.refreshRates),
    touches: touched.currencies,
    done: ({ missing }) =>
      toast.success(
        t`Cryptos updated successfully`,
        missing.length > 0
          ? t`The price service does not know these; they keep their rate: ${missing.join(', ')}`
          : undefined,
      ),
    failed: (message) => t`Failed to update cryptos: ${message}`,
  })
  return (
    <>
      <Button
        variant="secondary"
        loading={refresh.isPending}
        disabledReason={refusal}
        onClick={() => refresh.mutate()}
      >
        <Trans>Update Crypto Rates</Trans>
      </Button>
      <Button variant="secondary" disabledReason={refusal} onClick={() => setWallet(true)}>
        <Trans>Update ERC-20 Wallet</Trans>
      </Button>
      {wallet ? <EvmWallet onClose={() => setWallet(false)} /> : null}
    </>
  )
}

function EvmWallet({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const element = useRef<HTMLFormElement>(null)
  const form = useSchemaForm(evmWalletInput, { address: '' })
  const [failure, setFailure] = useState<string>()
  const flagged = (useQuery(currenciesQuery).data ?? []).filter(({ erc20, watched }) => erc20 && !watched)
  const codes = flagged.map(({ code }) => code).join(', ')
  const change = useChange({
    run: (body: { address: string }) => call(operatorCurrencyRoutes.setEvmWallet, { body }),
    touches: touched.currencies,
    done: ({ address }) => {
      toast.success(t`ERC-20 wallets updated to ${address}`)
      onClose()
    },
    failed: (message) => t`Failed to update cryptocurrencies: ${message || t`Update failed`}`,
    onFail: (error) => {
      if (!form.refuse(error)) setFailure(errorText(error))
    },
  })
  const submit = () => {
    const body = form.check(element.current)
    setFailure(undefined)
    if (body) change.mutate(body, { onError: (error) => waitsForSecond(error) && onClose() })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`Update ERC-20 Wallet`}
      description={codes ? t`One address for ${codes}.` : t`No currency is marked as sharing it yet.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={change.isPending} onClick={submit}>
            <Trans>Update the wallet</Trans>
          </Button>
        </>
      }
    >
      <form
        ref={element}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <FormError>{failure}</FormError>
        <Field label={t`New address`} error={form.error('address')}>
          <Input
            className="figures"
            value={form.values.address}
            onChange={(event) => form.set({ address: event.target.value })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="0x…"
          />
        </Field>
        <Notice>
          <Trans>
            New orders will be paid to it. Buyers with open orders on these are told by mail, owners too.
          </Trans>
        </Notice>
      </form>
    </Dialog>
  )
}
