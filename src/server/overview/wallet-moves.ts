import type { ApprovableActionName } from '../../shared/actions.ts'

/** Where payments of a currency go, and where they would. */
interface WalletMove {
  /** The currency's code; `ERC-20` for all that share its wallet. */
  readonly subject: string
  /** An address or a wallet; empty where there is none yet. */
  readonly from: string
  /** `from → to`. */
  readonly detail: string
}

/** What an action that waits says of where payments go, by what a second operator is shown: of several currencies each fact has a code before it. */
export function walletMovesIn(subject: string, summary: Readonly<Record<string, string>>): WalletMove[] {
  const codes = new Set(Object.keys(summary).map((name) => name.split(' ').slice(0, -1).join(' ')))
  return [...codes].flatMap((code) => {
    const fact = (name: string) => summary[code ? `${code} ${name}` : name]
    const to = fact('wallet') ? `${fact('wallet')}: ${fact('addresses')}` : fact('address')
    if (to === undefined) return []
    const asset = ['network', 'contract'].map(fact).filter((text) => text?.includes(' → '))
    const from = fact('before') ?? ''
    const detail = [`${from || '—'} → ${to || '—'}`, ...asset].join('; ')
    return { subject: code || subject, from, detail }
  })
}

/** Where a currency is paid to now: to its address, or, where it is watched, to a wallet in its place. */
export interface PaidTo {
  readonly address: string
  readonly watched: boolean
}

/**
 * Whether a move still is from where payments go now: what would replace anything else is refused, and the address of a watched currency
 * is paid nothing.
 */
export function isFromNow(kind: ApprovableActionName, from: string, now: PaidTo | undefined): boolean {
  if (kind !== 'currency.update' && kind !== 'currency.wallet') return true
  const isAddress = now?.address === from
  return now?.watched ? kind === 'currency.wallet' && !isAddress : isAddress
}
