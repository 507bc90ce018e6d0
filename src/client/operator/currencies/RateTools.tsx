import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { evmWalletInput } from '../../../shared/api/currencies-inputs.ts'
import { sharesEvmWallet } from '../../../shared/evm-wallet.ts'
import { ApiError } from '../../api.ts'
import { Conflict } from '../../area/Conflict.tsx'
import { call } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { rulesOf } from '../../area/rules.ts'
import { TextField } from '../../area/TextField.tsx'
import { useChange } from '../../area/use-change.ts'
import { useEdit } from '../../area/use-edit.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { currenciesQuery } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { type WalletMove, WalletMoves } from '../WalletMoves.tsx'
import { EditSeveral } from './EditSeveral.tsx'

export function RateTools() {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  const [wallet, setWallet] = useState<readonly OperatorCurrency[]>()
  const [several, setSeveral] = useState<readonly OperatorCurrency[]>()
  const currencies = useQuery(currenciesQuery).data
  const withReason = (text: string, why: unknown) => {
    if (why === 'too_few_sources')
      return `${text}. ${t`Fewer than two rate sources are asked: add one under Rate sources.`}`
    if (why === 'no_agreement')
      return `${text}. ${t`No two rate sources agree on any currency: Rate sources says what each answers.`}`
    return text
  }
  const refresh = useChange({
    run: () => call(operatorCurrencyRoutes.refreshRates),
    touches: touched.currencies,
    done: ({ missing }) =>
      toast.success(
        t`Cryptos updated successfully`,
        missing.length > 0
          ? t`There is no price for these that can be relied on; they keep their rate: ${missing.join(', ')}`
          : undefined,
      ),
    words: (error) =>
      withReason(errorText(error), error instanceof ApiError ? error.details['why'] : undefined),
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
      <Button
        variant="secondary"
        disabledReason={refusal}
        disabled={!currencies}
        onClick={() => setWallet(currencies)}
      >
        <Trans>Update ERC-20 Wallet</Trans>
      </Button>
      <Button
        variant="secondary"
        disabledReason={refusal}
        disabled={!currencies?.length}
        onClick={() => setSeveral(currencies)}
      >
        <Trans>Edit several</Trans>
      </Button>
      {wallet ? <EvmWallet currencies={wallet} onClose={() => setWallet(undefined)} /> : null}
      {several ? <EditSeveral currencies={several} onClose={() => setSeveral(undefined)} /> : null}
    </>
  )
}

type Addresses = Record<string, string>

const addressesOf = (currencies: readonly OperatorCurrency[]): Addresses =>
  Object.fromEntries(currencies.map(({ code, address }) => [code, address]))

/** Moved currencies, grouped by new address; undefined for those that left the wallet. */
function movedBetween(before: Addresses, now: Addresses): { codes: string; address: string | undefined }[] {
  const moved = Object.keys({ ...before, ...now }).filter((code) => before[code] !== now[code])
  return [...Map.groupBy(moved, (code) => now[code])].map(([address, codes]) => ({
    codes: codes.join(', '),
    address,
  }))
}

/** The moves to one new address, grouped by the old one. */
const movesTo = (to: string, now: Addresses): WalletMove[] =>
  [...Map.groupBy(Object.keys(now), (code) => now[code] ?? '')].map(([from, codes]) => ({ codes, from, to }))

/** `currencies` is their state when the dialog opened. */
function EvmWallet({
  currencies,
  onClose,
}: {
  currencies: readonly OperatorCurrency[]
  onClose: () => void
}) {
  const { t } = useLingui()
  const form = useEdit({
    thing: addressesOf(currencies.filter(sharesEvmWallet)),
    valuesOf: () => ({ address: '' }),
    rules: rulesOf(evmWalletInput),
    send: (body, replaces) => call(operatorCurrencyRoutes.setEvmWallet, { body: { ...body, replaces } }),
    touches: touched.currencies,
    done: ({ address }) => {
      toast.success(t`ERC-20 wallets updated to ${address}`)
      onClose()
    },
    onWaits: onClose,
    failed: (message) => t`Failed to update cryptocurrencies: ${message}`,
  })
  const codes = Object.keys(form.base).join(', ')
  const { theirs } = form
  return (
    <FormDialog
      form={form}
      title={t`Update ERC-20 Wallet`}
      description={codes ? t`One address for ${codes}.` : t`No currency shares it yet.`}
      submit={<Trans>Update the wallet</Trans>}
      conflict={
        theirs ? (
          <Conflict
            differences={movedBetween(form.base, theirs).map(({ codes: moved, address }) => ({
              key: moved,
              label: moved,
              mine: form.values.address,
              theirs: address === undefined ? t`no longer shares the wallet` : address || '—',
            }))}
            onTheirs={onClose}
            onMine={form.keepMine}
          />
        ) : null
      }
      onClose={onClose}
    >
      <TextField
        form={form}
        name="address"
        label={t`New address`}
        className="figures"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="0x…"
      />
      <Notice>
        <WalletMoves moves={movesTo(form.values.address.trim(), form.base)} />
        <Trans>
          New orders will be paid to it. Buyers with open orders on these are told by mail, owners too.
        </Trans>
      </Notice>
    </FormDialog>
  )
}
