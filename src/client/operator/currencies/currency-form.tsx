import { Trans, useLingui } from '@lingui/react/macro'
import { type Network, networks } from '../../../shared/api/currencies.ts'
import { divide, roundTo, trimZeros } from '../../../shared/money.ts'
import { ApiError } from '../../api.ts'
import { networkNames } from '../../area/network-names.ts'
import { FieldRow } from '../../area/Page.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { DecimalInput } from '../../ui/DecimalInput.tsx'
import { Field, Input } from '../../ui/Field.tsx'
import { formatAmount } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { usePublicCampaign, useSymbol } from '../queries.ts'

export interface CurrencyValues {
  fullName: string
  rate: string
  address: string
  network: Network | undefined
  erc20: boolean
  tokenContract: string | null
  rateSource: 'manual' | 'feed'
  priceId: string | null
}

interface Props {
  values: CurrencyValues
  set: (change: Partial<CurrencyValues>) => void
  error: (path: string) => string | undefined
  /** A watched currency gets an address for each order from its key. */
  watched?: boolean
}

/** Says of which network an address is none, and where another one is chosen. */
export function useAddressRefusal(): (error: unknown) => string | undefined {
  const { t } = useLingui()
  return (error) => {
    if (!(error instanceof ApiError) || error.code !== 'address_invalid') return undefined
    const name = networkNames[error.details['network'] as Network]
    return t`This is no address of ${name}. Another network is chosen under “Network, rate source and more”.`
  }
}

/** Full name, rate and address: what every currency has. */
export function MainFields({ values, set, error, watched = false }: Props) {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const priceUsd = usePublicCampaign()?.priceUsd
  const dollarRate = priceUsd ? trimZeros(roundTo(divide('1', priceUsd), 6)) : undefined
  return (
    <>
      <Field label={t`Full name`} error={error('fullName')}>
        <Input
          value={values.fullName}
          onChange={(event) => set({ fullName: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <Field
        label={t`Rate (${symbol} for 1)`}
        error={error('rate')}
        hint={
          dollarRate
            ? t`A coin worth $1 makes ${formatAmount(dollarRate, i18n.locale)} ${symbol}.`
            : undefined
        }
      >
        <DecimalInput className="figures" value={values.rate} onValueChange={(rate) => set({ rate })} />
      </Field>
      <Field
        label={t`Address`}
        error={error('address')}
        hint={watched ? t`Watched on its chain: each order gets an address of its own.` : undefined}
      >
        <Input
          className="figures"
          value={values.address}
          onChange={(event) => set({ address: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={watched}
        />
      </Field>
    </>
  )
}

/** What seldom differs from what the code says. */
export function MoreFields({ values, set, error }: Props) {
  const { t } = useLingui()
  return (
    <div className="flex flex-col gap-4">
      <FieldRow>
        <Field label={t`Network`} error={error('network')}>
          <Select
            value={values.network ?? null}
            onValueChange={(network) => set({ network })}
            placeholder={t`As the code says`}
            options={networks.map((network) => ({ value: network, label: networkNames[network] }))}
          />
        </Field>
        <Field label={t`Rate source`} error={error('rateSource')}>
          <Select
            value={values.rateSource}
            onValueChange={(rateSource) => set({ rateSource })}
            options={[
              { value: 'manual', label: t`Manual` },
              { value: 'feed', label: t`Feed` },
            ]}
          />
        </Field>
        <Field
          label={t`Price id`}
          error={error('priceId')}
          optional={t`optional`}
          hint={t`Its name at the price service; empty: the full name in lower case.`}
        >
          <Input
            value={values.priceId ?? ''}
            onChange={(event) => set({ priceId: event.target.value || null })}
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
        <Field label={t`Token contract`} error={error('tokenContract')} optional={t`optional`}>
          <Input
            className="figures"
            value={values.tokenContract ?? ''}
            onChange={(event) => set({ tokenContract: event.target.value || null })}
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      </FieldRow>
      <Checkbox checked={values.erc20} onCheckedChange={(erc20) => set({ erc20 })}>
        <Trans>Shares the ERC-20 wallet</Trans>
      </Checkbox>
    </div>
  )
}
