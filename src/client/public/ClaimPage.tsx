import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { OwnClaim } from '../../shared/api/delivery.ts'
import { compare, divide, isZero } from '../../shared/money.ts'
import { type ClaimLookup, claimFilePath, localPath } from '../../shared/public-pages.ts'
import { phaseOf } from '../../shared/unlocking.ts'
import { networkNames } from '../ui/network-names.ts'
import { QR_CHARACTERS_MAX } from '../ui/QrCode.tsx'
import { QrPicture } from '../ui/QrPicture.tsx'
import { amount, moment, percent } from './figures.ts'
import { useCampaign, usePage } from './frame.tsx'

/** What an address has in live rounds, and its claim: without an account, and without scripts but for wallets of the browser. */
export function ClaimPage({ lookup }: { lookup: ClaimLookup }) {
  const { t } = useLingui()
  const words = {
    noWallet: t`No wallet answers in this browser.`,
    sent: t`Sent, and waits for a block: ${'{hash}'}`,
    undone: t`The transaction was mined and did nothing: ${'{hash}'}`,
    copy: t`Copy the data`,
    copied: t`Copied`,
    notCopied: t`Could not copy`,
  }
  return (
    <div data-island="claim" data-words={JSON.stringify(words)} className="wrap py-12 lg:py-20">
      <div className="max-w-3xl">
        <h1 className="display text-title">
          <Trans>Claim tokens</Trans>
        </h1>
        <p className="mt-4 text-lg text-soft">
          <Trans>
            Delivered tokens lie in public contracts, each address with what its round’s published list says.
            A claim sends what is unlocked to that address and to no other; no account is needed for it, and
            anyone may send you your tokens, also unasked.
          </Trans>
        </p>
        <p className="mt-4 border-l-4 border-now bg-now-soft px-4 py-3">
          <Trans>Nobody will ever ask for some of them back, or for a phrase.</Trans>
        </p>
        {lookup.hasLive ? (
          <LookupForm lookup={lookup} />
        ) : (
          <p className="mt-8 text-lg">
            <Trans>No delivery round is live yet, so there is nothing to claim.</Trans>
          </p>
        )}
        <Found lookup={lookup} />
        <WithoutSite />
      </div>
    </div>
  )
}

/** The pattern holds back what is no address, a key above all, before it could stand in the location. */
function LookupForm({ lookup: { address, problem } }: { lookup: ClaimLookup }) {
  const { t } = useLingui()
  const { locale } = usePage()
  const words = useProblems()
  return (
    <form action={localPath(locale, '/claim')} method="get" className="mt-8">
      <label htmlFor="claim-address" className="text-sm text-soft">
        <Trans>Address that the tokens go to</Trans>
      </label>
      <div className="mt-1 flex flex-wrap gap-3">
        <input
          id="claim-address"
          name="address"
          required
          pattern="\s*0x[0-9a-fA-F]{40}\s*"
          title={t`0x and 40 digits or letters from a to f`}
          defaultValue={address ?? undefined}
          maxLength={50}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem && problem !== 'too_many' ? true : undefined}
          aria-describedby="claim-problem"
          className="figures min-h-11 min-w-0 grow basis-72 border border-line-strong bg-raised px-3 text-sm"
        />
        <button type="submit" className="press press-hot">
          <Trans>Show its tokens</Trans>
        </button>
      </div>
      <p id="claim-problem" role="alert" className="mt-2 text-sm text-danger empty:hidden">
        {problem ? words[problem] : null}
      </p>
      <Wallets className="mt-4" label={<Trans>Take the address from a wallet</Trans>} />
      <p className="mt-4 text-sm text-soft">
        <Trans>Who has how many tokens in a round can be read by anybody: the lists are public.</Trans>
      </p>
    </form>
  )
}

function useProblems(): Record<NonNullable<ClaimLookup['problem']>, string> {
  const { t } = useLingui()
  return {
    not_address: t`This is no address: it has to be 0x and 40 digits or letters from a to f, without a mistake in them.`,
    private_key: t`This looks like a private key. It is never needed here. It stood in the location, so take it for known to others, and move what it holds to a new wallet.`,
    too_many: t`Too many addresses were looked up just now. Try again in a minute.`,
  }
}

/** A button that offers the wallets of this browser; with `call` the chosen one sends it. */
function Wallets({
  label,
  call,
  className = '',
}: {
  label: ReactNode
  call?: { chainId: number; to: string; data: string }
  className?: string
}) {
  return (
    <div data-wallets data-call={call ? JSON.stringify(call) : undefined} className={className}>
      <button type="button" data-ask className={`press ${call ? 'press-hot' : ''}`}>
        {label}
      </button>
      <div data-choices className="mt-3 flex flex-wrap gap-3 empty:hidden" />
      <p role="status" data-note className="mt-2 text-sm wrap-anywhere empty:hidden" />
    </div>
  )
}

/** The file that does the same when this site is gone. */
function WithoutSite() {
  const { assets, locale } = usePage()
  return (
    <section className="mt-12 border-t-2 border-ink pt-6">
      <h2 className="display text-4xl">
        <Trans>Without this site</Trans>
      </h2>
      <p className="mt-3 text-soft">
        <Trans>
          Keep this file and the list of your round, which stands on the page{' '}
          <a className="under" href={localPath(locale, '/transparency')}>
            Transparency
          </a>
          . It claims by the list and any node of the chain, loads nothing and needs no server.
        </Trans>
      </p>
      <p className="mt-4">
        <a className="press" href={claimFilePath} download>
          <Trans>Download claim.html</Trans>
        </a>
      </p>
      <p className="mt-3 text-sm text-soft">
        SHA-256: <span className="figures wrap-anywhere">{assets.claimFile}</span>
      </p>
    </section>
  )
}

function Found({ lookup: { address, problem, claims } }: { lookup: ClaimLookup }) {
  if (!address || problem) return null
  if (claims.length === 0)
    return (
      <p role="status" className="mt-10 border-t-2 border-ink pt-6 text-lg">
        <Trans>
          No live round has tokens for <span className="figures wrap-anywhere">{address}</span>. Rounds whose
          contract is not live yet are not shown here.
        </Trans>
      </p>
    )
  return (
    <div className="mt-10 border-t-2 border-ink">
      {claims.map((claim) => (
        <Claim key={`${claim.round} ${claim.call.data}`} claim={claim} />
      ))}
    </div>
  )
}

function Claim({ claim }: { claim: OwnClaim }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const { chain } = claim
  const isDue = chain === null || !isZero(chain.due)
  return (
    <section className="border-b py-8">
      <h2 className="display text-4xl">
        <Trans>Round {claim.round}</Trans>
      </h2>
      {chain ? <Unlocked claim={claim} chain={chain} /> : null}
      <dl className="mt-5 grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>Tokens of the address</Trans>}>
          <span className="figures">
            {amount(claim.tokens, locale)} {symbol}
          </span>
        </Fact>
        <Fact label={<Trans>Schedule</Trans>}>
          <Schedule claim={claim} />
        </Fact>
        <Fact label={<Trans>Go to</Trans>}>
          <span className="figures wrap-anywhere">{claim.account}</span>
        </Fact>
        <Fact label={<Trans>Contract on {networkNames[claim.network]}</Trans>}>
          <span className="figures wrap-anywhere">{claim.distributor}</span>
        </Fact>
      </dl>
      {chain ? (
        <Settling chain={chain} />
      ) : (
        <p className="mt-5 border-l-4 border-line-strong bg-sunk px-4 py-3">
          <Trans>
            The site’s node does not answer just now, so nothing can be shown of the chain. The tokens lie
            there all the same, and the data below claims what is unlocked.
          </Trans>
        </p>
      )}
      {chain && isDue ? (
        <Wallets
          className="mt-6"
          call={{ chainId: claim.chainId, to: claim.call.to, data: claim.call.data }}
          label={
            <Trans>
              Claim {amount(chain.due, locale)} {symbol}
            </Trans>
          }
        />
      ) : null}
      {isDue ? <Elsewhere claim={claim} /> : null}
    </section>
  )
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  )
}

type Chain = NonNullable<OwnClaim['chain']>

/** Claimed, unlocked and locked as parts of one bar, and the block that shows it. */
function Unlocked({ claim, chain }: { claim: OwnClaim; chain: Chain }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  const share = (tokens: string) => 100 * Number(divide(tokens, claim.tokens))
  const [claimed, unlocked] = [share(chain.claimedNow), share(chain.unlocked)]
  return (
    <>
      <div
        aria-hidden="true"
        className="relative mt-5 h-4 overflow-hidden border border-line-strong bg-raised"
      >
        <div className="absolute inset-y-0 left-0 bg-ink" style={{ width: `${claimed}%` }} />
        <div
          className="absolute inset-y-0 bg-success"
          style={{ left: `${claimed}%`, width: `${unlocked - claimed}%` }}
        />
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <li className="flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-ink" />
          <Trans>
            Claimed: {amount(chain.claimedNow, locale)} {symbol}
          </Trans>
        </li>
        <li className="flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-success" />
          <Trans>
            Unlocked, to be claimed: {amount(chain.due, locale)} {symbol}
          </Trans>
        </li>
      </ul>
      <p className="mt-1 text-sm text-soft">
        <Trans>
          By block {chain.height} of {moment(chain.minedAt, locale)}
        </Trans>
      </p>
    </>
  )
}

/** The schedule as the contract has it, and where it is now. */
function Schedule({ claim }: { claim: OwnClaim }) {
  const { locale } = usePage()
  const { startsAt, startBps, cliffEndsAt, endsAt, chain } = claim
  const [start, cliff, end] = [startsAt, cliffEndsAt, endsAt].map((at) => moment(at, locale))
  if (chain && phaseOf(claim, chain.minedAt) === 'unlocked') return <Trans>All of it is unlocked.</Trans>
  if (startBps === 10_000 || startsAt === endsAt) return <Trans>All of it from {start} on</Trans>
  const share = percent(String(startBps / 100), locale)
  if (cliffEndsAt === endsAt)
    return (
      <Trans>
        {share} from {start} on, all of it from {end} on
      </Trans>
    )
  return (
    <Trans>
      {share} from {start} on, nothing more until {cliff}, then evenly, all of it by {end}
    </Trans>
  )
}

/** What the newest block shows as claimed, while no final block does. */
function Settling({ chain: { height, claimed, claimedNow } }: { chain: Chain }) {
  const { locale } = usePage()
  const { symbol } = useCampaign().settings
  if (compare(claimedNow, claimed) === 0) return null
  return (
    <p className="mt-5 border-l-4 border-line-strong bg-sunk px-4 py-3">
      <Trans>
        Block {height} shows {amount(claimedNow, locale)} {symbol} as claimed. It is not final yet: that takes
        some minutes.
      </Trans>
    </p>
  )
}

/** The call for wallets that are not in this browser; anybody's may send it. */
function Elsewhere({ claim: { call, chainId } }: { claim: OwnClaim }) {
  const { t } = useLingui()
  return (
    <details className="mt-5">
      <summary className="under w-fit text-sm">
        <Trans>Claim with another wallet</Trans>
      </summary>
      <p className="mt-3 text-sm text-soft">
        <Trans>
          Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to the
          address above alone.
        </Trans>
      </p>
      <p className="figures mt-3 text-sm wrap-anywhere">
        <Trans>
          To {call.to}, value {call.value}, chain id {chainId}
        </Trans>
      </p>
      <pre className="figures my-3 max-h-40 overflow-auto border bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {call.data}
      </pre>
      <div className="flex flex-wrap items-start gap-4">
        <button type="button" data-copy={call.data} className="press">
          <Trans>Copy the data</Trans>
        </button>
        {call.data.length > QR_CHARACTERS_MAX ? null : (
          <QrPicture text={call.data} title={t`The data of the claim`} size={220} />
        )}
      </div>
    </details>
  )
}
