import { Trans, useLingui } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { accountRoutes } from '../../shared/api/account.ts'
import { type BuyerPage, buyerPages } from '../../shared/pages.ts'
import { AreaShell, type SidebarPages } from '../area/AreaShell.tsx'
import { DocumentTitle } from '../area/document-title.ts'
import { LocalText } from '../area/LocalText.tsx'
import { useLiveStream } from '../area/live-stream.ts'
import { StepUp } from '../area/StepUp.tsx'
import { paths } from '../paths.ts'
import { useMomentsShown } from '../ui/numbers.tsx'
import { Notice } from '../ui/states.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Consent } from './Consent.tsx'
import { useOnline } from './online.ts'
import { groups, pages } from './pages.ts'
import { useCampaign, useCampaignName } from './queries.ts'
import { buyerStream } from './touched.ts'

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

const allPages = Object.keys(pages) as BuyerPage[]

function usePageNames(): (page: BuyerPage) => string {
  const { i18n } = useLingui()
  const name = useCampaignName()
  return (page) => {
    const { id, message } = pages[page].title
    return i18n._(id, { name }, message ? { message } : {})
  }
}

function useSidebarPages(): SidebarPages[] {
  const { i18n } = useLingui()
  const nameOf = usePageNames()
  return Object.entries(groups).map(([group, title]) => ({
    label: i18n._(title),
    pages: allPages.flatMap((page) => {
      const { Icon, group: own } = pages[page]
      return own === group && Icon ? { path: paths[page], label: nameOf(page), Icon } : []
    }),
  }))
}

function OpenPageTitle() {
  const { pathname } = useLocation()
  const nameOf = usePageNames()
  const below = pathname.replace(/\/$/, '').slice(paths.dashboard.length + 1)
  const page = allPages.find((known) => buyerPages[known] === below)
  return <DocumentTitle page={page && nameOf(page)} />
}

/** Names the reader's time zone, which the server does not know. */
function ZoneOfTimes() {
  if (!useMomentsShown()) return null
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <footer className="mx-auto w-full max-w-5xl px-4 pb-6 text-sm text-faint sm:px-8">
      <Trans>Times are in your time zone, {zone}.</Trans>
    </footer>
  )
}

function Bands() {
  const online = useOnline()
  const campaign = useCampaign().data
  return (
    <>
      <OpenPageTitle />
      {online ? null : (
        <Notice tone="danger">
          <Trans>You are offline. This page may be out of date.</Trans>
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
