import { Trans, useLingui } from '@lingui/react/macro'
import { accountRoutes } from '../../shared/api/account.ts'
import type { BuyerPage } from '../../shared/pages.ts'
import { AreaShell, type SidebarPages } from '../area/AreaShell.tsx'
import { LocalText } from '../area/LocalText.tsx'
import { useLiveStream } from '../area/live-stream.ts'
import { StepUp } from '../area/StepUp.tsx'
import { paths } from '../paths.ts'
import { Notice } from '../ui/states.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Consent } from './Consent.tsx'
import { useOnline } from './online.ts'
import { groups, pages } from './pages.ts'
import { useCampaign } from './queries.ts'
import { buyerStream } from './touched.ts'

/** The frame of every guarded page. */
export function Shell() {
  useLiveStream(buyerStream)
  return (
    <AreaShell
      isDemo={useCampaign().data?.demo ?? false}
      name={<Trans>Official Presale</Trans>}
      home={paths.dashboard}
      groups={useSidebarPages()}
      owner={<AccountMenu />}
      bands={<Bands />}
      mainClassName="max-w-5xl py-8 [--head-gap:2rem]"
      foot={<ZoneOfTimes />}
    >
      <StepUp routes={accountRoutes} />
      <Consent />
    </AreaShell>
  )
}

function useSidebarPages(): SidebarPages[] {
  const { i18n } = useLingui()
  const name = useCampaign().data?.settings.name ?? 'iToken'
  return Object.entries(groups).map(([group, title]) => ({
    label: i18n._(title),
    pages: (Object.keys(pages) as BuyerPage[]).flatMap((page) => {
      const { title: words, Icon, group: own } = pages[page]
      if (own !== group || !words || !Icon) return []
      return { path: paths[page], label: i18n._(words.id, { name }, { message: words.message }), Icon }
    }),
  }))
}

/** Each moment on these pages is shown in the reader's own zone; here it is named. */
function ZoneOfTimes() {
  // The server does not know the reader's.
  if (typeof document === 'undefined') return null
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <footer className="mx-auto w-full max-w-5xl px-4 pb-6 text-sm text-faint sm:px-8">
      <Trans>Times are in your time zone, {zone}.</Trans>
    </footer>
  )
}

/** Says what is true for every page just now: the network is gone, the sale is paused. */
function Bands() {
  const online = useOnline()
  const campaign = useCampaign().data
  return (
    <>
      {online ? null : (
        <Notice tone="danger">
          <Trans>
            You are offline. What you see may be old; what you started goes on when the network is back.
          </Trans>
        </Notice>
      )}
      {campaign?.pausedAt ? (
        <Notice>
          <strong>
            <Trans>The sale is paused.</Trans>
          </strong>{' '}
          {campaign.pauseReason ? <LocalText text={campaign.pauseReason} /> : null}
        </Notice>
      ) : null}
    </>
  )
}
