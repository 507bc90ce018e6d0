import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type OperatorWallet,
  operatorPaymentRoutes,
  type WalletFamily,
  walletFamilies,
} from '../../../shared/api/payments.ts'
import { call } from '../../area/call.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { Fact, Facts } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FormError, Input, Textarea } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { Status } from '../../ui/Status.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { currenciesQuery } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'

const familyNames: Record<WalletFamily, string> = {
  bitcoin: 'Bitcoin',
  litecoin: 'Litecoin',
  dogecoin: 'Dogecoin',
  evm: 'EVM',
}

/** Watch-only wallets: public keys from which each order gets an address of its own. */
export function Wallets() {
  const refusal = useRefusal()('currencies:write')
  const [adding, setAdding] = useState(false)
  const [checking, setChecking] = useState<OperatorWallet>()
  const query = useQuery(readItems(operatorPaymentRoutes.wallets))
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="measure text-sm text-soft">
          <Trans>
            A wallet here is an account's public key: it shows addresses and can't spend. No private key is
            ever needed.
          </Trans>
        </p>
        <Button disabledReason={refusal} onClick={() => setAdding(true)}>
          <Trans>Add a wallet</Trans>
        </Button>
      </div>
      <Loaded query={query}>
        {(wallets) => (
          <>
            {wallets.length === 0 ? (
              <p className="py-6 text-soft">
                <Trans>No wallet yet: every currency is paid to its fixed address.</Trans>
              </p>
            ) : null}
            <ul>
              {wallets.map((wallet) => (
                <li key={wallet.id} className="border-t border-line py-5">
                  <Wallet wallet={wallet} refusal={refusal} onCheck={() => setChecking(wallet)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {adding ? <AddWallet onClose={() => setAdding(false)} onAdded={setChecking} /> : null}
      {checking ? <CheckWallet wallet={checking} onClose={() => setChecking(undefined)} /> : null}
    </>
  )
}

function Wallet({
  wallet,
  refusal,
  onCheck,
}: {
  wallet: OperatorWallet
  refusal: string | undefined
  onCheck: () => void
}) {
  const { t } = useLingui()
  const currencies = useQuery(currenciesQuery).data ?? []
  const [code, setCode] = useState<string | null>(null)
  const assign = useChange({
    run: ({ code: which, walletId }: { code: string; walletId: number | null }) =>
      call(operatorPaymentRoutes.setCurrencyWallet, { params: { code: which }, body: { walletId } }),
    touches: touched.wallets,
    done: ({ code: which, watched }) =>
      toast.success(
        watched
          ? t`Each order of ${which} gets an address of its own now.`
          : t`${which} is paid to its fixed address now.`,
      ),
  })
  const free = currencies.filter(
    (currency) => !wallet.currencies.includes(currency.code) && !currency.switchedOffAt,
  )
  return (
    <article>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="text-lg font-semibold">{wallet.name}</h2>
        {wallet.checkedAt ? (
          <Status tone="success">{t`addresses confirmed`}</Status>
        ) : (
          <Status tone="now">{t`not confirmed yet`}</Status>
        )}
        {wallet.checkedAt ? null : (
          <Button size="sm" disabledReason={refusal} onClick={onCheck}>
            <Trans>Confirm its addresses…</Trans>
          </Button>
        )}
      </div>
      <Facts>
        <Fact label={t`Kind`}>
          {familyNames[wallet.family]}
          {wallet.script === 'evm' ? null : `, ${wallet.script}`}
          {wallet.net === 'main' ? null : `, ${wallet.net}`}
        </Fact>
        <Fact label={t`Account key`}>
          <span className="figures">{wallet.accountKey}</span>
        </Fact>
        <Fact label={t`Addresses given away`}>
          <span className="figures">{wallet.nextIndex}</span>
          {wallet.highestIndexPaid === null ? null : (
            <>
              {' · '}
              <Trans>highest one paid: {wallet.highestIndexPaid}</Trans>
            </>
          )}
        </Fact>
        <Fact label={t`Gap limit to set in your wallet`}>
          <strong className="figures">{wallet.gapLimit}</strong>
        </Fact>
        <Fact label={t`Currencies`}>
          {wallet.currencies.length === 0 ? '—' : null}
          <span className="flex flex-wrap gap-2">
            {wallet.currencies.map((which) => (
              <Button
                key={which}
                variant="secondary"
                size="sm"
                aria-label={t`Stop deriving addresses for ${which}`}
                disabledReason={refusal}
                onClick={() => assign.mutate({ code: which, walletId: null })}
              >
                {which} ×
              </Button>
            ))}
          </span>
        </Fact>
      </Facts>
      {wallet.checkedAt ? (
        <div className="mt-3 flex flex-wrap items-end gap-2">
          <Field label={t`Use it for a currency`} className="w-56">
            <Select
              value={code}
              onValueChange={setCode}
              placeholder={t`Choose`}
              options={free.map((currency) => ({
                value: currency.code,
                label: `${currency.code} ${currency.fullName}`,
              }))}
            />
          </Field>
          <Button
            variant="secondary"
            loading={assign.isPending}
            disabledReason={refusal ?? (code ? undefined : t`Choose a currency first.`)}
            onClick={() => code && assign.mutate({ code, walletId: wallet.id })}
          >
            <Trans>Use it</Trans>
          </Button>
        </div>
      ) : null}
    </article>
  )
}

function AddWallet({ onClose, onAdded }: { onClose: () => void; onAdded: (wallet: OperatorWallet) => void }) {
  const { t } = useLingui()
  const [name, setName] = useState('')
  const [family, setFamily] = useState<WalletFamily>('bitcoin')
  const [accountKey, setAccountKey] = useState('')
  const [failure, setFailure] = useState<string>()
  const add = useChange({
    run: () =>
      call(operatorPaymentRoutes.addWallet, { body: { name, family, accountKey: accountKey.trim() } }),
    touches: touched.wallets,
    done: (wallet) => {
      onClose()
      onAdded(wallet)
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`Add a wallet`}
      description={t`Export the account's public key (xpub, ypub, zpub …) from your own wallet.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            loading={add.isPending}
            disabledReason={name.trim() && accountKey.trim() ? undefined : t`Give it a name and a key.`}
            onClick={() => {
              setFailure(undefined)
              add.mutate()
            }}
          >
            <Trans>Add it</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failure}</FormError>
        <Notice tone="danger">
          <Trans>Never enter a seed phrase or a private key here, or anywhere else that asks for one.</Trans>
        </Notice>
        <Field label={t`Name`}>
          <Input value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={t`Kind`}>
          <Select
            value={family}
            onValueChange={setFamily}
            options={walletFamilies.map((known) => ({ value: known, label: familyNames[known] }))}
          />
        </Field>
        <Field label={t`Account public key`}>
          <Textarea
            rows={3}
            className="figures"
            value={accountKey}
            onChange={(event) => setAccountKey(event.target.value)}
            spellCheck={false}
            autoCapitalize="none"
          />
        </Field>
      </div>
    </Dialog>
  )
}

function CheckWallet({ wallet, onClose }: { wallet: OperatorWallet; onClose: () => void }) {
  const { t } = useLingui()
  const [addresses, setAddresses] = useState(['', '', ''])
  const [failure, setFailure] = useState<string>()
  const check = useChange({
    run: () =>
      call(operatorPaymentRoutes.checkWallet, {
        params: { id: wallet.id },
        body: { addresses: addresses.map((address) => address.trim()) as [string, string, string] },
      }),
    touches: touched.wallets,
    done: () => {
      toast.success(t`The addresses agree. The wallet can be used.`)
      onClose()
    },
    failed: false,
    onFail: (error) => setFailure(errorText(error)),
  })
  const ready = addresses.every((address) => address.trim().length >= 5)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      dismissible={false}
      title={t`Confirm “${wallet.name}”`}
      description={t`Enter the first three receiving addresses as your own wallet shows them. Until they agree no order gets an address of it.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Later</Trans>
          </Button>
          <Button
            loading={check.isPending}
            disabledReason={ready ? undefined : t`Enter all three.`}
            onClick={() => {
              setFailure(undefined)
              check.mutate()
            }}
          >
            <Trans>Compare</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormError>{failure}</FormError>
        {addresses.map((address, index) => {
          const number = index + 1
          return (
            // Three fields in a fixed order.
            // oxlint-disable-next-line react/no-array-index-key
            <Field key={index} label={t`Address ${number}`}>
              <Input
                className="figures"
                value={address}
                spellCheck={false}
                autoCapitalize="none"
                onChange={(event) =>
                  setAddresses(addresses.map((other, at) => (at === index ? event.target.value : other)))
                }
              />
            </Field>
          )
        })}
      </div>
    </Dialog>
  )
}
