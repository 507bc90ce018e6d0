import type { FastifyReply, FastifyRequest } from 'fastify'
import { analyticsRoutes } from '../../shared/api/analytics.ts'
import { approvalRoutes } from '../../shared/api/approvals.ts'
import { orderRoutes, ownOrdersPerPage } from '../../shared/api/orders.ts'
import { buyerPaymentRoutes } from '../../shared/api/payments.ts'
import type { ErrorBody } from '../../shared/api/route.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import type { FirstRead, KnownRead } from '../../shared/first-reads.ts'
import { videoOriginOf } from '../../shared/frame-origins.ts'
import {
  defaultLanguage,
  isLanguage,
  languages,
  localeOfPath,
  localPath,
  type PublicLocale,
  publicLocales,
} from '../../shared/languages.ts'
import {
  accountPages,
  type BuyerPage,
  buyerPages,
  type OperatorPage,
  operatorPages,
} from '../../shared/pages.ts'
import { isReferralCode, REFERRAL_COOKIE } from '../../shared/referral.ts'
import type { Context } from '../context.ts'
import {
  BUYER_COOKIE,
  CSRF_HEADER,
  CSRF_VALUE,
  cookieOf,
  networkOf,
  OPERATOR_COOKIE,
  refuseForeignForm,
  sessionCookieOf,
} from '../http/authentication.ts'
import { charged, SHARED, VISITOR_BODY_BYTES_MAX } from '../http/costs.ts'
import { languageOf } from '../http/errors.ts'
import { API_PREFIX, type Server } from '../http/serve.ts'
import { type Area, type Drawing, type Language, operatorFileOf, rendererOf } from './area-build.ts'
import { areaDocument } from './area-document.ts'
import { createPageCache, type DrawAlone } from './page-cache.ts'
import { untilScriptsHash } from './until-scripts.ts'

/**
 * Own scripts and the inline one, no other host, own frames and the guide's video. One policy for the buyer's
 * area, because its pages change within a document.
 */
const contentPolicy = (connect: readonly string[], video: string | undefined) =>
  [
    "default-src 'self'",
    `script-src 'self' '${untilScriptsHash}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    `frame-src ${["'self'", ...(video ? [video] : [])].join(' ')}`,
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A failed form, sent before the scripts ran. */
interface Refused {
  readonly form: 'login' | 'register' | 'operator'
  /** Undefined if the errors belong to fields. */
  readonly failure: string | undefined
  readonly code: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  readonly values: Readonly<Record<string, string>>
}

interface Page {
  readonly area: Area
  /** False: the scripts render it. */
  readonly isDrawn?: boolean
  readonly reads?: readonly FirstRead[]
  /** In `src/client`. */
  readonly files?: readonly string[]
  readonly language?: Language | undefined
  readonly refused?: Refused
  /** A link to it may be shared: it shows nothing personal. */
  readonly isOpen?: boolean
}

const plain = (...paths: string[]): FirstRead[] => paths.map((path) => ({ path }))

const accountPage = (name: string): Page => ({
  area: 'buyer',
  isDrawn: name === 'Login' || name === 'Register',
  isOpen: name === 'Login' || name === 'Register',
  reads: plain('/campaign'),
  files: ['buyer/account/AccountFrame.tsx', `buyer/account/${name}.tsx`],
})

const accounts: Record<keyof typeof accountPages, Page> = {
  login: accountPage('Login'),
  register: accountPage('Register'),
  forgotPassword: accountPage('ForgotPassword'),
  resetPassword: accountPage('ResetPassword'),
  confirmEmail: accountPage('ConfirmEmail'),
  confirmDelivery: accountPage('ConfirmDelivery'),
  claimRefund: accountPage('ClaimRefund'),
}

interface BuyerFile {
  readonly files: readonly string[]
  readonly reads: (search: URLSearchParams) => readonly FirstRead[]
}

const buyerPage = (file: string, reads: BuyerFile['reads'] = () => []): BuyerFile => ({
  reads,
  files: [`buyer/${file}.tsx`],
})

/** All are rendered completely from their reads. */
const buyerFiles: Record<BuyerPage, BuyerFile> = {
  dashboard: buyerPage('overview/Overview', () => plain('/holdings', '/open-orders')),
  buy: buyerPage('buy/Buy', () => plain('/currencies', '/holdings')),
  transaction: buyerPage('order/OrderPage', (search) => {
    const token = search.get('order')
    const given = { params: { token: token ?? '' } }
    const ofOrder = [orderRoutes.show, buyerPaymentRoutes.rate].map(({ path }) => ({ path, given }))
    return token ? [...ofOrder, ...plain('/delivery-address')] : []
  }),
  profile: buyerPage('profile/Profile', () =>
    plain('/account/sessions', '/account/failed-attempts', '/account/second-factor', '/account/push-devices'),
  ),
  status: buyerPage('holdings/StatusPage', () => plain('/holdings')),
  tokenHub: buyerPage('holdings/TokenHub', () => [
    ...plain('/holdings', '/delivery-claims', '/delivery-escrow-orders', '/delivery-address', '/referral'),
    { path: orderRoutes.list.path, given: { pages: { limit: ownOrdersPerPage } } },
  ]),
  documents: buyerPage('guides/Documents', () => plain('/documents')),
  howToBuy: buyerPage('guides/HowToBuy'),
  exchangeGuide: buyerPage('guides/ExchangeGuide', () => plain('/currencies')),
  leaderboard: buyerPage('holdings/Leaderboard', () => plain('/leaderboard')),
  giveaway: buyerPage('holdings/GiveawayPage', () => plain('/giveaways/own')),
}

/** The scripts forward a signed-in operator: only they know the fragment of an invitation's address. */
const operatorLogin: Page = {
  area: 'operator',
  isDrawn: true,
  reads: plain('/campaign', '/operator/session'),
}

type Send = (request: FastifyRequest, reply: FastifyReply, page: Page) => Promise<FastifyReply>

export async function mountAreas(server: Server, context: Context, drawAlone: DrawAlone): Promise<void> {
  const { app } = server
  const operatorPath = context.config.operators.path
  const send = areaSender(server, context, drawAlone)
  mountAccounts(server, context, send)
  const sendBuyer = buyerSender(server, context, send)
  for (const page of Object.keys(buyerPages) as BuyerPage[])
    app.get(addressOf('dashboard', buyerPages[page]), SIGNED_IN, sendBuyer(buyerFiles[page]))
  app.get('/dashboard/*', SIGNED_IN, sendBuyer(undefined))
  app.get(`/${operatorPath}`, SHARED, (request, reply) => send(request, reply, operatorLogin))
  const sendOperator = operatorSender(server, context, send)
  for (const page of Object.keys(operatorPages) as OperatorPage[])
    app.get(addressOf(`${operatorPath}/dashboard`, operatorPages[page].path), SIGNED_IN, sendOperator(page))
  // The area renders its own “not found” page.
  app.get(`/${operatorPath}/*`, SIGNED_IN, sendOperator(undefined))
  mountForms(server, context, send)
}

export function operatorLoginSender(server: Server, context: Context, drawAlone: DrawAlone) {
  const send = areaSender(server, context, drawAlone)
  return (request: FastifyRequest, reply: FastifyReply) => send(request, reply, operatorLogin)
}

/** Each page looks for the reader's session. */
const SIGNED_IN = charged({ statements: 2 })

const addressOf = (area: string, page: string) => (page ? `/${area}/${page}` : `/${area}`)

const searchOf = ({ url }: FastifyRequest) => new URL(url, 'http://own.invalid').searchParams

const pathOf = ({ url }: FastifyRequest) => new URL(url, 'http://own.invalid').pathname

function mountAccounts({ app, authenticator }: Server, context: Context, send: Send): void {
  const { publicUrl } = context.config.web
  for (const page of Object.keys(accountPages) as (keyof typeof accountPages)[])
    for (const path of everywhere(`/${accountPages[page]}`))
      app.get(path, SHARED, async (request, reply) => {
        const isEntrance = page === 'login' || page === 'register'
        if (isEntrance && sessionCookieOf(request, BUYER_COOKIE, publicUrl))
          if (await authenticator.buyer(request)) {
            const { pathAfterLogin } = await rendererOf('buyer')
            return reply.header('cache-control', 'no-store').redirect(pathAfterLogin(searchOf(request)), 302)
          }
        return send(request, reply, accounts[page])
      })
}

/** In the profile's language; a visitor goes to the login and returns afterwards. */
function buyerSender({ authenticator }: Server, context: Context, send: Send) {
  return (own: BuyerFile | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
    const signedIn = sessionCookieOf(request, BUYER_COOKIE, context.config.web.publicUrl)
    const buyer = signedIn ? await authenticator.buyer(request) : undefined
    if (buyer)
      return send(request, own ? reply : reply.code(404), {
        area: 'buyer',
        isDrawn: own !== undefined,
        reads: [
          ...plain('/session', '/campaign'),
          { path: analyticsRoutes.forPath.path, given: { query: { path: pathOf(request) } } },
          ...(own?.reads(searchOf(request)) ?? []),
        ],
        files: own?.files,
        language: buyer.language,
      })
    if (!own) return reply.callNotFound()
    return reply
      .header('cache-control', 'no-store')
      .redirect(`/login?next=${encodeURIComponent(request.url)}`, 302)
  }
}

/** In the operator's language; otherwise as `buyerSender`. */
function operatorSender({ authenticator }: Server, context: Context, send: Send) {
  return (page: OperatorPage | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
    const signedIn = sessionCookieOf(request, OPERATOR_COOKIE, context.config.web.publicUrl)
    const operator = signedIn ? await authenticator.operator(request) : undefined
    if (!operator && !page) return reply.callNotFound()
    if (!operator)
      return reply
        .header('cache-control', 'no-store')
        .redirect(`/admin?operator=1&next=${encodeURIComponent(request.url)}`, 302)
    return send(request, page ? reply : reply.code(404), {
      area: 'operator',
      isDrawn: true,
      reads: [
        ...plain('/operator/session', '/campaign'),
        { path: approvalRoutes.list.path, given: { query: { state: 'waiting' } } },
      ],
      files: page ? [operatorFileOf(page)] : [],
      language: operator.language,
    })
  }
}

function areaSender({ app, limits }: Server, context: Context, drawAlone: DrawAlone): Send {
  const { campaign, analytics } = context
  const cached = createPageCache(limits)
  return async (request, reply, page) => {
    const { settings, demo, computedAt } = await campaign.current()
    const hasAgreed = page.area === 'buyer' && cookieOf(request, 'consent') === 'yes'
    const connect = hasAgreed ? await analytics.areaSourcesFor(request.url) : []
    const offered = languages.filter((known) => settings.languages.includes(known))
    const language = offeredOf(request, offered, page.language)
    const { area } = page
    const render = () => drawArea({ app, context, request, page, settings, demo, offered, language })
    const isSame = page.isOpen || page === operatorLogin
    const isShared = isSame && !page.refused && !request.headers.cookie && !request.url.includes('?')
    const rendered = isShared
      ? await cached(networkOf(request.ip), `${request.routeOptions.url} ${language}`, computedAt, render)
      : await drawAlone(networkOf(request.ip), 1, render, isSame ? 'strangers' : 'signed-in')
    const { body, encoding } = await rendered.encoded(request.headers['accept-encoding'] ?? '')
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        contentPolicy(connect, area === 'buyer' ? videoOriginOf(settings) : undefined),
      )
      .header('cache-control', 'no-store')
      .header('vary', 'Accept-Encoding, Cookie')
      .send(body)
  }
}

interface DrawnArea {
  readonly app: Server['app']
  readonly context: Context
  readonly request: FastifyRequest
  readonly page: Page
  readonly settings: CampaignSettings
  readonly demo: boolean
  readonly offered: readonly Language[]
  readonly language: Language
}

async function drawArea({ app, context, request, page, settings, demo, offered, language }: DrawnArea) {
  const { config } = context
  const { area, isDrawn = false, refused, files = [] } = page
  const facts = {
    area,
    locale: language,
    languages: offered,
    theme: themeOf(request),
    sidebarOpen: cookieOf(request, 'sidebar:state') !== 'false',
    campaignName: settings.name,
    logo: settings.brand.logoUploadId ?? undefined,
    operatorPath: config.operators.path,
    origin: new URL(config.web.publicUrl).origin,
    refused,
    isInvited: isReferralCode(cookieOf(request, REFERRAL_COOKIE)),
  }
  const reads = await readFor(app, request, page.reads ?? [], language)
  const url = new URL(request.url, config.web.publicUrl).href
  const drawing = { url, locale: language, facts, reads }
  const drawn = isDrawn ? await drawnOr(request, area, drawing) : { html: '', title: undefined }
  return areaDocument({
    area,
    language,
    languages: offered,
    lacking: lackingAt(request, settings.languages),
    theme: facts.theme,
    settings,
    demo,
    operatorPath: config.operators.path,
    page: files,
    drawn: drawn.html,
    title: drawn.title ?? settings.name,
    shared: page.isOpen ? { publicUrl: config.web.publicUrl, path: new URL(url).pathname } : undefined,
    known: { reads, refused },
  })
}

/** If rendering fails, the scripts render the page or show the error. */
async function drawnOr(request: FastifyRequest, area: Area, drawing: Drawing) {
  const { draw } = await rendererOf(area)
  try {
    return await draw(drawing)
  } catch (error) {
    request.log.error({ err: error }, 'a page could not be drawn')
    return { html: '', title: undefined }
  }
}

const everywhere = (path: string) => publicLocales.map((locale) => localPath(locale, path))

function spokenOf(request: FastifyRequest): Language {
  const named = localeOfPath(request.url)
  if (named === undefined) return languageOf(request)
  return isLanguage(named) ? named : defaultLanguage
}

function lackingAt(request: FastifyRequest, on: readonly PublicLocale[]) {
  const named = localeOfPath(request.url)
  return named && !isLanguage(named) && on.includes(named) ? named : undefined
}

/** The reader's language, else the requested one, if enabled. */
function offeredOf(
  request: FastifyRequest,
  offered: readonly Language[],
  own: Language | undefined,
): Language {
  const wanted = own ?? spokenOf(request)
  return offered.includes(wanted) ? wanted : defaultLanguage
}

/** Undefined: the system's theme. */
function themeOf(request: FastifyRequest): 'light' | 'dark' | undefined {
  const theme = cookieOf(request, 'theme')
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

/** Calls API routes with the reader's cookies, as the scripts would. Leaves failed ones to the scripts. */
async function readFor(
  app: Server['app'],
  request: FastifyRequest,
  reads: readonly FirstRead[],
  language: Language,
): Promise<KnownRead[]> {
  const answers = await Promise.all(
    reads.map(async (read) => {
      const answer = await app.inject({
        method: 'GET',
        url: API_PREFIX + askedOf(read),
        headers: headersFor(request, language),
        remoteAddress: request.ip,
      })
      return { ...read, reply: answer.statusCode === 200 ? (answer.json() as unknown) : undefined }
    }),
  )
  return answers
    .filter(({ reply }) => reply !== undefined)
    .map((known) =>
      // Pages keep only the session's user.
      known.path === '/session' ? { ...known, reply: (known.reply as { user: unknown }).user } : known,
    )
}

function askedOf({ path, given: { params = {}, query, pages } = {} }: FirstRead): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(pages ?? query ?? {}).map(([name, value]) => [name, String(value)]),
  )
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}

export const headersFor = (
  { headers: { host, cookie, 'user-agent': agent } }: FastifyRequest,
  language: Language,
) => ({
  'x-language': language,
  ...(host ? { host } : {}),
  ...(cookie ? { cookie } : {}),
  ...(agent ? { 'user-agent': agent } : {}),
})

/** Form encoding can triple a letter; the API's route charges the form's cost. */
const FORM = charged({ statements: 0, bodyBytes: 3 * VISITOR_BODY_BYTES_MAX })

interface Form {
  readonly path: string
  readonly route: string
  readonly form: Refused['form']
  readonly page: Page
  readonly area: Area
  /** Fields to show again. */
  readonly kept: readonly string[]
}

function formsOf(operatorPath: string): Form[] {
  const login = { route: '/session', form: 'login', page: accounts.login, kept: ['email'] } as const
  const register = {
    route: '/account',
    form: 'register',
    page: accounts.register,
    kept: ['name', 'email', 'phone'],
  } as const
  const operator = {
    route: '/operator/session',
    form: 'operator',
    page: operatorLogin,
    kept: ['login'],
  } as const
  return [
    ...everywhere('/login').map((path) => ({ ...login, path, area: 'buyer' as const })),
    ...everywhere('/register').map((path) => ({ ...register, path, area: 'buyer' as const })),
    ...[`/${operatorPath}`, '/admin'].map((path) => ({ ...operator, path, area: 'operator' as const })),
  ]
}

/** Forms without scripts use the same API routes. */
function mountForms({ app }: Server, context: Context, send: Send): void {
  const { publicUrl } = context.config.web
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    for (const { path, route, form, page, area, kept } of formsOf(context.config.operators.path))
      scope.post<{ Body: Record<string, string> }>(path, FORM, async (request, reply) => {
        refuseForeignForm(request, publicUrl)
        const language = spokenOf(request)
        const typed = request.body ?? {}
        const answer = await app.inject({
          method: 'POST',
          url: API_PREFIX + route,
          headers: { ...headersFor(request, language), [CSRF_HEADER]: CSRF_VALUE },
          remoteAddress: request.ip,
          payload: form === 'register' ? { ...typed, language } : typed,
        })
        const cookies = answer.headers['set-cookie']
        if (answer.statusCode < 300) {
          const { pathAfterLogin } = await rendererOf(area)
          const search = searchOf(request)
          const next =
            area === 'buyer'
              ? pathAfterLogin(search)
              : pathAfterLogin(search.get('next'), `/${context.config.operators.path}/dashboard`)
          if (cookies) reply.header('set-cookie', cookies)
          return reply.header('cache-control', 'no-store').redirect(next, 303)
        }
        const { error } = answer.json() as ErrorBody
        const issues = error.issues ?? []
        const failure = issues.length > 0 ? undefined : error.message
        const values = Object.fromEntries(kept.map((name) => [name, String(typed[name] ?? '')]))
        return send(request, reply.code(answer.statusCode), {
          ...page,
          refused: { form, failure, code: error.code, issues, values },
        })
      })
  })
}
