import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { PublicCampaign } from '../../../shared/api/campaign.ts'
import { type OwnReferral, referralRoutes } from '../../../shared/api/referral.ts'
import { localPath } from '../../../shared/languages.ts'
import { type ReferralRefusal, referralRules } from '../../../shared/referral.ts'
import { call } from '../../area/call.ts'
import { InItsPlace } from '../../area/InItsPlace.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band, Figure, Figures } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { useChange } from '../../area/use-change.ts'
import { documentFacts } from '../../document-facts.ts'
import { documentLocale } from '../../i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Percent, TokenAmount } from '../../ui/numbers.tsx'
import { Skeleton } from '../../ui/Spinner.tsx'
import { useCampaign } from '../queries.ts'
import { touched } from '../touched.ts'
import { ShareButton } from './ShareButton.tsx'

// Loaded apart: the country list is as large as the page and needed once.
const CountryChoice = lazy(async () => ({
  default: (await import('../CountryChoice.tsx')).CountryChoice,
}))

type Settings = PublicCampaign['settings']

/** Renders nothing if the campaign never had rewards. */
export function FriendsLink() {
  const settings = useCampaign().data?.settings
  const own = useQuery(read(referralRoutes.show))
  const [isNew, setNew] = useState(false)
  if (!settings || (!settings.referral && !own.data?.code)) return null
  return (
    <Band title={<Trans>Bring a friend</Trans>} id="friends">
      <Loaded query={own} skeleton={<Skeleton className="h-24" />}>
        {(shown) => (
          <>
            <Terms settings={settings} />
            {shown.code ? (
              <InItsPlace isAnswer={isNew}>
                <OwnLink own={shown} code={shown.code} settings={settings} />
              </InItsPlace>
            ) : (
              <Join refused={settings.referral?.countriesExcluded ?? []} done={() => setNew(true)} />
            )}
          </>
        )}
      </Loaded>
    </Band>
  )
}

function Terms({ settings: { referral: terms, symbol } }: { settings: Settings }) {
  if (!terms)
    return (
      <p className="text-soft">
        <Trans>
          The programme is over: the link leads to the site, but who comes by it from now on counts for
          nobody. Friends who came before keep their terms.
        </Trans>
      </p>
    )
  return (
    <p className="max-w-prose text-soft">
      <Trans>
        For every order of who signs up by your link within {referralRules.linkDays} days of opening it, you
        get <Percent value={terms.percent} /> of its base tokens, at most{' '}
        <TokenAmount value={terms.mostTokensEach} unit={symbol} /> in all and while the{' '}
        <TokenAmount value={terms.mostTokens} unit={symbol} /> for everybody last. They are credited once the
        order is final, or {referralRules.handDays} days after an approval by hand, and taken back with it.
        Friends pay the same as everybody. Nothing is credited where two accounts are recognised as one
        person's, by mailbox, browser and network, payer or address; what is recognised later is taken back
        until the tokens are in the list of a delivery round.
      </Trans>
    </p>
  )
}

const focusField = (box: HTMLElement | null) => box?.querySelector('input')?.focus()

function Join({ refused, done }: { refused: readonly string[]; done: () => void }) {
  const { t } = useLingui()
  const [isAsked, ask] = useState(false)
  const [country, setCountry] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const join = useChange({
    run: (chosen: string) => call(referralRoutes.join, { body: { country: chosen } }),
    touches: touched.referral,
    done,
    failed: t`No link was made.`,
  })
  const submit = () => {
    if (!isAsked) return ask(true)
    return country ? join.mutate(country) : setError(t`Please declare your country.`)
  }
  return (
    <div className="mt-4 flex max-w-md flex-col gap-4">
      {isAsked ? (
        <Suspense fallback={<Skeleton className="h-18" />}>
          <div ref={focusField}>
            <CountryChoice
              value={country}
              onValueChange={(next) => {
                setCountry(next)
                setError(undefined)
              }}
              refused={refused}
              empty={<Trans>No country is called that, or the programme is not open there.</Trans>}
              error={error}
            />
          </div>
        </Suspense>
      ) : null}
      <Button className="self-start" loading={join.isPending} onClick={submit}>
        <Trans>Get my link</Trans>
      </Button>
    </div>
  )
}

function OwnLink({ own, code, settings }: { own: OwnReferral; code: string; settings: Settings }) {
  const { t } = useLingui()
  const link = `${documentFacts().origin}${localPath(documentLocale(), `/r/${code}`)}`
  const why = useRefusalNames()
  return (
    <>
      <p className="my-4 flex flex-wrap items-center gap-3">
        <span className="figures wrap-anywhere">{link}</span>
        <CopyButton text={link} what={t`Copy the link`}>
          <Trans>Copy</Trans>
        </CopyButton>
        <ShareButton url={link} title={settings.name} />
      </p>
      <Figures most={4}>
        <Figure label={<Trans>Signed up by it</Trans>}>{own.friends}</Figure>
        <Figure label={<Trans>Orders not final yet</Trans>}>{own.waitingOrders}</Figure>
        <Figure label={<Trans>Orders credited</Trans>}>{own.creditedOrders}</Figure>
        <Figure label={<Trans>Credited</Trans>}>
          <TokenAmount value={own.creditedTokens} unit={settings.symbol} />
        </Figure>
      </Figures>
      {own.refused.length > 0 || own.takenBackOrders > 0 ? (
        <ul className="mt-4 list-disc ps-5 text-sm text-soft">
          {own.takenBackOrders > 0 ? (
            <li>
              <Trans>Credited, and taken back with the order:</Trans>{' '}
              <span className="figures">{own.takenBackOrders}</span>
            </li>
          ) : null}
          {own.refused.map(({ refusal, orders }) => (
            <li key={refusal}>
              {why[refusal]}: <span className="figures">{orders}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function useRefusalNames(): Record<ReferralRefusal, string> {
  const { t } = useLingui()
  const gone = t`Not counted, because an account was deleted or changed hands`
  return {
    account_gone: gone,
    same_mailbox: t`Not counted, because both accounts are of one mailbox`,
    same_device: t`Not counted, because both signed in with one browser`,
    same_address: t`Not counted, because both named one address`,
    ring: t`Not counted: this friend is the same person as the one who brought you`,
    country_excluded: t`Not counted, because of a country where the programme is not open`,
    taken_over: gone,
    country_unknown: t`Not counted, because the order names no country`,
    limit_reached: t`Not counted, because a limit was reached`,
    supply_reached: t`Not counted, because no bonus tokens were left`,
  }
}
