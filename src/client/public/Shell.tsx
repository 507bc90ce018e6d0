import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { contactLink } from '../../shared/contact-link.ts'
import { factsOf, localPath, type PublicLocale, publicLocales } from '../../shared/languages.ts'
import { Ito } from '../ito/Ito.tsx'
import { CountingQuestion } from '../ui/CountingQuestion.tsx'
import { DemoRibbon } from '../ui/DemoRibbon.tsx'
import { usePage, usePath } from './frame.tsx'
import { themeIcons } from './theme-icons.ts'

export function Shell({ children }: { children: ReactNode }) {
  const { asksConsent } = usePage()
  return (
    <>
      <a
        href="#main"
        className="press sr-only bg-raised focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:start-2 focus-visible:z-50"
      >
        <Trans>Skip to the content</Trans>
      </a>
      <DemoBand />
      <Header />
      <main id="main" tabIndex={-1} className="flex-1 focus:outline-none">
        {children}
      </main>
      <Footer />
      {asksConsent ? <Consent /> : null}
    </>
  )
}

export function DemoBand() {
  return usePage().campaign?.demo ? <DemoRibbon /> : null
}

/** Always visible while scrolling. */
export function PreviewMark() {
  const { t } = useLingui()
  return (
    <aside
      aria-label={t`Preview`}
      data-preview
      className="sticky bottom-0 z-50 border-t bg-ink px-4 py-2 text-center text-sm font-medium text-paper"
    >
      <Trans>
        Preview with the settings as they stand in the form: nobody else sees it. Figures are those of now,
        and links lead nowhere.
      </Trans>
    </aside>
  )
}

/** Shows the mascot if there is no logo. */
function Brand() {
  const { campaign } = usePage()
  const path = usePath()
  const logo = campaign?.settings.brand.logoUploadId
  return (
    <a href={path('/')} className="flex items-center gap-2">
      <span className="h-9" aria-hidden="true">
        {logo ? (
          <img src={`/uploads/${logo}`} alt="" className="h-full w-auto max-w-36 object-contain" />
        ) : (
          <Ito decorative className="h-full w-auto" />
        )}
      </span>
      <span className="display text-2xl">{campaign?.settings.name ?? 'Presale'}</span>
    </a>
  )
}

function useSections() {
  const { t } = useLingui()
  const path = usePath()
  const { giveaway } = usePage()
  return [
    { href: `${path('/')}#top`, text: t`Home` },
    { href: `${path('/')}#tokendetails`, text: t`Token Details` },
    { href: `${path('/')}#rewards`, text: t`Rewards` },
    ...(giveaway ? [{ href: `${path('/')}#main-prize`, text: t`Main Prize` }] : []),
    { href: `${path('/')}#faq`, text: t`FAQ` },
  ]
}

function Header() {
  const { t } = useLingui()
  const { signedIn, campaign } = usePage()
  const sections = useSections()
  return (
    <header className="site-header sticky top-0 z-40 border-b bg-paper" data-island="header">
      <div className="wrap flex h-16 items-center gap-6">
        <Brand />
        {campaign ? (
          <nav aria-label={t`Sections`} className="ms-4 hidden gap-6 text-sm font-medium lg:flex">
            {sections.map((section) => (
              <a key={section.href} href={section.href} className="hover:text-accent-text">
                {section.text}
              </a>
            ))}
          </nav>
        ) : null}
        <div className="ms-auto flex items-center gap-1 sm:gap-2">
          <ThemeSwitch />
          <LanguageLink />
          {campaign ? (
            <div className="hidden items-center gap-2 lg:flex">
              <Entrances signedIn={signedIn} />
            </div>
          ) : null}
          {campaign ? (
            <details className="lg:hidden" data-menu>
              <summary
                className="press list-none px-3 [&::-webkit-details-marker]:hidden"
                aria-label={t`Menu`}
              >
                <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
                  <path
                    d="M2 5h16M2 10h16M2 15h10"
                    stroke="currentColor"
                    strokeWidth="2"
                    strokeLinecap="round"
                  />
                </svg>
              </summary>
              <nav
                aria-label={t`Sections`}
                className="absolute inset-x-0 top-16 grid max-h-[80dvh] overflow-auto border-b bg-paper px-4 pb-5 lifted"
              >
                {sections.map((section) => (
                  <a key={section.href} href={section.href} className="border-b py-3 font-medium">
                    {section.text}
                  </a>
                ))}
                <div className="mt-4 grid grid-cols-2 gap-3">
                  <Entrances signedIn={signedIn} />
                </div>
              </nav>
            </details>
          ) : null}
        </div>
      </div>
    </header>
  )
}

function Entrances({ signedIn }: { signedIn: boolean | null }) {
  const path = usePath()
  if (signedIn === null) return null
  if (signedIn)
    return (
      <a href="/dashboard" className="press press-hot">
        <Trans>Dashboard</Trans>
      </a>
    )
  return (
    <>
      <a href={path('/login')} className="press">
        <Trans>Log in</Trans>
      </a>
      <a href={path('/register')} className="press press-hot">
        <Trans>Register</Trans>
      </a>
    </>
  )
}

function ThemeSwitch() {
  const { t } = useLingui()
  const { theme } = usePage()
  const names = { system: t`Theme: as the system`, light: t`Theme: light`, dark: t`Theme: dark` }
  const name = names[theme ?? 'system']
  return (
    <button
      type="button"
      data-island="theme"
      data-names={JSON.stringify(names)}
      aria-label={name}
      title={name}
      className="grid size-11 place-items-center rounded-md hover:bg-sunk"
    >
      <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
        <path
          d={themeIcons[theme ?? 'system']}
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          fill="none"
        />
      </svg>
    </button>
  )
}

function LanguageLink() {
  const { t } = useLingui()
  const { campaign, locale, path } = usePage()
  const others = (campaign?.settings.languages ?? publicLocales).filter((other) => other !== locale)
  const look = 'language-name grid h-11 place-items-center rounded-md px-2 text-sm font-medium hover:bg-sunk'
  if (others.length < 2)
    return others.map((other) => (
      <a
        key={other}
        href={localPath(other, path)}
        hrefLang={other}
        lang={other}
        data-language={other}
        className={look}
      >
        <LanguageName of={other} />
      </a>
    ))
  return (
    <details className="relative" data-menu>
      <summary className={`${look} cursor-pointer list-none [&::-webkit-details-marker]:hidden`}>
        <span className="sr-only">{t`Language`}</span>
        <LanguageName of={locale} />
      </summary>
      <ul className="absolute end-0 top-12 grid min-w-36 border bg-paper py-1 lifted">
        {others.map((other) => (
          <li key={other}>
            <a
              href={localPath(other, path)}
              hrefLang={other}
              lang={other}
              dir={factsOf(other).direction ?? 'ltr'}
              data-language={other}
              className="language-name block px-4 py-2.5 text-sm font-medium hover:bg-sunk"
            >
              {factsOf(other).name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function LanguageName({ of }: { of: PublicLocale }) {
  const { name, direction } = factsOf(of)
  const short = direction ? name : name.slice(0, 2)
  return (
    <>
      <span className="hidden sm:inline">{name}</span>
      <span className="sm:hidden" aria-hidden="true">
        {short}
      </span>
      <span className="sr-only sm:hidden">{name}</span>
    </>
  )
}

function Footer() {
  const { t } = useLingui()
  const { campaign, currencies } = usePage()
  const path = usePath()
  if (!campaign) return null
  const { seller, name } = campaign.settings
  const links = [
    { href: path('/'), text: t`Homepage` },
    { href: `${path('/')}#tokendetails`, text: t`Token Details` },
    { href: `${path('/')}#rewards`, text: t`Rewards` },
    { href: `${path('/')}#faq`, text: t`FAQ` },
    { href: path('/privacy'), text: t`Privacy` },
    { href: path('/terms'), text: t`Terms` },
    { href: path('/risks'), text: t`Risks` },
    { href: path('/updates'), text: t`Updates` },
    { href: path('/transparency'), text: t`Transparency` },
    { href: path('/reserves'), text: t`Proof of reserves` },
    { href: path('/verify'), text: t`Verify` },
    { href: path('/claim'), text: t`Claim tokens` },
    { href: path('/accessibility'), text: t`Accessibility` },
  ]
  const accepted = currencies.filter((currency) => currency.unavailable === null)
  return (
    <footer className="border-t bg-sunk">
      <Alarm />
      <div className="wrap grid gap-10 py-14 lg:grid-cols-[1fr_auto] lg:gap-20">
        <div>
          <p className="display text-3xl">{name}</p>
          <Seller seller={seller} />
          <AcceptedCoins coins={accepted.map((currency) => currency.code)} />
        </div>
        <nav
          aria-label={t`Footer`}
          className="grid grid-cols-[auto_1fr] content-start gap-x-10 gap-y-1 text-sm sm:grid-cols-3"
        >
          {links.map((link) => (
            <a key={link.href} href={link.href} className="py-1 hover:underline">
              {link.text}
            </a>
          ))}
        </nav>
      </div>
      <div className="wrap">
        <p className="border-t py-5 text-sm text-soft">
          © {campaign.serverTime.slice(0, 4)} {seller.name || name}
          <SourceLink before=" · " />
        </p>
      </div>
    </footer>
  )
}

function Seller({ seller: { name, address, contact } }: { seller: PublicCampaign['settings']['seller'] }) {
  const mail = contactLink(contact)
  return (
    <>
      <p className="mt-3 max-w-md text-sm text-soft">
        {name ? (
          <>
            <Trans>Sold by {name}.</Trans> {address ? `${address}.` : null}
          </>
        ) : (
          <Trans>The seller is not named yet, so nothing can be bought.</Trans>
        )}
      </p>
      {contact ? (
        <p className="mt-1 text-sm">
          {mail ? (
            <a href={mail} className="under">
              {contact}
            </a>
          ) : (
            contact
          )}
        </p>
      ) : null}
    </>
  )
}

export function SourceLink({ before = '' }: { before?: string }) {
  const url = usePage().campaign?.settings.sourceUrl
  if (!url) return null
  return (
    <>
      {before}
      <a href={url} target="_blank" rel="noopener" data-source className="under">
        <Trans>Source code of this site</Trans>
      </a>
    </>
  )
}

/** In every page's footer while a check fails; no setting hides it. */
export function Alarm() {
  const { alarm } = usePage()
  const path = usePath()
  if (!alarm.isShort && !alarm.isBroken) return null
  return (
    <p data-alarm className="border-b border-danger bg-danger-soft">
      <a href={path('/reserves')} className="wrap under block py-4 font-semibold text-danger">
        {alarm.isShort ? <Trans>Less is there than this sale owes.</Trans> : null}{' '}
        {alarm.isBroken ? <Trans>The ledger check of this sale failed.</Trans> : null}
      </a>
    </p>
  )
}

function AcceptedCoins({ coins }: { coins: string[] }) {
  if (coins.length === 0)
    return (
      <p className="mt-6 text-sm text-soft">
        <Trans>No coin is accepted just now.</Trans>
      </p>
    )
  return (
    <div className="mt-6">
      <p className="text-sm text-soft">
        <Trans>Accepted now</Trans>
      </p>
      <ul className="mt-2 flex max-w-lg flex-wrap gap-2">
        {coins.map((code) => (
          <li key={code}>
            <Coin code={code} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Coin({ code }: { code: string }) {
  return (
    <img
      src={`/crypto/${encodeURIComponent(code.toLowerCase())}.svg`}
      data-coin
      alt={code}
      title={code}
      width={28}
      height={28}
      loading="lazy"
      decoding="async"
      className="size-7"
    />
  )
}

/** Analytics loads only after the answer. */
function Consent() {
  return (
    <CountingQuestion hidden data-island="consent">
      <button type="button" className="press" data-give="no">
        <Trans>No, thanks</Trans>
      </button>
      <button type="button" className="press" data-give="yes">
        <Trans>Yes, count it</Trans>
      </button>
    </CountingQuestion>
  )
}
