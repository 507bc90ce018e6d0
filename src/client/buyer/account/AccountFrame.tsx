import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { localeOfPath, localPath, pathWithoutLocale } from '../../../shared/languages.ts'
import { usePageStart } from '../../area/page-start.ts'
import { activate, isLocale, type Locale } from '../../i18n.ts'
import { Ito, type Pose } from '../../ito/Ito.tsx'
import { paths } from '../../paths.ts'
import { DemoRibbon } from '../../ui/DemoRibbon.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { LanguageSwitch, ThemeSwitch } from '../../ui/switches.tsx'
import { Consent } from '../Consent.tsx'
import { useCampaign } from '../queries.ts'

export function AccountFrame() {
  usePageStart()
  const { i18n } = useLingui()
  const { pathname, search, hash } = useLocation()
  const campaign = useCampaign().data
  const locale: Locale = isLocale(i18n.locale) ? i18n.locale : 'en'
  const named = localeOfPath(pathname)
  const wanted: Locale = isLocale(named) ? named : locale
  useEffect(() => {
    if (wanted !== locale) void activate(wanted)
  }, [wanted, locale])
  const changeLanguage = (next: Locale) => {
    // Each language has its own address for the same page.
    location.assign(localPath(next, pathWithoutLocale(pathname)) + search + hash)
  }
  return (
    <div className="flex min-h-dvh flex-col">
      {campaign?.demo ? <DemoRibbon /> : null}
      <header className="border-b border-line">
        <div className="mx-auto flex h-16 max-w-[84rem] items-center gap-2 px-[clamp(1rem,4vw,3rem)]">
          <a href={localPath(locale, paths.home)} className="flex items-center gap-2.5">
            <Logo />
            <span className="display text-2xl">{campaign?.settings.name ?? ''}</span>
          </a>
          <div className="ml-auto flex items-center gap-1">
            <ThemeSwitch />
            <LanguageSwitch locale={locale} onChange={changeLanguage} />
          </div>
        </div>
      </header>
      <Outlet />
      <Consent />
    </div>
  )
}

export function AccountPage({
  title,
  lead,
  pose = 'wave',
  aside,
  children,
}: {
  title: ReactNode
  lead?: ReactNode
  pose?: Pose
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <main
      id="main"
      className="mx-auto grid w-full max-w-5xl flex-1 items-center gap-12 px-4 py-10 sm:px-8 lg:grid-cols-[minmax(0,26rem)_1fr]"
    >
      <div className="min-w-0">
        <h1 className="display text-title">{title}</h1>
        {lead ? <div className="mt-2 text-soft">{lead}</div> : null}
        <div className="mt-6">{children}</div>
      </div>
      <div className="hidden h-full flex-col items-center justify-center border-l border-line pl-12 lg:flex">
        <Ito pose={pose} decorative className="h-80 w-auto" />
        {aside ? <div className="mt-6 max-w-xs text-center text-balance text-soft">{aside}</div> : null}
      </div>
    </main>
  )
}

export function AccountLink({
  to,
  question,
  children,
}: {
  to: string
  question?: ReactNode
  children: ReactNode
}) {
  return (
    <p className="text-sm text-soft">
      {question}{' '}
      <Link to={to} className="font-semibold text-ink underline underline-offset-4 hover:no-underline">
        {children}
      </Link>
    </p>
  )
}

/** In the fragment, so that no server log holds the token; removed from the address at once. */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token'))
  useEffect(() => {
    if (location.hash) history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  return token
}

export function LinkMissing({ children }: { children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-6">
      <p>
        <Trans>This page works only from the link in your mail. Open it again from there.</Trans>
      </p>
      {children}
    </div>
  )
}
