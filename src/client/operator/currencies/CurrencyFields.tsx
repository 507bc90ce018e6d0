import { Trans, useLingui } from '@lingui/react/macro'
import { divide, roundTo, trimZeros } from '../../../shared/money.ts'
import { type Network, networks } from '../../../shared/networks.ts'
import { DecimalField } from '../../area/DecimalField.tsx'
import type { Fields } from '../../area/form-fields.ts'
import { FieldRow } from '../../area/Page.tsx'
import { SelectField } from '../../area/SelectField.tsx'
import { emptyAsNull, TextField } from '../../area/TextField.tsx'
import { Checkbox } from '../../ui/Choice.tsx'
import { formatAmount } from '../../ui/numbers.tsx'
import { useNetworkName } from '../payment-names.ts'
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

/** A watched currency derives an address per order from its key. */
export function MainFields({ form, watched = false }: { form: Fields<CurrencyValues>; watched?: boolean }) {
  const { t, i18n } = useLingui()
  const symbol = useSymbol()
  const priceUsd = usePublicCampaign()?.priceUsd
  const dollarRate = priceUsd ? trimZeros(roundTo(divide('1', priceUsd), 6)) : undefined
  return (
    <>
      <TextField form={form} name="fullName" label={t`Full name`} autoComplete="off" />
      <DecimalField
        form={form}
        name="rate"
        label={t`Rate (${symbol} for 1)`}
        hint={dollarRate && t`A coin worth $1 makes ${formatAmount(dollarRate, i18n.locale)} ${symbol}.`}
      />
      <TextField
        form={form}
        name="address"
        label={t`Address`}
        hint={watched ? t`Watched on its chain: each order gets an address of its own.` : undefined}
        className="figures"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={watched}
      />
    </>
  )
}

export function MoreFields({ form }: { form: Fields<CurrencyValues> }) {
  const { t } = useLingui()
  const networkName = useNetworkName()
  const code = { optional: t`optional`, typing: emptyAsNull, autoCapitalize: 'none', spellCheck: false }
  return (
    <div className="flex flex-col gap-4">
      <FieldRow>
        <SelectField
          form={form}
          name="network"
          label={t`Network`}
          placeholder={t`As the code says`}
          options={networks.map((network) => ({ value: network, label: networkName(network) }))}
        />
        <SelectField
          form={form}
          name="rateSource"
          label={t`Rate source`}
          options={[
            { value: 'manual', label: t`Manual` },
            { value: 'feed', label: t`Feed` },
          ]}
        />
        <TextField
          form={form}
          name="priceId"
          label={t`Price id`}
          hint={t`Its name at the price service; empty: the full name in lower case.`}
          {...code}
        />
        <TextField form={form} name="tokenContract" label={t`Token contract`} className="figures" {...code} />
      </FieldRow>
      <Checkbox checked={form.values.erc20} onCheckedChange={(erc20) => form.set({ erc20 })}>
        <Trans>Shares the ERC-20 wallet</Trans>
      </Checkbox>
    </div>
  )
}
