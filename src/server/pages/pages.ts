import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnalyticsProvider } from '../../shared/api/analytics.ts'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { feedPath, type LegalKind, legalKinds, searchedMax } from '../../shared/api/content.ts'
import { framersOf } from '../../shared/frame-origins.ts'
import {
  defaultLanguage,
  isLanguage,
  localeOfPath,
  localPath,
  type PublicLocale,
  publicLocales,
} from '../../shared/languages.ts'
import {
  checkoutPath,
  claimFilePath,
  type PublicContent,
  type PublicPage,
} from '../../shared/public-pages.ts'
import { unnamedToken } from '../../shared/sale-readiness.ts'
import type { Campaign } from '../campaign/campaign.ts'
import { builtFolder } from '../claim-file.ts'
import { keptFor } from '../clock.ts'
import type { Comments } from '../comments/comments.ts'
import type { Content } from '../content/content.ts'
import type { Currencies } from '../currencies/currencies.ts'
import type { Giveaways } from '../giveaways/giveaways.ts'
import {
  BUYER_COOKIE,
  cookieOf,
  networkOf,
  refuseForeignForm,
  sessionCookieOf,
} from '../http/authentication.ts'
import { charged, SHARED, VISITOR_BODY_BYTES_MAX } from '../http/costs.ts'
import { sendStream } from '../http/send-stream.ts'
import type { BuyerCaller, Server } from '../http/serve.ts'
import type { Journal } from '../journal/journal.ts'
import type { Reserves } from '../reserves/reserves.ts'
import { type ClaimSource, readClaimLookup } from './claim-lookup.ts'
import { type FollowSource, mountFollow } from './follow.ts'
import { OrderFile } from './order-file.ts'
import { createDrawAlone, createPageCache, type DrawAlone } from './page-cache.ts'
import { mountPreview, type PreviewNeeds } from './preview.ts'
import { type PublicBuild, readPublicBuild } from './public-build.ts'
import { securityPolicy } from './security-policy.ts'
import { pngFromSvg } from './share-picture.ts'
import { robots, siteMap } from './site-map.ts'
import { readTransparency } from './transparency.ts'

export interface PagesNeeds {
  readonly campaign: Pick<Campaign, 'current'>
  readonly comments: Pick<Comments, 'forPage'>
  readonly currencies: Pick<Currencies, 'publicList'>
  readonly content: Pick<Content, 'announcements' | 'legal'>
  readonly delivery: ClaimSource
  readonly followers: FollowSource
  readonly giveaways: Pick<Giveaways, 'published'>
  readonly journal: Pick<Journal, 'head'>
  readonly reserves: Pick<Reserves, 'current'>
  /** Without trailing slash. */
  readonly publicUrl: string
  /** Without providers of a location, nothing is asked or loaded. */
  readonly analyticsFor?: (path: string) => Promise<readonly AnalyticsProvider[]>
  /** For every public page sent. */
  readonly countView?: (announcementId?: number) => void
  /** Sends the operators' area for `/admin` after a failed guard. */
  readonly sendOperatorArea: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  readonly drawAlone?: DrawAlone
  /** Omitted: no previews. */
  readonly operatorPath?: string
  /** Of `npm run build`. */
  readonly buildFolder?: string
}

export interface Pages {
  notFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

const postsPerPage = 10
const pictureFreshMs = 30_000
const feedFreshMs = 1_000

type Asked = FastifyRequest<{
  Querystring: Partial<
    Record<
      'address' | 'after' | 'changes' | 'kept' | 'operator' | 'prices' | 'theme' | 'version' | 'words',
      string
    >
  >
}>

type AskedOf = FastifyRequest<{ Params: { id: string }; Querystring: { before?: string | string[] } }>

interface Frame {
  locale: PublicLocale
  path: string
  /** Its views are counted. */
  announcementId?: number
  /** Sites that may frame this page, which is then anonymous: no session, visit or preference counts. */
  framers?: string[]
  /** As the framing site requests. */
  theme?: PublicPage['theme']
  /** False: for one visitor, not cached. */
  isShared?: boolean
  /** Cost for one visitor, relative to a usual page. */
  units?: number
  status?: number
}

export async function mountPages(server: Server, needs: PagesNeeds): Promise<Pages> {
  const build = await readPublicBuild(needs.buildFolder ?? builtFolder)
  const drawAlone = needs.drawAlone ?? createDrawAlone(server.limits)
  const show = pageShower(server, needs, build, drawAlone)
  for (const locale of publicLocales) mountLocale(server, needs, show, locale)
  mountRedirects(server)
  mountFiles(server, needs, build)
  if (needs.operatorPath !== undefined)
    mountPreview(server, {
      operatorPath: needs.operatorPath,
      publicUrl: needs.publicUrl,
      cssHash: build.cssHash,
      draw: landingDrawer(needs, build, drawAlone),
    })
  return {
    notFound: async (request, reply) =>
      show(
        request,
        reply,
        { locale: await localeOf(request.url, needs), path: '/', status: 404 },
        async () => ({
          page: 'not-found',
        }),
      ),
  }
}

const isUntouched = ({ settings, stages }: PublicCampaign) =>
  settings.name === unnamedToken.name && settings.symbol === unnamedToken.symbol && stages.length === 0

/** The last value of a query parameter. */
const lastOf = (values: string | string[] | undefined) => [values].flat().at(-1)?.trim() || undefined

const numberOf = (values: string | string[] | undefined) => {
  const text = lastOf(values)
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** The language of an unknown page's address, if enabled. */
async function localeOf(url: string, { campaign }: PagesNeeds): Promise<PublicLocale> {
  const named = localeOfPath(url)
  const { settings } = await campaign.current()
  return named && settings.languages.includes(named) ? named : defaultLanguage
}

type Show = (
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Frame,
  content: (buyer: BuyerCaller | undefined) => Promise<PublicContent>,
) => Promise<FastifyReply>

/** Renders and sends a page with common data at most a second old. */
function pageShower(server: Server, needs: PagesNeeds, build: PublicBuild, drawAlone: DrawAlone): Show {
  const cached = createPageCache(server.limits)
  return async (request, reply, frame, content) => {
    const { framers } = frame
    const theme = framers ? (frame.theme ?? null) : themeOf(request)
    // Without a cookie no session is looked up, so a visitor's page stays cheap. A form's answer is
    // anonymous: the POST may come from another site's page.
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const asksWho =
      isRead && !framers && sessionCookieOf(request, BUYER_COOKIE, needs.publicUrl) !== undefined
    const buyer = asksWho ? await server.authenticator.buyer(request) : undefined
    const signedIn = isRead ? buyer !== undefined : null
    const counting = framers ? undefined : needs.analyticsFor
    const providers = (await counting?.(localPath(frame.locale, frame.path))) ?? []
    const hasAgreed = cookieOf(request, 'consent') === 'yes'
    const campaign = await needs.campaign.current()
    // Browsers store the offline page in all languages beforehand.
    if (frame.path !== '/offline' && !campaign.settings.languages.includes(frame.locale)) {
      reply.callNotFound()
      return reply
    }
    const render = async () => {
      return draw(needs, build, {
        content: await content(buyer),
        locale: frame.locale,
        path: frame.path,
        theme,
        signedIn,
        asksConsent: providers.length > 0,
        isPreview: false,
        campaign,
      })
    }
    const key = [
      request.routeOptions.url ?? '404',
      frame.path,
      frame.locale,
      theme,
      signedIn,
      providers.length > 0,
    ].join(' ')
    const rendered =
      frame.isShared === false
        ? await drawAlone(networkOf(request.ip), frame.units ?? 1, render, buyer && 'signed-in')
        : await cached(networkOf(request.ip), key, campaign.computedAt, render)
    const { body, encoding } = await rendered.encoded(request.headers['accept-encoding'] ?? '')
    if (request.method === 'GET' && frame.status === undefined && !framers)
      needs.countView?.(frame.announcementId)
    if (encoding) reply.header('content-encoding', encoding)
    // The old header supports no list; newer browsers ignore it.
    if (framers) reply.raw.removeHeader('x-frame-options')
    return reply
      .code(frame.status ?? 200)
      .type('text/html; charset=utf-8')
      .header('content-language', frame.locale)
      .header('content-security-policy', securityPolicy(build.cssHash, hasAgreed ? providers : [], framers))
      .header('cache-control', 'private, no-cache')
      .header('vary', 'Accept-Encoding, Cookie')
      .send(body)
  }
}

type Drawn = Omit<
  PublicPage,
  'publicUrl' | 'assets' | 'giveaway' | 'hasPastGiveaway' | 'currencies' | 'alarm'
>

async function draw(needs: PagesNeeds, build: PublicBuild, page: Drawn): Promise<string> {
  return build.renderPage({
    ...page,
    publicUrl: needs.publicUrl,
    assets: build.assets(page.locale),
    campaign: page.content.page === 'not-set-up' ? null : page.campaign,
    ...(await giveawaysOf(needs)),
    currencies: await needs.currencies.publicList(),
    alarm: await needs.reserves.current(),
  })
}

/** A draft's landing page, anonymous, with its settings and the current figures. */
function landingDrawer(needs: PagesNeeds, build: PublicBuild, drawAlone: DrawAlone): PreviewNeeds['draw'] {
  return async (settings, locale, request) => {
    const campaign = { ...(await needs.campaign.current()), settings }
    return drawAlone(networkOf(request.ip), 1, () =>
      draw(needs, build, {
        content: { page: isUntouched(campaign) ? 'not-set-up' : 'landing' },
        locale,
        path: '/',
        theme: themeOf(request),
        signedIn: false,
        asksConsent: false,
        isPreview: true,
        campaign,
      }),
    )
  }
}

/** The open giveaway, and whether there were others. */
async function giveawaysOf({ giveaways }: PagesNeeds) {
  const published = await giveaways.published()
  const [newest] = published
  const giveaway = newest?.state === 'announced' || newest?.state === 'open' ? newest : null
  return { giveaway, hasPastGiveaway: published.length > (giveaway ? 1 : 0) }
}

function themeOf(request: FastifyRequest): PublicPage['theme'] {
  const theme = cookieOf(request, 'theme')
  return theme === 'light' || theme === 'dark' ? theme : null
}

function mountLocale(server: Server, needs: PagesNeeds, show: Show, locale: PublicLocale): void {
  const { app, db } = server
  const at = (path: string) => localPath(locale, path)
  app.get(at('/'), SHARED, (request, reply) =>
    show(request, reply, { locale, path: '/' }, async () => ({
      page: isUntouched(await needs.campaign.current()) ? 'not-set-up' : 'landing',
    })),
  )
  app.get(at('/fragments/hero'), SHARED, (request, reply) =>
    show(request, reply, { locale, path: '/' }, async () => ({ page: 'hero' })),
  )
  for (const kind of legalKinds) mountLegal(app, needs, show, locale, kind)
  mountReserves(app, needs, show, locale)
  for (const page of ['verify', 'accessibility', 'offline'] as const)
    app.get(at(`/${page}`), SHARED, (request, reply) =>
      show(request, reply, { locale, path: `/${page}` }, async () => ({ page })),
    )
  // Rules: TEXT-2
  mountAnnouncements(server, needs, show, locale)
  // Rules: TEXT-17
  mountCheckout(app, needs, show, locale)
  app.get(at('/transparency'), SHARED, (request: Asked, reply) => {
    const after = { prices: lastOf(request.query.prices), changes: lastOf(request.query.changes) }
    const isShared = after.prices === undefined && after.changes === undefined
    // All rows of three years.
    return show(request, reply, { locale, path: '/transparency', isShared, units: 3 }, async () => {
      const { stage } = await needs.campaign.current()
      return {
        page: 'transparency',
        transparency: {
          ...(await readTransparency(db, stage?.id ?? null, (tx) => needs.journal.head(tx), after)),
          ledgerCheck: (await needs.reserves.current()).ledgerCheck,
        },
      }
    })
  })
  mountGiveaways(app, needs, show, locale)
  mountClaim(server, needs, show, locale)
  app.get(at('/admin'), SHARED, (request: Asked, reply) =>
    request.query.operator === undefined
      ? show(request, reply, { locale, path: '/admin' }, async () => ({ page: 'joke' }))
      : needs.sendOperatorArea(request, reply),
  )
}

// Rules: DELIVER-19
/**
 * Another refund target is typed on this page and sent by its form: no foreign link can fill it in for a
 * payer to sign.
 */
function mountClaim({ app, limits }: Server, needs: PagesNeeds, show: Show, locale: PublicLocale): void {
  const path = localPath(locale, '/claim')
  const answer = async (request: FastifyRequest, reply: FastifyReply, given: ClaimForm) => {
    const lookup = await readClaimLookup(needs.delivery, given, () =>
      limits.spend(networkOf(request.ip), { lookups: 1 }),
    )
    const status = lookup.problem === null ? 200 : lookup.problem === 'too_many' ? 429 : 422
    return show(request, reply, { locale, path: '/claim', isShared: false, status }, async () => ({
      page: 'claim',
      lookup,
    }))
  }
  app.get(path, LOOKUP, async (request: Asked, reply) => {
    const address = lastOf(request.query.address)
    if (address !== undefined) return answer(request, reply, { address })
    return show(request, reply, { locale, path: '/claim' }, async () => ({
      page: 'claim',
      lookup: await readClaimLookup(needs.delivery, { address }, () => {}),
    }))
  })
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post(
      path,
      LOOKUP,
      async (request: FastifyRequest<{ Body: Partial<ClaimForm> | undefined }>, reply) => {
        refuseForeignForm(request, needs.publicUrl)
        const { address, order, to } = request.body ?? {}
        return answer(request, reply, { address: lastOf(address), order: lastOf(order), to: lastOf(to) })
      },
    )
  })
}

const LOOKUP = charged({ statements: 20, bodyBytes: VISITOR_BODY_BYTES_MAX })

interface ClaimForm {
  readonly address: string | undefined
  readonly order?: string | undefined
  readonly to?: string | undefined
}

function mountAnnouncements(server: Server, needs: PagesNeeds, show: Show, locale: PublicLocale): void {
  const { app } = server
  const { announcements } = needs.content
  app.get(localPath(locale, '/updates'), SHARED, (request: Asked, reply) => {
    const after = lastOf(request.query.after)?.slice(0, 200)
    const words = (lastOf(request.query.words) ?? '').slice(0, searchedMax)
    const kept = lastOf(request.query.kept) !== undefined
    const isShared =
      after === undefined && words === '' && !kept && !sessionCookieOf(request, BUYER_COOKIE, needs.publicUrl)
    return show(request, reply, { locale, path: '/updates', isShared }, async (buyer) => {
      const feed = await announcements.feed(
        { after, words, kept, limit: postsPerPage },
        buyer?.userId ?? null,
      )
      return {
        page: 'updates',
        posts: [...(feed.pinned ? [feed.pinned] : []), ...feed.items],
        next: feed.next,
        words,
        isKept: kept,
        canFollow: (await needs.campaign.current()).settings.followers,
      }
    })
  })
  mountFollow(server, needs, locale, (request, reply, step, status) =>
    show(
      request,
      reply,
      { locale, path: '/updates', isShared: false, ...(status ? { status } : {}) },
      async () => ({
        page: 'follow',
        step,
      }),
    ),
  )
  app.get(localPath(locale, '/updates/:id'), charged({ statements: 3 }), async (request: AskedOf, reply) => {
    const { id } = request.params
    if (!/^[1-9]\d{0,14}$/.test(id) || !(await announcements.isPublished(Number(id))))
      return reply.callNotFound()
    const before = numberOf(request.query.before)
    const isShared = before === undefined && !sessionCookieOf(request, BUYER_COOKIE, needs.publicUrl)
    const frame = { locale, path: `/updates/${id}`, isShared, announcementId: Number(id) }
    return show(request, reply, frame, async (buyer) => ({
      page: 'update',
      post: await announcements.show(Number(id), buyer?.userId ?? null),
      earlier: await announcements.earlier(Number(id)),
      comments: await needs.comments.forPage(Number(id), before, buyer?.userId ?? null),
    }))
  })
}

/** The embeddable checkout is missing until an owner permits a site. */
function mountCheckout(app: Server['app'], needs: PagesNeeds, show: Show, locale: PublicLocale): void {
  app.get(localPath(locale, checkoutPath), SHARED, async (request: Asked, reply) => {
    const { settings } = await needs.campaign.current()
    const framers = framersOf(settings.frameOrigins, needs.publicUrl)
    if (framers.length === 0) return reply.callNotFound()
    const asked = lastOf(request.query.theme)
    const theme = asked === 'light' || asked === 'dark' ? asked : null
    // The other site may request a language that this sale lacks.
    const shown = settings.languages.includes(locale) ? locale : defaultLanguage
    return show(request, reply, { locale: shown, path: checkoutPath, framers, theme }, async () => ({
      page: 'checkout',
      framers,
    }))
  })
}

function mountReserves(app: Server['app'], needs: PagesNeeds, show: Show, locale: PublicLocale): void {
  app.get(localPath(locale, '/reserves'), SHARED, (request, reply) =>
    show(request, reply, { locale, path: '/reserves' }, async () => ({
      page: 'reserves',
      reserves: await needs.reserves.current(),
    })),
  )
}

function mountGiveaways(app: Server['app'], needs: PagesNeeds, show: Show, locale: PublicLocale): void {
  for (const page of ['/giveaway', '/giveaway/rules'] as const)
    app.get(localPath(locale, page), SHARED, (request, reply) =>
      show(request, reply, { locale, path: page }, async () => ({
        page: 'giveaway',
        giveaways: await needs.giveaways.published(),
        rulesOnly: page === '/giveaway/rules',
      })),
    )
}

function mountLegal(
  app: Server['app'],
  needs: PagesNeeds,
  show: Show,
  locale: PublicLocale,
  kind: LegalKind,
): void {
  app.get(localPath(locale, `/${kind}`), charged({ statements: 3 }), async (request: Asked, reply) => {
    const asked = request.query.version
    const version = typeof asked === 'string' && /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : undefined
    if (asked !== undefined && version === undefined) return reply.callNotFound()
    const versions = await needs.content.legal.show(kind)
    if (version !== undefined && version > versions.latestVersion) return reply.callNotFound()
    return show(request, reply, { locale, path: `/${kind}`, isShared: version === undefined }, async () => ({
      page: 'legal',
      legal: version === undefined ? versions : await needs.content.legal.show(kind, version),
    }))
  })
}

/** Redirects of earlier addresses; the browser keeps the fragment. */
function mountRedirects({ app }: Server): void {
  const redirect = (from: string, to: string) =>
    app.get(from, SHARED, (_request, reply) => reply.redirect(to, 301))
  for (const locale of publicLocales) {
    const at = (path: string) => localPath(locale, path)
    redirect(at('/landing'), at('/'))
    redirect(at('/twit'), at('/updates'))
    redirect(at('/updates.atom'), feedPath)
  }
  redirect('/en', '/')
}

function mountFiles({ app, db, limits }: Server, needs: PagesNeeds, build: PublicBuild): void {
  const rows = new OrderFile({ db, campaign: needs.campaign })
  app.addHook('onClose', () => rows.close())
  app.get('/transparency/orders.csv', charged({ statements: 10 }), async (request, reply) => {
    limits.spend(networkOf(request.ip), { downloads: 1 })
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="approved-orders.csv"',
      'cache-control': 'no-store',
    }
    await sendStream(reply, headers, piecesOf(await rows.open()), { limits })
    return reply
  })
  app.get(claimFilePath, SHARED, (request, reply) => {
    const etag = `"${build.claimFile.sha256}"`
    void reply.header('cache-control', 'no-cache').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    limits.spend(networkOf(request.ip), { downloads: 1 })
    return reply
      .type('text/html; charset=utf-8')
      .header('content-disposition', 'attachment; filename="claim.html"')
      .send(build.claimFile.content)
  })
  const addresses = keptFor(feedFreshMs, () => needs.content.announcements.addresses())
  app.get('/sitemap.xml', charged({ statements: 2 }), async (_request, reply) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(siteMap(needs.publicUrl, (await needs.campaign.current()).settings.languages, await addresses())),
  )
  app.get('/robots.txt', SHARED, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(robots(needs.publicUrl)),
  )
  for (const locale of publicLocales) {
    const drawn = isLanguage(locale) ? locale : defaultLanguage
    const picture = createPicture(needs, build, drawn)
    app.get(`/og/${locale}.png`, SHARED, async (_request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', 'public, max-age=60')
        .send(await picture()),
    )
    app.get(localPath(locale, '/badge.svg'), SHARED, async (_request, reply) =>
      reply
        .type('image/svg+xml; charset=utf-8')
        .header('content-security-policy', "default-src 'none'")
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'public, max-age=60')
        .send(build.renderBadge({ campaign: await needs.campaign.current() }, drawn)),
    )
  }
}

async function* piecesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* stream
}

/** Redrawn from live figures at most every 30 seconds. */
function createPicture(needs: PagesNeeds, build: PublicBuild, locale: PublicLocale): () => Promise<Buffer> {
  return keptFor(pictureFreshMs, async () =>
    pngFromSvg(build.renderPicture({ campaign: await needs.campaign.current() }, locale)),
  )
}
