import { Trans, useLingui } from '@lingui/react/macro'
import {
  BookOpen,
  CircleUserRound,
  Coins,
  FileText,
  LayoutDashboard,
  type LucideIcon,
  ShoppingCart,
  Star,
  Trophy,
} from 'lucide-react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { isLocale } from '../i18n.ts'
import { paths } from '../paths.ts'
import { DemoRibbon } from '../ui/DemoRibbon.tsx'
import { Logo } from '../ui/Logo.tsx'
import {
  Sidebar,
  SidebarGroup,
  SidebarLink,
  SidebarProvider,
  SidebarToggle,
  useCollapsed,
} from '../ui/Sidebar.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Notice } from '../ui/states.tsx'
import { LanguageSwitch, ThemeSwitch } from '../ui/switches.tsx'
import { Consent } from './Consent.tsx'
import { useCampaign } from './data.ts'
import { LocalText } from './LocalText.tsx'
import { useLanguageChange } from './language.ts'
import { useLiveUpdates } from './live.ts'
import { useOnline } from './online.ts'
import { useSession } from './session.ts'

/** The frame of every guarded page. */
export function Shell() {
  useLiveUpdates()
  const campaign = useCampaign().data
  const session = useSession()
  return (
    <SidebarProvider>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-ink focus:px-3 focus:py-2 focus:text-paper"
      >
        <Trans>Skip to content</Trans>
      </a>
      {campaign?.demo ? <DemoRibbon /> : null}
      <div className="flex min-h-dvh">
        <Navigation symbolName={campaign?.settings.name ?? 'iToken'} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar email={session?.email} />
          <Bands />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-5xl flex-1 px-4 py-8 outline-none sm:px-8"
          >
            <Outlet />
          </main>
          <ZoneOfTimes />
        </div>
      </div>
      <Consent />
    </SidebarProvider>
  )
}

/** Each moment on these pages is shown in the reader's own zone; here it is named. */
function ZoneOfTimes() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <footer className="mx-auto w-full max-w-5xl px-4 pb-6 text-sm text-faint sm:px-8">
      <Trans>Times are in your time zone, {zone}.</Trans>
    </footer>
  )
}

interface Place {
  path: string
  label: string
  Icon: LucideIcon
}

function Navigation({ symbolName }: { symbolName: string }) {
  const { t } = useLingui()
  const { pathname } = useLocation()
  const groups: { label: string; places: Place[] }[] = [
    {
      label: t`Account`,
      places: [
        { path: paths.dashboard, label: t`Dashboard`, Icon: LayoutDashboard },
        { path: paths.profile, label: t`My Profile`, Icon: CircleUserRound },
        { path: paths.status, label: t`Status`, Icon: Star },
      ],
    },
    {
      label: t`Finances`,
      places: [
        { path: paths.buy, label: t`Buy Token`, Icon: ShoppingCart },
        { path: paths.tokenHub, label: t`${symbolName} Hub`, Icon: Coins },
      ],
    },
    {
      label: t`Information`,
      places: [
        { path: paths.howToBuy, label: t`How to Buy`, Icon: BookOpen },
        { path: paths.leaderboard, label: t`Leaderboard`, Icon: Trophy },
        { path: paths.documents, label: t`Documents`, Icon: FileText },
      ],
    },
  ]
  const opened = pathname.replace(/\/$/, '')
  return (
    <Sidebar head={<SidebarHead />}>
      {groups.map((group) => (
        <SidebarGroup key={group.label} label={group.label}>
          {group.places.map(({ path, label, Icon }) => (
            <SidebarLink
              key={path}
              label={label}
              icon={<Icon aria-hidden="true" />}
              current={opened === path}
              render={(props) => <Link to={path} {...props} />}
            />
          ))}
        </SidebarGroup>
      ))}
    </Sidebar>
  )
}

function SidebarHead() {
  const collapsed = useCollapsed()
  return (
    <Link to={paths.dashboard} className="flex min-w-0 items-center gap-2.5 rounded-md">
      <Logo />
      <span className={collapsed ? 'sr-only' : 'display truncate text-2xl'}>
        <Trans>Official Presale</Trans>
      </span>
    </Link>
  )
}

function TopBar({ email }: { email: string | undefined }) {
  const { i18n } = useLingui()
  const changeLanguage = useLanguageChange()
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-2 sm:px-4">
      <SidebarToggle />
      <RouteSpinner />
      <div className="ml-auto flex min-w-0 items-center gap-1">
        <ThemeSwitch />
        <LanguageSwitch locale={isLocale(i18n.locale) ? i18n.locale : 'en'} onChange={changeLanguage} />
        <Link
          to={paths.profile}
          className="hidden min-w-0 truncate rounded-md px-2 text-sm text-soft hover:text-ink sm:block"
        >
          {email}
        </Link>
      </div>
    </header>
  )
}

/** While the guard checks a change of route; it fades in late, so the usual blink shows nothing. */
function RouteSpinner() {
  const { t } = useLingui()
  const busy = useNavigation().state !== 'idle'
  return busy ? <Spinner label={t`Loading`} className="animate-late text-xl text-faint" /> : null
}

/** What is true for every page just now: no network, a paused sale. */
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
