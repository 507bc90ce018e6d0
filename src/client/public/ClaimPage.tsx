import { Trans, useLingui } from '@lingui/react/macro'
import type { OwnClaim } from '../../shared/api/delivery.ts'
import { localPath } from '../../shared/languages.ts'
import { isZero } from '../../shared/money.ts'
import { networkName } from '../../shared/networks.ts'
import { type ClaimLookup, claimFilePath } from '../../shared/public-pages.ts'
import { Elsewhere, Fact, ScheduleWords, Settling, Unlocked, Wallets } from './claim-parts.tsx'
import { EscrowOrders, EscrowRounds } from './EscrowClaims.tsx'
import { amount } from './figures.ts'
import { useCampaign, usePage } from './frame.tsx'

/** Needs no account, and scripts only for browser wallets. */
export function ClaimPage({ lookup }: { lookup: ClaimLookup }) {
  const { t } = useLingui()
  const words = {
    noWallet: t`No wallet answers in this browser.`,
    sent: t`Sent, and waits for a block: ${'{hash}'}`,
    undone: t`The transaction was mined and did nothing: ${'{hash}'}`,
    copy: t`Copy the data`,
    copied: t`Copied`,
    notCopied: t`Could not copy`,
    fee: t`The network’s fee is about ${'{fee}'} of its own coin now.`,
    onlyPayer: t`Only the account that paid can send this: ${'{from}'}`,
  }
  return (
    <div data-island="claim" data-words={JSON.stringify(words)} className="wrap py-12 lg:py-20">
      <div className="max-w-3xl">
        <h1 className="display text-title">
          <Trans>Claim tokens</Trans>
        </h1>
        <p className="mt-4 text-lg text-soft">
          <Trans>
            Delivered tokens lie in public contracts, for each address the amount in its round’s published
            list, or in its order in an escrow. A claim sends the unlocked tokens to that address and to no
            other. Money in an escrow that is owed back goes to the account that paid it. No account is needed
            for either.
          </Trans>
        </p>
        <p className="mt-4 border-s-4 border-now bg-now-soft px-4 py-3">
          <Trans>
            Anyone may send you your tokens, also unasked; nobody will ever ask for some back, or for a
            phrase.
          </Trans>
        </p>
        {lookup.hasLive ? (
          <LookupForm lookup={lookup} />
        ) : (
          <p className="mt-8 text-lg">
            <Trans>No delivery round is live and no escrow in force yet, so there is nothing to claim.</Trans>
          </p>
        )}
        <Found lookup={lookup} />
        <EscrowRounds escrows={lookup.escrows} />
        <WithoutSite />
      </div>
    </div>
  )
}

/** The pattern rejects a private key before it enters the URL. */
function LookupForm({ lookup: { address, problem } }: { lookup: ClaimLookup }) {
  const { t } = useLingui()
  const { locale } = usePage()
  const words = useProblems()
  return (
    <form action={localPath(locale, '/claim')} method="get" className="mt-8">
      <label htmlFor="claim-address" className="text-sm text-soft">
        <Trans>Address that the tokens go to, or that paid into an escrow</Trans>
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
        <Trans>
          Anybody can read how many tokens each address has: the lists and the escrows are public.
        </Trans>
      </p>
    </form>
  )
}

function useProblems(): Record<NonNullable<ClaimLookup['problem']>, string> {
  const { t } = useLingui()
  return {
    not_address: t`This is no address: it has to be 0x and 40 digits or letters from a to f, without a mistake in them.`,
    private_key: t`This looks like a private key. It is never needed here. It stood in the address bar, so others may know it: move its coins to a new wallet.`,
    too_many: t`Too many addresses were looked up just now. Try again in a minute.`,
  }
}

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
          . It claims by the list, and claims or refunds from an escrow by its address alone, with any node of
          the chain, loads nothing and needs no server.
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

function Found({ lookup }: { lookup: ClaimLookup }) {
  const { address, problem, claims, orders } = lookup
  if (!address || problem) return null
  if (claims.length + orders.length === 0)
    return (
      <p role="status" className="mt-10 border-t-2 border-ink pt-6 text-lg">
        <Trans>
          No live round and no escrow has anything for{' '}
          <span className="figures wrap-anywhere">{address}</span>. Rounds whose contract is not live yet are
          not shown here.
        </Trans>
      </p>
    )
  return (
    <div className="mt-10 border-t-2 border-ink">
      {claims.map((claim) => (
        <Claim key={`${claim.round} ${claim.call.data}`} claim={claim} />
      ))}
      <EscrowOrders lookup={lookup} />
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
      {chain ? <Unlocked tokens={claim.tokens} chain={chain} /> : null}
      <dl className="mt-5 grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <Fact label={<Trans>Tokens of the address</Trans>}>
          <span className="figures">
            {amount(claim.tokens, locale)} {symbol}
          </span>
        </Fact>
        <Fact label={<Trans>Schedule</Trans>}>
          <ScheduleWords schedule={claim} now={chain?.minedAt} />
        </Fact>
        <Fact label={<Trans>Go to</Trans>}>
          <span className="figures wrap-anywhere">{claim.account}</span>
        </Fact>
        <Fact label={<Trans>Contract on {networkName(claim.network)}</Trans>}>
          <span className="figures wrap-anywhere">{claim.distributor}</span>
        </Fact>
      </dl>
      {chain ? (
        <Settling chain={chain} />
      ) : (
        <p className="mt-5 border-s-4 border-line-strong bg-sunk px-4 py-3">
          <Trans>
            The site’s node does not answer just now, so nothing can be shown of the chain. The tokens lie
            there all the same, and the data below claims the unlocked ones.
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
      {isDue ? (
        <Elsewhere
          call={{ chainId: claim.chainId, ...claim.call }}
          title={<Trans>Claim with another wallet</Trans>}
          lead={
            <Trans>
              Any wallet, also somebody else’s, may send this transaction and pays its fee. The tokens go to
              the address above alone.
            </Trans>
          }
        />
      ) : null}
    </section>
  )
}
