import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { saveFile } from '../../area/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { Notice } from '../../ui/states.tsx'
import { useCampaign } from '../queries.ts'
import { useSession } from '../session.ts'
import { type OwnHolding, readHolding } from './holding-proof.ts'

/** The browser checks that the balance is included in the journal's daily total. */
export function HoldingProof() {
  const email = useSession()?.email ?? ''
  const proof = useQuery({
    queryKey: ['proof of holdings', email],
    queryFn: () => readHolding(email),
    retry: false,
  })
  if (proof.isPending) return null
  return (
    <>
      {proof.error ? (
        <Notice tone="danger">
          <Trans>This page could not check that your tokens are counted: {proof.error.message}</Trans>
        </Notice>
      ) : proof.data === null ? (
        <p className="text-soft">
          <Trans>The journal has not summed up yet what buyers hold: it does so once a day.</Trans>
        </p>
      ) : 'leaf' in proof.data ? (
        <Counted proof={proof.data} />
      ) : (
        <p className="measure">
          <Trans>
            In the sum of <DateTime value={`${proof.data.day}T00:00:00Z`} part="date" timeZone="UTC" /> there
            is nothing of yours. If you held tokens by then, ask the seller why.
          </Trans>
        </p>
      )}
    </>
  )
}

function Counted({ proof }: { proof: OwnHolding }) {
  const symbol = useCampaign().data?.settings.symbol
  const { leaf, tokens, sum, index, vkey, isOwn, seenBy, text } = proof
  const name = `${leaf.day}.holdings.json`
  return (
    <div className="measure grid gap-4">
      {isOwn ? null : (
        <Notice tone="danger">
          <Trans>
            This leaf was made for another address than your account has now. If you have not changed it
            since, the seller has given you somebody else's leaf.
          </Trans>
        </Notice>
      )}
      <p>
        <Trans>
          This browser has checked it: <TokenAmount value={tokens} unit={symbol} /> of yours are in the sum of
          all buyers, <TokenAmount value={sum} unit={symbol} />, that entry {index} of the journal says for{' '}
          <DateTime value={`${leaf.day}T00:00:00Z`} part="date" timeZone="UTC" />. A buyer who is left out
          can’t be given such a file, so look now and then.
        </Trans>
      </p>
      <p className="text-soft">
        {seenBy.length === 0 ? (
          <Trans>No witness has signed this list yet.</Trans>
        ) : (
          <Trans>Seen by {seenBy.join(', ')}</Trans>
        )}
      </p>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer underline underline-offset-4">
          <Trans>How to check the file without this site</Trans>
        </summary>
        <p className="mt-2 text-soft">
          <Trans>
            The file holds your amounts and the sums beside them, no name. Keep the key somewhere of your own:
          </Trans>
        </p>
        <pre className="mt-2 overflow-x-auto" tabIndex={0} dir="ltr">
          <code>{`npm run verify -- --leaf ${name} \\\n  --vkey ${vkey}`}</code>
        </pre>
      </details>
      <div>
        <Button variant="secondary" onClick={() => saveFile(name, 'application/json', text)}>
          <Download aria-hidden="true" className="size-4" />
          <Trans>Download your leaf</Trans>
        </Button>
      </div>
    </div>
  )
}
