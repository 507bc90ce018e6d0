import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  BadgeDollarSign,
  ChartNoAxesColumn,
  Coins,
  KeyRound,
  LogOut,
  type LucideIcon,
  Megaphone,
  Plug,
  Radar,
  ReceiptText,
  ScrollText,
  Settings2,
  ShieldCheck,
  UserCog,
  UserRound,
  UsersRound,
  WalletCards,
} from 'lucide-react'
import { useState } from 'react'
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { can, type Right } from '../../shared/roles.ts'
import { call } from '../api.ts'
import { errorText } from '../errors.ts'
import { isLocale } from '../i18n.ts'
import { Breadcrumb } from '../ui/Breadcrumb.tsx'
import { Button, buttonLook } from '../ui/Button.tsx'
import { DemoRibbon } from '../ui/DemoRibbon.tsx'
import { Logo } from '../ui/Logo.tsx'
import { TimeZone } from '../ui/numbers.tsx'
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
import { toast } from '../ui/Toast.tsx'
import { useOperatorZone, usePublicCampaign, waitingActionsQuery } from './data.ts'
import { useLanguageChange } from './language.ts'
import { useLiveOrders } from './live.ts'
import { places } from './places.ts'
import { StepUp } from './StepUp.tsx'
import { useOperator, useRoleName } from './session.ts'

interface Place {
  path: string
  label: string
  Icon: LucideIcon
  right?: Right
}

function usePlaceGroups(): { label: string; places: Place[] }[] {
  const { t } = useLingui()
  return [
    {
      label: t`Sale`,
      places: [
        { path: places.crypto, label: t`Crypto`, Icon: Coins },
        { path: places.overview, label: t`Overview`, Icon: ChartNoAxesColumn },
        { path: places.users, label: t`Users`, Icon: UsersRound, right: 'users:read' },
        { path: places.orders, label: t`Transactions`, Icon: ReceiptText, right: 'orders:read' },
        { path: places.payments, label: t`Payments`, Icon: WalletCards, right: 'orders:read' },
        { path: places.approvals, label: t`Approvals`, Icon: ShieldCheck },
        { path: places.price, label: t`Main currency`, Icon: BadgeDollarSign },
      ],
    },
    {
      label: t`Site`,
      places: [
        { path: places.campaign, label: t`Campaign`, Icon: Settings2 },
        { path: places.content, label: t`Content`, Icon: Megaphone, right: 'content:write' },
        { path: places.pixels, label: t`Pixels`, Icon: Radar, right: 'analytics:write' },
        { path: places.integrations, label: t`Integrations`, Icon: Plug, right: 'webhooks:write' },
      ],
    },
    {
      label: t`People`,
      places: [
        { path: places.operators, label: t`Operators`, Icon: UserCog, right: 'operators:write' },
        { path: places.audit, label: t`Audit`, Icon: ScrollText, right: 'audit:read' },
        { path: places.account, label: t`My access`, Icon: UserRound },
        { path: places.password, label: t`Change Pass`, Icon: KeyRound },
      ],
    },
  ]
}

/** The frame of every guarded page. */
export function Shell() {
  const { role } = useOperator()
  useLiveOrders(can(role, 'orders:read'))
  const campaign = usePublicCampaign()
  const zone = useOperatorZone()
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
        <Navigation />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar />
          <Bands />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-[96rem] flex-1 px-4 py-6 outline-none sm:px-8"
          >
            <TimeZone value={zone}>
              <Outlet />
            </TimeZone>
          </main>
        </div>
      </div>
      <StepUp />
      <ScrollRestoration />
    </SidebarProvider>
  )
}

function Navigation() {
  const { t } = useLingui()
  const { role } = useOperator()
  const { pathname } = useLocation()
  const waiting = useQuery(waitingActionsQuery).data?.length ?? 0
  const opened = pathname.replace(/\/$/, '')
  return (
    <Sidebar head={<SidebarHead />}>
      {usePlaceGroups().map((group) => (
        <SidebarGroup key={group.label} label={group.label}>
          {group.places.map(({ path, label, Icon, right }) => {
            const refused = right !== undefined && !can(role, right)
            const count = path === places.approvals && waiting > 0 ? ` (${waiting})` : ''
            return (
              <SidebarLink
                key={path}
                label={label + count}
                icon={<Icon aria-hidden="true" />}
                current={
                  path === places.crypto ? opened === path : opened === path || opened.startsWith(`${path}/`)
                }
                render={({ className, ...props }) => (
                  <Link
                    to={path}
                    {...props}
                    title={refused ? t`Not for your role` : undefined}
                    className={refused ? `${className} font-normal!` : className}
                  />
                )}
              />
            )
          })}
        </SidebarGroup>
      ))}
    </Sidebar>
  )
}

function SidebarHead() {
  const collapsed = useCollapsed()
  return (
    <Link to={places.area} className="flex min-w-0 items-center gap-2.5 rounded-md">
      <Logo />
      <span className={collapsed ? 'sr-only' : 'display truncate text-2xl'}>
        <Trans>Back office</Trans>
      </span>
    </Link>
  )
}

/** Where the page stands, from its path. */
function Trail() {
  const { t } = useLingui()
  const { pathname } = useLocation()
  const opened = pathname.replace(/\/$/, '')
  const all = usePlaceGroups().flatMap((group) => group.places)
  const page =
    all.find((place) => place.path === opened) ??
    all.find((place) => place.path !== places.area && opened.startsWith(`${place.path}/`))
  const steps = [{ key: 'area', node: <Link to={places.area}>{t`Operator`}</Link> }]
  if (opened.startsWith(places.approved)) {
    steps.push({ key: 'orders', node: <Link to={places.orders}>{t`Transactions`}</Link> })
    steps.push({ key: 'approved', node: <>{t`Approved`}</> })
  } else if (page) {
    const rest = opened.slice(page.path.length + 1)
    steps.push({ key: page.path, node: rest ? <Link to={page.path}>{page.label}</Link> : <>{page.label}</> })
    if (rest) steps.push({ key: 'rest', node: <>{decodeURIComponent(rest)}</> })
  }
  return <Breadcrumb trail={steps} />
}

function TopBar() {
  const { t, i18n } = useLingui()
  const changeLanguage = useLanguageChange()
  const { login, role } = useOperator()
  const nameOf = useRoleName()
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-2 sm:px-4">
      <SidebarToggle />
      <div className="min-w-0 flex-1 overflow-hidden">
        <Trail />
      </div>
      <RouteSpinner />
      <div className="flex shrink-0 items-center gap-1">
        <ThemeSwitch />
        <LanguageSwitch locale={isLocale(i18n.locale) ? i18n.locale : 'en'} onChange={changeLanguage} />
        <Link
          to={places.account}
          className={`${buttonLook({ variant: 'ghost', size: 'sm' })} hidden! max-w-56 md:inline-flex!`}
        >
          <span className="truncate">{login}</span>
          <span className="font-normal text-faint">{nameOf(role)}</span>
        </Link>
        <LogOutButton label={t`Log out`} />
      </div>
    </header>
  )
}

function LogOutButton({ label }: { label: string }) {
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const logOut = async () => {
    setBusy(true)
    try {
      await call(operatorSessionRoutes.logOut, {})
      client.clear()
      location.assign(places.login)
    } catch (error) {
      toast.error(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      title={label}
      loading={busy}
      onClick={() => void logOut()}
    >
      <LogOut aria-hidden="true" className="size-4.5" />
    </Button>
  )
}

/** While the guard checks a change of page; it fades in late, so the usual blink shows nothing. */
function RouteSpinner() {
  const { t } = useLingui()
  const busy = useNavigation().state !== 'idle'
  return busy ? <Spinner label={t`Loading`} className="animate-late text-xl text-faint" /> : null
}

/** What is true for every page just now. */
function Bands() {
  const campaign = usePublicCampaign()
  const { role, hasSecondFactor } = useOperator()
  return (
    <>
      {campaign?.pausedAt ? (
        <Notice
          action={
            <Link className="underline" to={places.campaign}>
              <Trans>Campaign</Trans>
            </Link>
          }
        >
          <strong>
            <Trans>The sale is paused.</Trans>
          </strong>{' '}
          {campaign.pauseReason?.en || campaign.pauseReason?.ru}
        </Notice>
      ) : null}
      {role === 'owner' && !hasSecondFactor ? (
        <Notice
          tone="neutral"
          action={
            <Link className="underline" to={places.account}>
              <Trans>Set it up</Trans>
            </Link>
          }
        >
          <Trans>You are an owner without a second factor. Please switch one on.</Trans>
        </Notice>
      ) : null}
    </>
  )
}
