import { useLingui } from '@lingui/react/macro'
import { addressStarts } from '../../shared/address-starts.ts'
import { compare } from '../../shared/money.ts'
import { networkName, type WalletFamily, type WalletScript, walletFamilies } from '../../shared/networks.ts'
import type { PaymentState, refundStates } from '../../shared/payment-states.ts'
import { firstText } from '../ui/setting-names.ts'

export type RefundState = (typeof refundStates)[number]

interface Payment {
  readonly state: PaymentState
  readonly confirmations: number
  readonly confirmationsNeeded: number
  readonly owed?: string
}

/** Also says if a confirmed payment belongs to no order. */
export function usePaymentStateName(): (payment: Payment) => string {
  const { t } = useLingui()
  const names = usePaymentStateNames()
  return (payment) => {
    if (payment.state !== 'confirming') return names[payment.state]
    if (payment.owed !== undefined && compare(payment.owed, '0') > 0) return t`owed back`
    return payment.confirmations < payment.confirmationsNeeded ? names.confirming : t`not counted yet`
  }
}

export function usePaymentStateNames(): Record<PaymentState, string> {
  const { t } = useLingui()
  return {
    seen: t`seen`,
    confirming: t`confirming`,
    credited: t`credited`,
    final: t`final`,
    replaced: t`replaced by another`,
    orphaned: t`dropped from the chain`,
    failed: t`failed on the chain`,
    wrong_asset: t`another asset`,
    unmatched: t`belongs to no order`,
    returned: t`given back by its escrow`,
    too_little: t`too little to buy or to send back`,
    dust: t`too little to buy or to send back`,
  }
}

/** Describes the addresses of a script, for one family of wallets or all. */
export function useScriptName(): (script: WalletScript, family?: WalletFamily) => string {
  const { t, i18n } = useLingui()
  return (script, family) => {
    const found = (family ? [family] : walletFamilies).flatMap((one) => addressStarts(one, script))
    const starts = new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(found)
    if (script === 'evm') return 'EVM'
    if (script === 'p2wpkh') return t`native segwit: addresses begin with ${starts}`
    return script === 'p2pkh'
      ? t`legacy: addresses begin with ${starts}`
      : t`nested segwit: addresses begin with ${starts}`
  }
}

export function useNetworkName(): (network: string) => string {
  const { i18n } = useLingui()
  return (network) => firstText(i18n, [`network.${network}`]) ?? networkName(network)
}

/** An unknown reason is returned unchanged. */
export function useRefundReason(): (reason: string) => string {
  const { t } = useLingui()
  const names: Record<string, string> = {
    overpaid: t`overpaid`,
    late: t`paid late`,
    paid_after_approval: t`paid after the approval`,
    order_rejected: t`the order was rejected`,
    account_deleted: t`the account of its buyer is deleted`,
    soft_cap_missed: t`the soft cap was missed`,
    taken_back: t`its buyer took the order back`,
    cap_reached: t`too little was left of the stage`,
    supply_reached: t`too few tokens were left`,
    wrong_asset: t`another asset`,
    unmatched: t`belongs to no order`,
  }
  return (reason) => names[reason] ?? reason
}

export function useWhyNot(): (refusal: string) => string {
  const { t } = useLingui()
  const refundReason = useRefundReason()
  const names: Record<string, string> = {
    currency_off: t`its currency was off the sale`,
    currency_paused: t`its currency was paused`,
    order_state: t`its state allowed it no more`,
    sale_not_ready: t`the sale was not ready`,
    sale_paused: t`the sale was paused`,
    stage_closed: t`the stage was closed`,
    terms_changed: t`the terms had changed`,
  }
  return (refusal) => names[refusal] ?? refundReason(refusal)
}

export function useRefundStateName(): (state: RefundState) => string {
  const { t } = useLingui()
  return (state) =>
    ({
      owed: t`owed, no address yet`,
      claimed: t`address given`,
      prepared: t`prepared to be signed`,
      sent: t`sent`,
      paid: t`paid back`,
      written_off: t`written off`,
    })[state]
}
