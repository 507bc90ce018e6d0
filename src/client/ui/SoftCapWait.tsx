import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { networkName } from '../../shared/networks.ts'

// Rules: REFUND-10
/** Shows the counted sum and the pending parts of the verdict. */
export function SoftCapWait({
  waitsFor: { approvalsUntil, chains, payments, latestAt },
  moment,
}: {
  waitsFor: NonNullable<PublicCampaign['softCapWaitsFor']>
  moment: (iso: string) => ReactNode
}) {
  const names = chains.map((chain) => networkName(chain)).join(', ')
  return (
    <>
      <Trans>
        Not decided yet. Orders that an operator approves by {moment(approvalsUntil)} count, and payments in
        blocks up to 3 hours after the end, once they have their confirmations.
      </Trans>{' '}
      {payments > 0 ? (
        <>
          <Plural
            value={payments}
            one="The decision waits for # payment in a block."
            other="The decision waits for # payments in blocks."
          />{' '}
        </>
      ) : null}
      {names ? (
        <>
          <Trans>
            The decision waits for {names}: its blocks, or the balances of its addresses, are not read that
            far yet.
          </Trans>{' '}
        </>
      ) : null}
      <Trans>It comes by {moment(latestAt)} at the latest, once and for good.</Trans>
    </>
  )
}
