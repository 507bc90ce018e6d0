import type { ApprovableActionName } from '../../shared/actions.ts'

/** A change of where a currency's payments go. */
interface WalletMove {
  /** A currency's code; `ERC-20` for the shared wallet. */
  readonly subject: string
  /** An address or a wallet; may be empty. */
  readonly from: string
  /** `from → to`. */
  readonly detail: string
}

/** Of an approval request; with several currencies each fact is prefixed with a code. */
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

/** An address or, if watched, a wallet. */
export interface PaidTo {
  readonly address: string
  readonly watched: boolean
}

/** A move from another target would be rejected. A watched currency's address receives nothing. */
export function isFromNow(kind: ApprovableActionName, from: string, now: PaidTo | undefined): boolean {
  if (kind !== 'currency.update' && kind !== 'currency.wallet') return true
  const isAddress = now?.address === from
  return now?.watched ? kind === 'currency.wallet' && !isAddress : isAddress
}
