import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { compare, showRate } from '../../../shared/money.ts'
import { call } from '../../area/call.ts'
import { useRowKeys, useSearchKey } from '../../area/keyboard.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { networkNames } from '../../area/network-names.ts'
import { Band } from '../../area/Page.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Input } from '../../ui/Field.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { EmptyRow, Table, TBody, Td, THead, Th, Tr } from '../../ui/Table.tsx'
import { toast } from '../../ui/Toast.tsx'
import { currenciesQuery, useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { EditCurrency } from './EditCurrency.tsx'
import { PauseCurrency } from './PauseCurrency.tsx'

type Doing = { what: 'edit' | 'remove' | 'pause'; currency: OperatorCurrency }

/** `All currencies`: what buyers can pay with, the switched-off ones included. */
export function CurrencyTable() {
  const { t } = useLingui()
  const query = useQuery(currenciesQuery)
  const url = useUrlState()
  const [doing, setDoing] = useState<Doing>()
  const search = useSearchKey()
  const words = url.get('search') ?? ''
  return (
    <Band
      title={t`All currencies`}
      action={
        <Input
          ref={search}
          type="search"
          className="h-9 w-60 text-sm"
          aria-label={t`Search currencies`}
          placeholder={t`Code or name (Ctrl+K)`}
          value={words}
          onChange={(event) => url.set({ search: event.target.value })}
        />
      }
    >
      <Loaded query={query} failed={t`Error: ${query.error ? errorText(query.error) : ''}`}>
        {(currencies) => <Rows currencies={pick(currencies, words, url.get('rate'))} onDo={setDoing} />}
      </Loaded>
      {doing?.what === 'edit' ? (
        <EditCurrency
          key={doing.currency.code}
          currency={doing.currency}
          onClose={() => setDoing(undefined)}
        />
      ) : null}
      {doing?.what === 'remove' ? (
        <RemoveCurrency currency={doing.currency} onClose={() => setDoing(undefined)} />
      ) : null}
      {doing?.what === 'pause' ? (
        <PauseCurrency currency={doing.currency} onClose={() => setDoing(undefined)} />
      ) : null}
    </Band>
  )
}

function pick(currencies: OperatorCurrency[], words: string, sort: string | undefined) {
  const wanted = words.trim().toLowerCase()
  const found = currencies.filter(({ code, fullName }) =>
    `${code} ${fullName}`.toLowerCase().includes(wanted),
  )
  if (sort !== 'asc' && sort !== 'desc') return found
  return found.toSorted((a, b) => (sort === 'asc' ? compare(a.rate, b.rate) : compare(b.rate, a.rate)))
}

function Rows({ currencies, onDo }: { currencies: OperatorCurrency[]; onDo: (doing: Doing) => void }) {
  const { t } = useLingui()
  const symbol = useSymbol()
  const url = useUrlState()
  const rows = useRowKeys()
  const sort = url.get('rate')
  const nextSort = sort === 'desc' ? 'asc' : sort === 'asc' ? null : 'desc'
  return (
    <Table caption={t`All currencies`} stack>
      <THead>
        <Th>
          <Trans>Currency</Trans>
        </Th>
        <Th>
          <Trans>Network</Trans>
        </Th>
        <Th
          numeric
          sort={sort === 'asc' || sort === 'desc' ? sort : null}
          onSort={() => url.set({ rate: nextSort })}
        >
          <Trans>Rate</Trans>
        </Th>
        <Th>
          <Trans>Address</Trans>
        </Th>
        <Th>
          <Trans>State</Trans>
        </Th>
        <Th className="text-right">
          <Trans>Actions</Trans>
        </Th>
      </THead>
      <TBody {...rows}>
        {currencies.length === 0 ? (
          <EmptyRow columns={6}>
            <Trans>No results</Trans>
          </EmptyRow>
        ) : null}
        {currencies.map((currency) => (
          <Tr key={currency.code}>
            <Td className="max-sm:justify-start! max-sm:pb-2!">
              <span className="flex items-center gap-3">
                <CoinIcon code={currency.code} className="size-7" />
                <span>
                  <strong>{currency.code}</strong>
                  <span className="block text-soft">{currency.fullName}</span>
                </span>
              </span>
            </Td>
            <Td label={t`Network`}>{networkNames[currency.network]}</Td>
            <Td label={t`Rate`} numeric>
              <div>
                <TokenAmount value={showRate(currency.rate)} unit={symbol} />
                <RateAge currency={currency} />
              </div>
            </Td>
            <Td label={t`Address`}>
              <Address currency={currency} />
            </Td>
            <Td label={t`State`}>
              <CurrencyState currency={currency} />
            </Td>
            <Td className="max-sm:justify-end!">
              <RowActions currency={currency} onDo={onDo} />
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  )
}

function RateAge({ currency }: { currency: OperatorCurrency }) {
  const { t } = useLingui()
  return (
    <span className="block font-text text-xs text-soft">
      {currency.rateSource === 'feed' ? t`feed` : t`manual`}, <RelativeTime value={currency.rateAt} />
    </span>
  )
}

function Address({ currency }: { currency: OperatorCurrency }) {
  const { t } = useLingui()
  const { address } = currency
  if (currency.watched) return <Trans>one per order, watched</Trans>
  if (!address)
    return (
      <span className="text-danger">
        <Trans>Address not specified</Trans>
      </span>
    )
  return (
    <span className="inline-flex min-w-0 items-center gap-1">
      <span className="figures max-w-44 truncate" title={address}>
        {address}
      </span>
      <CopyButton text={address} what={t`Copy the address of ${currency.code}`} />
    </span>
  )
}

function CurrencyState({ currency }: { currency: OperatorCurrency }) {
  const { t } = useLingui()
  if (currency.switchedOffAt) return <Status>{t`switched off`}</Status>
  if (currency.pausedAt)
    return (
      <span title={currency.pauseReason?.en || currency.pauseReason?.ru}>
        <Status tone="now">{t`paused`}</Status>
      </span>
    )
  return <Status tone="success">{t`on sale`}</Status>
}

function RowActions({ currency, onDo }: { currency: OperatorCurrency; onDo: (doing: Doing) => void }) {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  const { code } = currency
  const switchOn = useChange({
    run: () => call(operatorCurrencyRoutes.switchOn, { params: { code } }),
    touches: touched.currencies,
    done: () => toast.success(t`${code} is on sale again.`),
    failed: (message) => t`Failed to update cryptocurrency: ${message}`,
  })
  const resume = useChange({
    run: () => call(operatorCurrencyRoutes.pause, { params: { code }, body: { paused: false } }),
    touches: touched.currencies,
    done: () => toast.success(t`${code} is no longer paused.`),
    failed: (message) => t`Failed to update cryptocurrency: ${message}`,
  })
  return (
    <span className="flex justify-end gap-1">
      <Button
        variant="secondary"
        size="sm"
        aria-label={t`Edit ${code}`}
        disabledReason={refusal}
        onClick={() => onDo({ what: 'edit', currency })}
      >
        <Trans>Edit</Trans>
      </Button>
      <Button
        variant="ghost"
        size="sm"
        className="text-danger!"
        aria-label={t`Delete ${code}`}
        disabledReason={refusal ?? (currency.switchedOffAt ? t`It is switched off already.` : undefined)}
        onClick={() => onDo({ what: 'remove', currency })}
      >
        <Trans>Delete</Trans>
      </Button>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={t`More for ${code}`}
            className={buttonLook({ variant: 'ghost', size: 'icon-sm' })}
          >
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </button>
        }
        actions={[
          currency.pausedAt
            ? { label: t`Resume`, onSelect: () => resume.mutate(), disabledReason: refusal }
            : {
                label: t`Pause…`,
                onSelect: () => onDo({ what: 'pause', currency }),
                disabledReason: refusal ?? (currency.switchedOffAt ? t`It is switched off.` : undefined),
              },
          {
            label: t`Switch on`,
            onSelect: () => switchOn.mutate(),
            disabledReason: refusal ?? (currency.switchedOffAt ? undefined : t`It is on already.`),
          },
        ]}
      />
    </span>
  )
}

function RemoveCurrency({ currency, onClose }: { currency: OperatorCurrency; onClose: () => void }) {
  const { t } = useLingui()
  const { code, openOrders } = currency
  const remove = useChange({
    run: () => call(operatorCurrencyRoutes.remove, { params: { code } }),
    touches: touched.currencies,
    done: ({ outcome }) => {
      if (outcome === 'deleted') toast.success(t`Your crypto - ${code} has been deleted.`)
      else toast.info(t`${code} is switched off; orders still use it.`)
      onClose()
    },
    onFail: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t`Delete ${code}?`}
      danger
      confirm={t`Delete ${code}`}
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {openOrders > 0 ? (
        <p>
          <Trans>
            Open orders use it: {openOrders}. So it is switched off instead: it leaves the public list, its
            orders stay as they are.
          </Trans>
        </p>
      ) : (
        <p>
          <Trans>
            It leaves the public list at once. If orders or quotes have ever used it, it is switched off
            instead of deleted and can be switched on again.
          </Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}
