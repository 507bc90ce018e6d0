import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { BuyerOrder } from '../../../shared/api/orders.ts'
import { pollMs } from '../../area/live-stream.ts'
import { Band } from '../../area/Page.tsx'
import { saveFile } from '../../area/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { type CheckedProof, readProof } from './order-proof.ts'

export const proofQuery = (order: BuyerOrder) => ({
  queryKey: ['proof of an order', order.token, order.approvedAt],
  queryFn: () => readProof(order),
  retry: false,
})

/** Offers a proof file that does not depend on this site. */
export function JournalProof({ order }: { order: BuyerOrder }) {
  const proof = useQuery({
    ...proofQuery(order),
    // The journal records an approval up to a second later.
    refetchInterval: ({ state }) => (state.data === null || state.status === 'error' ? pollMs : false),
  })
  if (proof.isPending) return null
  return (
    <Band title={<Trans>In the public journal</Trans>}>
      {proof.error ? (
        <Notice tone="danger">
          <Trans>This page could not check that the journal holds this order: {proof.error.message}</Trans>
        </Notice>
      ) : proof.data ? (
        <Proven proof={proof.data} number={order.number} />
      ) : (
        <p className="text-soft">
          <Trans>The journal has not said this order yet.</Trans>
        </p>
      )}
    </Band>
  )
}

function Proven({ proof, number }: { proof: CheckedProof; number: number }) {
  const { index, size, vkey, seenBy, text } = proof
  const save = () => saveFile(`order-${number}.tlog-proof`, 'text/plain', text)
  return (
    <div className="measure grid gap-4">
      <p>
        <Trans>
          This browser has checked it: the order, with these amounts, is entry {index} of the {size} that the
          journal has signed. If it were ever changed or left out, the file would prove it.
        </Trans>
      </p>
      {seenBy.length === 0 ? (
        <p className="text-soft">
          <Trans>No witness has signed this list yet.</Trans>
        </p>
      ) : (
        <ul className="text-soft">
          {seenBy.map(({ name, at }) => (
            <li key={name} className="wrap-anywhere">
              <Trans>
                Seen by {name}, <DateTime value={at} />
              </Trans>
            </li>
          ))}
        </ul>
      )}
      <details className="text-sm">
        <summary className="w-fit cursor-pointer underline underline-offset-4">
          <Trans>How to check the file without this site</Trans>
        </summary>
        <p className="mt-2 text-soft">
          <Trans>Keep the key somewhere of your own, beside the file:</Trans>
        </p>
        <pre className="mt-2 overflow-x-auto" tabIndex={0} dir="ltr">
          <code>{`npm run verify -- --proof order-${number}.tlog-proof \\\n  --vkey ${vkey}`}</code>
        </pre>
      </details>
      <div>
        <Button variant="secondary" onClick={save}>
          <Download aria-hidden="true" className="size-4" />
          <Trans>Download the proof</Trans>
        </Button>
      </div>
    </div>
  )
}
