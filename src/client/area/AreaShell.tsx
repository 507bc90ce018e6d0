import { Trans, useLingui } from '@lingui/react/macro'
import { cx } from 'class-variance-authority'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { isLocale } from '../i18n.ts'
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
import { LanguageSwitch, ThemeSwitch } from '../ui/switches.tsx'
import { useLanguageChange } from './language.ts'
import { usePageStart } from './page-start.ts'

export interface SidebarPage {
  path: string
  label: string
  Icon: LucideIcon
  /** Why the page may not be read; dims the link. */
  refusal?: string | undefined
}

export interface SidebarPages {
  label: string
  pages: readonly SidebarPage[]
}

interface AreaShellProps {
  isDemo: boolean
  name: ReactNode
  home: string
  groups: readonly SidebarPages[]
  trail?: ReactNode
  owner: ReactNode
  /** Banners on every page, such as “paused”. */
  bands: ReactNode
  mainClassName: string
  foot?: ReactNode
  children?: ReactNode
}

export function AreaShell({ isDemo, bands, mainClassName, foot, children, ...rest }: AreaShellProps) {
  usePageStart()
  return (
    <SidebarProvider>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-ink focus:px-3 focus:py-2 focus:text-paper"
      >
        <Trans>Skip to content</Trans>
      </a>
      {isDemo ? <DemoRibbon /> : null}
      <div className="flex min-h-dvh">
        <Navigation {...rest} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar {...rest} />
          {bands}
          <main
            id="main"
            tabIndex={-1}
            className={cx('mx-auto w-full flex-1 px-4 outline-none sm:px-8', mainClassName)}
          >
            <Outlet />
          </main>
          {foot}
        </div>
      </div>
      {children}
    </SidebarProvider>
  )
}

function Navigation({ name, home, groups }: Pick<AreaShellProps, 'name' | 'home' | 'groups'>) {
  const { pathname } = useLocation()
  const opened = pathname.replace(/\/$/, '')
  const isOpen = (path: string) => opened === path || (path !== home && opened.startsWith(`${path}/`))
  return (
    <Sidebar head={<SidebarHead name={name} home={home} />}>
      {groups.map((group) => (
        <SidebarGroup key={group.label} label={group.label}>
          {group.pages.map(({ path, label, Icon, refusal }) => (
            <SidebarLink
              key={path}
              label={label}
              icon={<Icon aria-hidden="true" />}
              current={isOpen(path)}
              render={({ className, ...props }) => (
                <Link
                  to={path}
                  {...props}
                  title={refusal}
                  className={refusal ? `${className} font-normal!` : className}
                />
              )}
            />
          ))}
        </SidebarGroup>
      ))}
    </Sidebar>
  )
}

function SidebarHead({ name, home }: Pick<AreaShellProps, 'name' | 'home'>) {
  const collapsed = useCollapsed()
  return (
    <Link to={home} className="flex min-w-0 items-center gap-2.5 rounded-md">
      <Logo />
      <span className={collapsed ? 'sr-only' : 'display min-w-0 text-2xl leading-none'}>{name}</span>
    </Link>
  )
}

function TopBar({ trail, owner }: Pick<AreaShellProps, 'trail' | 'owner'>) {
  const { i18n } = useLingui()
  const changeLanguage = useLanguageChange()
  return (
    <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-2 sm:px-4">
      <SidebarToggle />
      {trail ? <div className="min-w-0 flex-1 overflow-hidden">{trail}</div> : null}
      <RouteSpinner />
      <div className={cx('ml-auto flex items-center gap-1', trail ? 'shrink-0' : 'min-w-0')}>
        <ThemeSwitch />
        <LanguageSwitch
          locale={isLocale(i18n.locale) ? i18n.locale : 'en'}
          onChange={(locale) => void changeLanguage(locale)}
        />
        {owner}
      </div>
    </header>
  )
}

/** Fades in late, so a quick change of page shows none. */
function RouteSpinner() {
  const { t } = useLingui()
  const busy = useNavigation().state !== 'idle'
  return busy ? <Spinner label={t`Loading`} className="animate-late text-xl text-faint" /> : null
}
