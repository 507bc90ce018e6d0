import { Trans } from '@lingui/react/macro'
import { Notice } from '../ui/states.tsx'

/** The new address or wallet of some currencies, empty for none. */
export interface WalletMove {
  readonly codes: readonly string[]
  readonly from: string
  readonly to: string
}

export function WalletMoves({ moves }: { moves: readonly WalletMove[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {moves.map(({ codes, from, to }) => (
        <li key={codes.join()} className="text-sm">
          <strong className="text-ink">{codes.join(', ')}</strong>
          <span className="block">
            <Trans context="an address">from</Trans>{' '}
            <span className="figures wrap-anywhere">{from || '—'}</span>
          </span>
          <span className="block text-ink">
            <Trans context="an address">to</Trans> <span className="figures wrap-anywhere">{to || '—'}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

export function NewAddresses({ moves }: { moves: readonly WalletMove[] }) {
  return moves.length > 0 ? (
    <Notice>
      <WalletMoves moves={moves} />
      <p className="mt-2">
        <Trans>
          New orders will be paid to the new address. Buyers with open orders are told by mail, owners too.
        </Trans>
      </p>
    </Notice>
  ) : null
}
