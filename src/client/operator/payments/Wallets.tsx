import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operatorPaymentRoutes } from '../../../shared/api/operator-payments.ts'
import { type OperatorWallet } from '../../../shared/api/payments.ts'
import {
  familyName,
  type WalletFamily,
  type WalletScript,
  walletFamilies,
  walletScriptsOf,
} from '../../../shared/networks.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call, currentOf } from '../../area/call.ts'
import { FormDialog } from '../../area/FormDialog.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Fact, Facts } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { SelectField } from '../../area/SelectField.tsx'
import { TextField } from '../../area/TextField.tsx'
import { useForm } from '../../area/use-form.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, Textarea } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { Status } from '../../ui/Status.tsx'
import { Notice } from '../../ui/states.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useScriptName } from '../payment-names.ts'
import { currenciesQuery } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { WalletMoves } from '../WalletMoves.tsx'

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

interface WalletProps {
  wallet: OperatorWallet
  refusal: string | undefined
}

function Wallet({ wallet, refusal, onCheck }: WalletProps & { onCheck: () => void }) {
  const { t } = useLingui()
  const [leaving, setLeaving] = useState<string>()
  const currencies = useQuery(currenciesQuery).data
  const scriptName = useScriptName()
  return (
    <article>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="text-lg font-semibold">{wallet.name}</h2>
        {wallet.checkedAt ? (
          <Status tone="success">{t`addresses confirmed`}</Status>
        ) : (
          <>
            <Status tone="now">{t`not confirmed yet`}</Status>
            <Button size="sm" disabledReason={refusal} onClick={onCheck}>
              <Trans>Confirm its addresses…</Trans>
            </Button>
          </>
        )}
      </div>
      <Facts>
        <Fact label={t`Kind`}>
          {familyName(wallet.family)}
          {wallet.script === 'evm' ? null : `, ${scriptName(wallet.script, wallet.family)}`}
          {wallet.net === 'main' ? null : `, ${wallet.net}`}
        </Fact>
        <Fact label={t`Account key`}>
          <span className="figures">{wallet.accountKey}</span>
        </Fact>
        {/* No count of addresses: after a restore some were skipped. */}
        <Fact label={t`Number of the next address`}>
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
                disabled={!currencies?.some(({ code }) => code === which)}
                onClick={() => setLeaving(which)}
              >
                {which} ×
              </Button>
            ))}
          </span>
        </Fact>
      </Facts>
      {wallet.checkedAt ? <UseForCurrency wallet={wallet} refusal={refusal} /> : null}
      {leaving ? <ConfirmMove code={leaving} to={null} onClose={() => setLeaving(undefined)} /> : null}
    </article>
  )
}

/** Confirms a move to the wallet `to`, or without one to the fixed address. */
function ConfirmMove({
  code,
  to,
  onClose,
}: {
  code: string
  to: OperatorWallet | null
  onClose: () => void
}) {
  const { t } = useLingui()
  const wallets = useQuery(readItems(operatorPaymentRoutes.wallets)).data ?? []
  const standing = useQuery(currenciesQuery).data?.find((currency) => currency.code === code)
  // The server rejects a state that changed since it was shown.
  const [seen] = useState(standing)
  const now = wallets.find(({ currencies }) => currencies.includes(code))
  const fixed = seen?.address ?? ''
  return (
    <ConfirmChange
      title={t`Change where ${code} is paid to?`}
      confirm={t`Change it`}
      run={() =>
        call(operatorPaymentRoutes.setCurrencyWallet, {
          params: { code },
          body: { walletId: to?.id ?? null, revision: seen?.revision },
        })
      }
      touches={touched.wallets}
      words={(error) =>
        currentOf(error) === undefined
          ? errorText(error)
          : t`Somebody else changed where this currency is paid to. Nothing was changed. Look at it again.`
      }
      done={({ code: which, watched }) =>
        toast.success(
          watched
            ? t`Each order of ${which} gets an address of its own now.`
            : t`${which} is paid to its fixed address now.`,
        )
      }
      onClose={onClose}
    >
      <WalletMoves
        moves={[{ codes: [code], from: now ? inWords(now) : fixed, to: to ? inWords(to) : fixed }]}
      />
      <p className="mt-3 text-sm">
        {to ? (
          <Trans>
            Each new order gets an address of its own from this wallet. Buyers with open orders are told by
            mail, owners too.
          </Trans>
        ) : fixed ? (
          <Trans>
            New orders are paid to the fixed address, and operators approve them by hand. Buyers with open
            orders are told by mail, owners too.
          </Trans>
        ) : (
          <Trans>It has no fixed address: nobody can buy with it until it has one.</Trans>
        )}
      </p>
    </ConfirmChange>
  )
}

const inWords = ({ name, accountKey, firstAddresses }: OperatorWallet) =>
  `${name} (${accountKey.slice(0, 8)}…${accountKey.slice(-8)}): ${firstAddresses.join(', ')}, …`

function UseForCurrency({ wallet, refusal }: WalletProps) {
  const { t } = useLingui()
  const currencies = useQuery(currenciesQuery).data ?? []
  const [code, setCode] = useState<string | null>(null)
  const [asks, setAsks] = useState(false)
  const free = currencies.filter(
    (currency) => !wallet.currencies.includes(currency.code) && !currency.switchedOffAt,
  )
  return (
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
        disabledReason={refusal ?? (code ? undefined : t`Choose a currency first.`)}
        onClick={() => setAsks(true)}
      >
        <Trans>Use it…</Trans>
      </Button>
      {asks && code ? <ConfirmMove code={code} to={wallet} onClose={() => setAsks(false)} /> : null}
    </div>
  )
}

type NewWallet = Pick<OperatorWallet, 'name' | 'family' | 'accountKey'> & { script: WalletScript | 'by-key' }

/** The scripts to choose from; empty if there is only one. */
function choosableScripts(family: WalletFamily): readonly WalletScript[] {
  const scripts = walletScriptsOf(family)
  return scripts.length > 1 ? scripts : []
}

function AddWallet({ onClose, onAdded }: { onClose: () => void; onAdded: (wallet: OperatorWallet) => void }) {
  const { t } = useLingui()
  const initial: NewWallet = { name: '', family: 'bitcoin', accountKey: '', script: 'by-key' }
  const form = useForm({
    initial,
    send: ({ script, ...typed }: NewWallet) =>
      call(operatorPaymentRoutes.addWallet, {
        body: {
          ...typed,
          accountKey: typed.accountKey.trim(),
          ...(script !== 'by-key' && choosableScripts(typed.family).includes(script) ? { script } : {}),
        },
      }),
    touches: touched.wallets,
    done: (wallet) => {
      onClose()
      onAdded(wallet)
    },
  })
  const isComplete = form.values.name.trim() && form.values.accountKey.trim()
  const scripts = choosableScripts(form.values.family)
  const scriptName = useScriptName()
  return (
    <FormDialog
      form={form}
      title={t`Add a wallet`}
      description={t`Export the account's public key (xpub, ypub, zpub …) from your own wallet.`}
      submit={<Trans>Add it</Trans>}
      disabledReason={isComplete ? undefined : t`Give it a name and a key.`}
      onClose={onClose}
    >
      <Notice tone="danger">
        <Trans>Never enter a seed phrase or a private key here, or anywhere else that asks for one.</Trans>
      </Notice>
      <TextField form={form} name="name" label={t`Name`} maxLength={60} />
      <SelectField
        form={form}
        name="family"
        label={t`Kind`}
        options={walletFamilies.map((known) => ({ value: known, label: familyName(known) }))}
      />
      {scripts.length > 0 ? (
        <SelectField
          form={form}
          name="script"
          label={t`Addresses`}
          hint={t`Many wallets export every account as xpub: then choose what its addresses look like.`}
          options={[
            { value: 'by-key', label: t`As the key says` },
            ...scripts.map((script) => ({ value: script, label: scriptName(script, form.values.family) })),
          ]}
        />
      ) : null}
      <Field label={t`Account public key`} error={form.error('accountKey')}>
        <Textarea
          {...form.text('accountKey')}
          rows={3}
          className="figures"
          spellCheck={false}
          autoCapitalize="none"
        />
      </Field>
    </FormDialog>
  )
}

const places = ['first', 'second', 'third'] as const

function CheckWallet({ wallet, onClose }: { wallet: OperatorWallet; onClose: () => void }) {
  const { t } = useLingui()
  const form = useForm({
    initial: { first: '', second: '', third: '' },
    send: ({ first, second, third }: Record<(typeof places)[number], string>) =>
      call(operatorPaymentRoutes.checkWallet, {
        params: { id: wallet.id },
        body: { addresses: [first.trim(), second.trim(), third.trim()] },
      }),
    touches: touched.wallets,
    done: () => {
      toast.success(t`The addresses agree. The wallet can be used.`)
      onClose()
    },
  })
  const isComplete = places.every((place) => form.values[place].trim().length >= 5)
  return (
    <FormDialog
      form={form}
      title={t`Confirm “${wallet.name}”`}
      description={t`Enter the first three receiving addresses as your own wallet shows them. Until they match, no order gets an address of this wallet.`}
      submit={<Trans>Compare</Trans>}
      close={<Trans>Later</Trans>}
      disabledReason={isComplete ? undefined : t`Enter all three.`}
      onClose={onClose}
    >
      {places.map((place, index) => {
        const number = index + 1
        return (
          <TextField
            key={place}
            form={form}
            name={place}
            label={t`Address ${number}`}
            className="figures"
            spellCheck={false}
            autoCapitalize="none"
          />
        )
      })}
    </FormDialog>
  )
}
