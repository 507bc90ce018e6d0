import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorCurrency, operatorCurrencyRoutes } from '../../../shared/api/currencies.ts'
import { compare, showRate } from '../../../shared/money.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { call } from '../../area/call.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { useSearchKey } from '../../area/keyboard.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Band } from '../../area/Page.tsx'
import { MoreMenu, RowActions, RowButton } from '../../area/RowActions.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { errorText } from '../../errors.ts'
import { CoinIcon } from '../../ui/CoinIcon.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Input } from '../../ui/Field.tsx'
import { RelativeTime, TokenAmount } from '../../ui/numbers.tsx'
import { Status } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useNetworkName } from '../payment-names.ts'
import { currenciesQuery, useSymbol } from '../queries.ts'
import { useRefusal } from '../session.ts'
import { touched } from '../touched.ts'
import { EditCurrency } from './EditCurrency.tsx'
import { PauseCurrency } from './PauseCurrency.tsx'

type Doing = { what: 'edit' | 'remove' | 'pause'; currency: OperatorCurrency }

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
          placeholder={t`Code or name ( / )`}
          value={words}
          onChange={(event) => url.set({ search: event.target.value })}
        />
      }
    >
      <Loaded query={query} failed={t`Error: ${query.error ? errorText(query.error) : ''}`}>
        {(currencies) => <Rows currencies={pick(currencies, words, url.get('rate'))} onDo={setDoing} />}
      </Loaded>
      <Opened doing={doing} onClose={() => setDoing(undefined)} />
    </Band>
  )
}

function Opened({ doing, onClose }: { doing: Doing | undefined; onClose: () => void }) {
  if (!doing) return null
  const Dialog = { edit: EditCurrency, remove: RemoveCurrency, pause: PauseCurrency }[doing.what]
  return <Dialog currency={doing.currency} onClose={onClose} />
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
  const networkName = useNetworkName()
  const symbol = useSymbol()
  const url = useUrlState()
  const sort = url.get('rate')
  const direction = sort === 'asc' || sort === 'desc' ? sort : undefined
  return (
    <DataTable
      caption={t`All currencies`}
      rows={currencies}
      keyOf={({ code }) => code}
      empty={t`No results`}
      sorting={{
        by: direction && 'rate',
        direction: direction ?? 'desc',
        onSort: () => url.set({ rate: direction === 'desc' ? 'asc' : direction === 'asc' ? null : 'desc' }),
      }}
      columns={[
        {
          label: t`Currency`,
          unlabelled: true,
          className: 'max-sm:justify-start! max-sm:pb-2!',
          cell: ({ code, fullName }) => (
            <span className="flex items-center gap-3">
              <CoinIcon code={code} className="size-7" />
              <span>
                <strong>{code}</strong>
                <span className="block text-soft">{fullName}</span>
              </span>
            </span>
          ),
        },
        { label: t`Network`, cell: ({ network }) => networkName(network) },
        {
          label: t`Rate`,
          sort: 'rate',
          numeric: true,
          cell: (currency) => (
            <div>
              <TokenAmount value={showRate(currency.rate)} unit={symbol} />
              <RateAge currency={currency} />
            </div>
          ),
        },
        { label: t`Address`, cell: (currency) => <Address currency={currency} /> },
        { label: t`State`, cell: (currency) => <CurrencyState currency={currency} /> },
        {
          label: t`Actions`,
          actions: true,
          cell: (currency) => <Actions currency={currency} onDo={onDo} />,
        },
      ]}
    />
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
      <>
        <Status tone="now">{t`paused`}</Status>
        {currency.pauseReason ? (
          <LocalText
            text={currency.pauseReason}
            className="mt-1 block max-w-48 text-xs text-soft max-sm:ml-auto"
          />
        ) : null}
      </>
    )
  if (currency.unavailable)
    return (
      <>
        <Status tone="danger">{t`can't be bought`}</Status>
        <span className="mt-1 block max-w-48 text-xs text-soft max-sm:ml-auto">
          <WhyNot currency={currency} />
        </span>
      </>
    )
  return <Status tone="success">{t`on sale`}</Status>
}

function WhyNot({ currency: { unavailable, rateProblem } }: { currency: OperatorCurrency }) {
  if (unavailable === 'address_missing')
    return <Trans>It has no address: enter one, or use a wallet for it.</Trans>
  if (rateProblem === 'no_source')
    return <Trans>No rate source answers. Check the sources, or set the rate by hand.</Trans>
  if (rateProblem === 'too_few') return <Trans>Too few rate sources answer to trust one price.</Trans>
  if (rateProblem === 'disagree') return <Trans>The rate sources disagree about its price.</Trans>
  if (rateProblem === 'no_price') return <Trans>No source has a price for it. Check its price id.</Trans>
  return <Trans>Its rate is too old.</Trans>
}

function Actions({ currency, onDo }: { currency: OperatorCurrency; onDo: (doing: Doing) => void }) {
  const { t } = useLingui()
  const refusal = useRefusal()('currencies:write')
  const { code, switchedOffAt } = currency
  const failed = (message: string) => t`Failed to update cryptocurrency: ${message}`
  const switchOn = useChange({
    run: () => call(operatorCurrencyRoutes.switchOn, { params: { code } }),
    touches: touched.currencies,
    done: () => toast.success(t`${code} is on sale again.`),
    failed,
  })
  const resume = useChange({
    run: () =>
      call(operatorCurrencyRoutes.pause, {
        params: { code },
        body: { paused: false, previousPausedAt: currency.pausedAt },
      }),
    touches: touched.currencies,
    done: () => toast.success(t`${code} is no longer paused.`),
    failed,
  })
  return (
    <RowActions>
      <RowButton
        aria-label={t`Edit ${code}`}
        disabledReason={refusal}
        onClick={() => onDo({ what: 'edit', currency })}
      >
        <Trans>Edit</Trans>
      </RowButton>
      <RowButton
        danger
        aria-label={t`Delete ${code}`}
        disabledReason={refusal ?? (switchedOffAt ? t`It is switched off already.` : undefined)}
        onClick={() => onDo({ what: 'remove', currency })}
      >
        <Trans>Delete</Trans>
      </RowButton>
      <MoreMenu
        label={t`More for ${code}`}
        actions={[
          currency.pausedAt
            ? { label: t`Resume`, onSelect: () => resume.mutate(), disabledReason: refusal }
            : {
                label: t`Pause…`,
                onSelect: () => onDo({ what: 'pause', currency }),
                disabledReason: refusal ?? (switchedOffAt ? t`It is switched off.` : undefined),
              },
          {
            label: t`Switch on`,
            onSelect: () => switchOn.mutate(),
            disabledReason: refusal ?? (switchedOffAt ? undefined : t`It is on already.`),
          },
        ]}
      />
    </RowActions>
  )
}

function RemoveCurrency({ currency, onClose }: { currency: OperatorCurrency; onClose: () => void }) {
  const { t } = useLingui()
  const { code, openOrders, revision } = currency
  return (
    <ConfirmChange
      title={t`Delete ${code}?`}
      danger
      confirm={t`Delete ${code}`}
      run={() => call(operatorCurrencyRoutes.remove, { params: { code }, query: { revision } })}
      touches={touched.currencies}
      done={({ outcome }) =>
        outcome === 'deleted'
          ? toast.success(t`Your crypto - ${code} has been deleted.`)
          : toast.info(t`${code} is switched off; orders still use it.`)
      }
      onClose={onClose}
    >
      {openOrders > 0 ? (
        <Trans>
          Open orders use it: {openOrders}. So it is switched off instead: it leaves the public list, and its
          orders stay.
        </Trans>
      ) : (
        <Trans>
          It leaves the public list at once. If orders have ever used it, it is switched off instead of
          deleted and can be switched on again.
        </Trans>
      )}
    </ConfirmChange>
  )
}
