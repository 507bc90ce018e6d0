import { Trans } from '@lingui/react/macro'
import type { OrderEscrow } from '../../shared/api/orders.ts'
import { DateTime } from '../ui/numbers.tsx'

export function EscrowTerms({ escrow }: { escrow: OrderEscrow }) {
  const { contract, payer, closesAt, deliverBy, locksFirst } = escrow
  return (
    <div className="flex flex-col gap-2 text-sm text-soft">
      <p>
        <Trans>
          This payment goes into a contract, not to the seller. The seller gets it only once the contract
          holds all tokens of all its buyers. If that has not happened by <DateTime value={deliverBy} />,
          anybody can have the whole payment sent back to the account that paid. Payments end on{' '}
          <DateTime value={closesAt} />.
        </Trans>{' '}
        {locksFirst ? <Trans>The tokens of all its buyers lay there before the first payment.</Trans> : null}
      </p>
      <p>
        <Trans>
          You still trust the token to be worth something, the issuer of the coin that you pay in, and the
          network. The seller may cancel your order until the delivery: then you have your money back and no
          tokens.
        </Trans>
      </p>
      <p>
        <Trans>
          Contract: <span className="figures wrap-anywhere">{contract}</span>. Send nothing to it yourself:
          what arrives without its call is lost. Your wallet makes the call.
        </Trans>
      </p>
      <p>
        <Trans>
          Account that pays and gets the tokens: <span className="figures wrap-anywhere">{payer}</span>
        </Trans>
      </p>
    </div>
  )
}
