import { useLingui } from '@lingui/react/macro'
import { feedPath } from '../../shared/api/content.ts'
import { brandStyle, pictureColors } from '../../shared/brand.ts'
import {
  defaultLanguage,
  factsOf,
  isLanguage,
  localPath,
  openGraphLocale,
  pickText,
} from '../../shared/languages.ts'
import { type PublicPage } from '../../shared/public-pages.ts'
import { AccessibilityPage } from './AccessibilityPage.tsx'
import { CheckoutFrame } from './CheckoutFrame.tsx'
import { ClaimPage } from './ClaimPage.tsx'
import { FollowPage } from './Follow.tsx'
import { usePage } from './frame.tsx'
import { GiveawayPage, GiveawayRules } from './GiveawayPage.tsx'
import { useDescription, useTitle } from './head.ts'
import { JokeTerminal } from './JokeTerminal.tsx'
import { Landing } from './Landing.tsx'
import { LegalPage } from './LegalPage.tsx'
import { NotFound, NotSetUp } from './NotFound.tsx'
import { Offline } from './Offline.tsx'
import { ReservesPage } from './ReservesPage.tsx'
import { DemoBand, PreviewMark, Shell } from './Shell.tsx'
import { structuredData } from './structured-data.ts'
import { TransparencyPage } from './TransparencyPage.tsx'
import { Update, Updates } from './Updates.tsx'
import { VerifyPage } from './VerifyPage.tsx'

/** Readable without scripts; the islands' script loads after the first frame. */
export function Document({ page }: { page: PublicPage }) {
  const { t } = useLingui()
  const { content, locale, theme, assets, publicUrl, path, campaign, isPreview } = page
  const ownTitle = useTitle(page)
  const title = isPreview ? t`Preview: ${ownTitle}` : ownTitle
  const description = useDescription(page)
  const indexed =
    !isPreview &&
    content.page !== 'not-found' &&
    content.page !== 'joke' &&
    content.page !== 'not-set-up' &&
    content.page !== 'offline' &&
    content.page !== 'checkout' &&
    content.page !== 'follow' &&
    !(content.page === 'updates' && (content.words !== '' || content.isKept))
  const url = publicUrl + localPath(locale, path)
  const brand = campaign?.settings.brand
  const colors = pictureColors(brand ?? { accent: null })
  const data = indexed && campaign ? structuredData(page) : null
  return (
    <html
      lang={locale}
      dir={factsOf(locale).direction}
      data-theme={theme ?? undefined}
      style={brand && brandStyle(brand)}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {assets.fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="anonymous" href={href} />
        ))}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet, allowed by its hash */}
        <style dangerouslySetInnerHTML={{ __html: assets.css }} />
        {brand?.logoUploadId ? (
          <link rel="icon" href={`/uploads/${brand.logoUploadId}`} />
        ) : (
          <>
            <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
            <link rel="icon" href="/favicon.ico" sizes="32x32" />
            <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
          </>
        )}
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={colors.paper} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={colors.darkPaper} />
        {indexed ? <IndexedHead url={url} page={page} title={title} description={description} /> : null}
        {indexed ? null : <meta name="robots" content="noindex" />}
        {data ? (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every < escaped
          <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: data }} />
        ) : null}
        {/* A preview may open nothing, so that its links lead nowhere. */}
        {isPreview ? <base target="_blank" /> : null}
        {isPreview || content.page === 'offline' ? null : <Later />}
        {content.page === 'offline' ? <link rel="manifest" href="/manifest.webmanifest" /> : null}
      </head>
      <body className="flex min-h-dvh flex-col">
        <Body page={page} />
        {isPreview ? <PreviewMark /> : null}
      </body>
    </html>
  )
}

/** Includes the one inline script, allowed by its hash, that loads the rest after the first frame. */
function Later() {
  const { later, afterFirstFrame } = usePage().assets
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own files */}
      <template id="later" dangerouslySetInnerHTML={{ __html: later }} />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own script, allowed by its hash */}
      <script type="module" dangerouslySetInnerHTML={{ __html: afterFirstFrame }} />
    </>
  )
}

function IndexedHead({
  url,
  page,
  title,
  description,
}: {
  url: string
  page: PublicPage
  title: string
  description: string
}) {
  const { t } = useLingui()
  const { publicUrl, path, locale, campaign, content } = page
  const own = content.page === 'update' ? content.post.image : null
  const picture = own
    ? { ...own, alt: pickText(own.alt, locale).text }
    : {
        // The picture's fonts do not cover every script.
        url: `/og/${isLanguage(locale) ? locale : defaultLanguage}.png`,
        width: 1200,
        height: 630,
        alt: t`Itos in rows: those already paid for are awake and in colour, the rest are asleep.`,
      }
  return (
    <>
      <link rel="canonical" href={url} />
      {(campaign?.settings.languages ?? []).map((language) => (
        <link
          key={language}
          rel="alternate"
          hrefLang={language}
          href={publicUrl + localPath(language, path)}
        />
      ))}
      <link rel="alternate" hrefLang="x-default" href={publicUrl + path} />
      <link rel="alternate" type="application/atom+xml" title={t`Updates`} href={feedPath} />
      <meta property="og:type" content={content.page === 'update' ? 'article' : 'website'} />
      <meta property="og:site_name" content={campaign?.settings.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta property="og:locale" content={openGraphLocale(locale)} />
      <meta property="og:image" content={publicUrl + picture.url} />
      <meta property="og:image:width" content={String(picture.width)} />
      <meta property="og:image:height" content={String(picture.height)} />
      <meta property="og:image:alt" content={picture.alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

function Body({ page }: { page: PublicPage }) {
  if (page.content.page === 'joke')
    return (
      <>
        <DemoBand />
        <JokeTerminal />
      </>
    )
  if (page.content.page === 'offline') return <Offline />
  if (page.content.page === 'checkout') return <CheckoutFrame framers={page.content.framers} />
  return (
    <Shell>
      <Content page={page} />
    </Shell>
  )
}

function Content({ page }: { page: PublicPage }) {
  const { content } = page
  switch (content.page) {
    case 'landing':
      return <Landing />
    case 'legal':
      return <LegalPage legal={content.legal} />
    case 'updates':
      return (
        <Updates
          posts={content.posts}
          next={content.next}
          words={content.words}
          isKept={content.isKept}
          canFollow={content.canFollow}
        />
      )
    case 'update':
      return <Update {...content} />
    case 'follow':
      return <FollowPage step={content.step} />
    case 'transparency':
      return <TransparencyPage transparency={content.transparency} />
    case 'claim':
      return <ClaimPage lookup={content.lookup} />
    case 'reserves':
      return <ReservesPage reserves={content.reserves} />
    case 'verify':
      return <VerifyPage />
    case 'giveaway':
      return content.rulesOnly ? (
        <GiveawayRules giveaways={content.giveaways} />
      ) : (
        <GiveawayPage giveaways={content.giveaways} />
      )
    case 'accessibility':
      return <AccessibilityPage />
    case 'not-set-up':
      return <NotSetUp />
    default:
      return <NotFound />
  }
}
