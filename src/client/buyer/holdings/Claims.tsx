import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { deliveryRoutes, type OwnClaim } from '../../../shared/api/delivery.ts'
import { compare, divide, isZero } from '../../../shared/money.ts'
import { networkName } from '../../../shared/networks.ts'
import { phaseOf, type Schedule } from '../../../shared/unlocking.ts'
import { Band, Fact, Facts } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { Button } from '../../ui/Button.tsx'
import { CallElsewhere } from '../../ui/CallElsewhere.tsx'
import { DateTime, TokenAmount } from '../../ui/numbers.tsx'
import { QrCode } from '../../ui/QrCode.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { Notice } from '../../ui/states.tsx'
import { useCampaign } from '../queries.ts'

const SendCall = lazy(() => import('../../area/SendCall.tsx').then((part) => ({ default: part.SendCall })))

const LOOK_MS = 30_000

/** Renders nothing without any claim. */
export function Claims() {
  const claims = useQuery({ ...readItems(deliveryRoutes.claims), refetchInterval: LOOK_MS })
  if (!claims.data || claims.data.length === 0) return null
  return (
    <Band
      id="claim"
      title={<Trans>Your tokens on chain</Trans>}
      lead={
        <Trans>
          They lie in a public contract for you. A claim sends the unlocked tokens to your address and to no
          other; anyone may send you your tokens, also unasked. The seller never asks for some of them back,
          or for a phrase.
        </Trans>
      }
    >
      <div className="flex flex-col gap-10">
        {claims.data.map((claim) => (
          <Claim key={claim.round} claim={claim} look={() => void claims.refetch()} />
        ))}
      </div>
    </Band>
  )
}

function Claim({ claim, look }: { claim: OwnClaim; look: () => void }) {
  const symbol = useCampaign().data?.settings.symbol
  return (
    <section className="flex flex-col gap-5">
      <h3 className="text-lg font-semibold">
        <Trans>Round {claim.round}</Trans>
      </h3>
      {claim.chain ? <ScheduleBar tokens={claim.tokens} chain={claim.chain} /> : null}
      <Facts>
        <Fact label={<Trans>Yours in this round</Trans>}>
          <TokenAmount value={claim.tokens} unit={symbol} />
        </Fact>
        {claim.chain ? (
          <Fact label={<Trans>Next</Trans>}>
            <Next schedule={claim} now={claim.chain.minedAt} />
          </Fact>
        ) : null}
        <Fact label={<Trans>Go to</Trans>}>
          <span className="figures wrap-anywhere">{claim.account}</span>
        </Fact>
        <Fact label={<Trans>Contract on {networkName(claim.network)}</Trans>}>
          <span className="figures wrap-anywhere">{claim.distributor}</span>
        </Fact>
      </Facts>
      {claim.chain ? (
        <Claiming claim={claim} chain={claim.chain} look={look} />
      ) : (
        <Notice>
          <Trans>
            The site’s node does not answer just now, so nothing can be shown of the chain. Your tokens lie
            there all the same.
          </Trans>
        </Notice>
      )}
    </section>
  )
}

type Chain = NonNullable<OwnClaim['chain']>

export function ScheduleBar({
  tokens,
  chain,
}: {
  tokens: string
  chain: Pick<Chain, 'claimedNow' | 'due' | 'unlocked'>
}) {
  const { t } = useLingui()
  const symbol = useCampaign().data?.settings.symbol
  const share = (amount: string) => 100 * Number(divide(amount, tokens))
  const parts = [
    { label: t`Claimed`, amount: chain.claimedNow, from: 0, to: share(chain.claimedNow), look: 'bg-ink' },
    {
      label: t`Unlocked, to be claimed`,
      amount: chain.due,
      from: share(chain.claimedNow),
      to: share(chain.unlocked),
      look: 'bg-success',
    },
  ]
  return (
    <div>
      <div
        aria-hidden="true"
        className="relative h-4 overflow-hidden rounded-sm border border-line-strong bg-raised"
      >
        {parts.map(({ look, from, to }) => (
          <div
            key={look}
            className={`absolute inset-y-0 ${look}`}
            style={{ left: `${from}%`, width: `${to - from}%` }}
          />
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {parts.map(({ label, amount, look }) => (
          <li key={look} className="flex items-center gap-2">
            <span aria-hidden="true" className={`size-3 rounded-xs ${look}`} />
            {label}: <TokenAmount value={amount} unit={symbol} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The next unlock by the contract's schedule; `now` is the newest block's time. */
export function Next({ now, schedule }: { now: string; schedule: Schedule }) {
  const { startsAt, cliffEndsAt, endsAt } = schedule
  const phase = phaseOf(schedule, now)
  if (phase === 'unlocked') return <Trans>All of it is unlocked.</Trans>
  if (phase === 'before')
    return (
      <Trans>
        Unlocking begins <DateTime value={startsAt} />
      </Trans>
    )
  if (phase === 'cliff')
    return (
      <Trans>
        More from <DateTime value={cliffEndsAt} /> on, all of it <DateTime value={endsAt} />
      </Trans>
    )
  return (
    <Trans>
      A little more each second, all of it <DateTime value={endsAt} />
    </Trans>
  )
}

/** Claims by a wallet of this browser, or shows the data for another one. */
function Claiming({ claim, chain, look }: { claim: OwnClaim; chain: Chain; look: () => void }) {
  const symbol = useCampaign().data?.settings.symbol
  const [claims, setClaims] = useState(false)
  const isSettling = compare(chain.claimedNow, chain.claimed) !== 0
  const settling = isSettling ? (
    <Notice>
      <Trans>
        Block {chain.height} shows <TokenAmount value={chain.claimedNow} unit={symbol} /> as claimed. It is
        not final yet: that takes some minutes.
      </Trans>
    </Notice>
  ) : null
  if (isZero(chain.due)) return settling
  return (
    <>
      {settling}
      <div className="flex flex-col items-start gap-4">
        {claims ? (
          <Suspense fallback={<Skeleton className="h-12" />}>
            <SendCall
              call={{ chainId: claim.chainId, ...claim.call }}
              onMined={() => {
                setClaims(false)
                look()
              }}
            />
          </Suspense>
        ) : (
          <Button onClick={() => setClaims(true)}>
            <Trans>
              Claim <TokenAmount value={chain.due} unit={symbol} />
            </Trans>
          </Button>
        )}
        <CallElsewhere
          picture={QrCode}
          call={{ chainId: claim.chainId, ...claim.call }}
          title={<Trans>Claim with another wallet</Trans>}
        >
          <Trans>
            Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to
            your address alone.
          </Trans>
        </CallElsewhere>
      </div>
    </>
  )
}
