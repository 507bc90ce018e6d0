/** Where payments of a currency go, and where they would. */
interface WalletMove {
  /** The currency's code; `ERC-20` for all that share its wallet. */
  readonly subject: string
  /** `from → to`. */
  readonly detail: string
}

/** What an act that waits says of where payments go, by what a second operator is shown: of several currencies each fact has a code before it. */
export function walletMovesIn(subject: string, summary: Readonly<Record<string, string>>): WalletMove[] {
  const codes = new Set(Object.keys(summary).map((name) => name.split(' ').slice(0, -1).join(' ')))
  return [...codes].flatMap((code) => {
    const fact = (name: string) => summary[code ? `${code} ${name}` : name]
    const to = fact('wallet') ? `${fact('wallet')}: ${fact('addresses')}` : fact('address')
    if (to === undefined) return []
    const asset = ['network', 'contract'].map(fact).filter((text) => text?.includes(' → '))
    const detail = [`${fact('before') || '—'} → ${to || '—'}`, ...asset].join('; ')
    return { subject: code || subject, detail }
  })
}
