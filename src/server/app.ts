import { randomUUID } from 'node:crypto'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { Registry } from 'prom-client'
import type { Context } from './context.ts'
import { mountDemoWallet } from './demo/demo-wallet.ts'
import { mountAccount } from './http/account.ts'
import { mountAnalytics } from './http/analytics.ts'
import { mountApprovals } from './http/approvals.ts'
import { mountAudit } from './http/audit.ts'
import { askerOf, createAuthenticator } from './http/authentication.ts'
import { mountCampaign } from './http/campaign.ts'
import { mountComments } from './http/comments.ts'
import { mountContent } from './http/content.ts'
import { keepCosts, VISITOR_BODY_BYTES_MAX } from './http/costs.ts'
import { mountCurrencies, mountRateSources } from './http/currencies.ts'
import { mountDebts } from './http/debts.ts'
import { mountDelivery } from './http/delivery.ts'
import { mountDocs } from './http/docs.ts'
import { handleErrors, sendError } from './http/errors.ts'
import { mountEscrows } from './http/escrows.ts'
import { mountExports } from './http/exports.ts'
import { mountFollowers } from './http/followers.ts'
import { mountGiveaways } from './http/giveaways.ts'
import { mountHoldings } from './http/holdings.ts'
import { mountIntegrations } from './http/integrations.ts'
import { mountJournal, mountWitness } from './http/journal.ts'
import { watchPaths } from './http/known-paths.ts'
import { mountLive } from './http/live.ts'
import { boundOpenRequests } from './http/open-requests.ts'
import { mountOperatorCampaign } from './http/operator-campaign.ts'
import { mountOperatorChannels } from './http/operator-channels.ts'
import { mountOperatorContent } from './http/operator-content.ts'
import { mountOperatorMailTemplates } from './http/operator-mail-templates.ts'
import { mountOperatorOrders } from './http/operator-orders.ts'
import { mountOperatorSession } from './http/operator-session.ts'
import { mountOperators } from './http/operators.ts'
import { mountOrders } from './http/orders.ts'
import { mountOverview } from './http/overview.ts'
import { mountPayments } from './http/payments.ts'
import { mountProbes } from './http/probes.ts'
import { mountPush } from './http/push.ts'
import { mountReferral } from './http/referral.ts'
import { answersOf, guardRequests } from './http/request-guards.ts'
import { requestLog } from './http/request-log.ts'
import { keepRequestMetrics } from './http/request-metrics.ts'
import { keepSecurityLog } from './http/security-log.ts'
import type { Server } from './http/serve.ts'
import { mountLegacyApi } from './legacy-api/legacy-api.ts'
import { legacyCalls } from './legacy-api/legacy-calls.ts'
import { mountAreas, operatorLoginSender } from './pages/areas.ts'
import { mountInstallable } from './pages/installable.ts'
import { leadToOneAddress } from './pages/one-address.ts'
import { createDrawAlone, type DrawAlone } from './pages/page-cache.ts'
import { mountPages, type Pages } from './pages/pages.ts'
import { mountStatic } from './pages/static.ts'
import { Refusal } from './refusal.ts'

/** Enough for 20 MB at 1.4 Mbit/s; headers have their own limit. */
const REQUEST_MAX_MS = 120_000
/** For requests in progress; the rest of the promised 15 s is for the database. */
const DRAIN_MAX_MS = 10_000
const IDLE_LOOK_MS = 100

// Rules: RIGHT-7
/** `Live` ends event streams. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const forced = setTimeout(() => app.server.closeAllConnections(), DRAIN_MAX_MS)
  // A connection busy at the start of closing stays open after its response.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS)
  await app.close().finally(() => {
    clearTimeout(forced)
    clearInterval(idle)
  })
}

export async function createApp(context: Context): Promise<FastifyInstance> {
  const { config, log } = context
  const { trustProxyHops } = config.web
  const app = fastify({
    loggerInstance: log,
    childLoggerFactory: requestLog,
    // A line per request would cost a tenth of the throughput; handlers log failures.
    logController: new LogController({ disableRequestLogging: true }),
    // Each proxy appends the address that it saw; anything before comes from the visitor. Hop 0 is the
    // connection's own peer.
    trustProxy: trustProxyHops > 0 && ((_address: string, hop: number) => hop < trustProxyHops),
    bodyLimit: VISITOR_BODY_BYTES_MAX,
    requestTimeout: REQUEST_MAX_MS,
    genReqId: () => randomUUID(),
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
    ...answersOf(config.web.publicUrl),
  }) as unknown as FastifyInstance
  // Forms of other sites can send text; `/api/v1` accepts only JSON.
  app.removeContentTypeParser('text/plain')
  handleErrors(app)
  const registry = new Registry()
  keepSecurityLog(app, { log, secrets: context.secrets, registry })
  keepRequestMetrics(app, registry)
  const methodsOf = watchPaths(app)
  keepCosts(app, context.localLimits)
  boundOpenRequests(app, context.localLimits)
  guardRequests(app)
  leadToOneAddress(app)

  const authenticator = createAuthenticator({
    accounts: context.accounts,
    operators: context.operators,
    publicUrl: config.web.publicUrl,
    apiKeys: context.integrations.apiKeys,
  })
  const server: Server = {
    app,
    db: context.db,
    actions: context.actions,
    prove: (caller, given, { request }) =>
      context.operators.proveLater(caller.operatorId, given, askerOf({ caller, request })),
    authenticator,
    limits: context.localLimits,
    checkReplies: !config.isProduction,
    routes: [],
  }

  if (config.demoChainUrl) mountDemoWallet(app, config.demoChainUrl, config.demoLitecoinUrl)
  mountResources(server, context)
  if (config.hasLegacyApi) await mountLegacyApi(app, context)
  mountProbes(server, context, registry)
  mountDocs(server, config.hasLegacyApi ? legacyCalls : [], {
    isDemo: async () => (await context.campaign.current()).demo,
  })
  await mountStatic(app)
  const drawAlone = createDrawAlone(context.localLimits)
  await mountAreas(server, context, drawAlone)
  mountInstallable(server, context)
  const pages = await mountPublicPages(server, context, drawAlone)

  app.setNotFoundHandler((request, reply) => {
    if (!request.url.startsWith('/api/')) return pages.notFound(request, reply)
    const methods = methodsOf(request.url.split('?')[0] ?? '')
    if (methods.length === 0) return sendError(new Refusal('not_found'), request, reply)
    return sendError(new Refusal('method_not_allowed'), request, reply.header('allow', methods.join(', ')))
  })
  return app
}

function mountPublicPages(server: Server, context: Context, drawAlone: DrawAlone): Promise<Pages> {
  const { config } = context
  return mountPages(server, {
    campaign: context.campaign,
    comments: context.comments,
    currencies: context.currencies,
    content: context.content,
    delivery: context.delivery,
    followers: context.followers,
    giveaways: context.giveaways,
    journal: context.journal,
    reserves: context.reserves,
    publicUrl: config.web.publicUrl,
    drawAlone,
    analyticsFor: async (path) => (await context.analytics.forPath(path)).map((key) => key.provider),
    operatorPath: config.operators.path,
    sendOperatorArea: operatorLoginSender(server, context, drawAlone),
    countView: (announcementId) => context.pageViews.count(announcementId),
  })
}

function mountResources(server: Server, context: Context): void {
  const { accounts, operators, actions, config, campaign, content } = context
  const { publicUrl } = config.web
  const siteName = async () => (await campaign.current()).settings.name
  mountAccount(server, {
    accounts,
    referral: context.referral,
    push: context.push,
    publicUrl,
    siteName,
  })
  mountOperatorSession(server, { operators, publicUrl, siteName })
  mountOperators(server, { operators, accounts })
  mountCampaign(server, campaign)
  mountOperatorCampaign(server, campaign)
  mountCurrencies(server, context.currencies)
  mountRateSources(server, context.rates)
  mountPayments(server, context.payments, context.rates)
  mountDebts(server, context.debts)
  mountOrders(server, {
    pricing: context.pricing,
    orders: context.orders,
    framedOrders: context.framedOrders,
    journal: context.journal,
    wallets: context.payments.wallets,
  })
  mountOperatorOrders(server, context.operatorOrders, context.ledger)
  mountHoldings(server, context.holdings, context.journal, context.operatorUsers, context.ledger)
  mountReferral(server, { referral: context.referral, publicUrl })
  mountDelivery(server, context.delivery)
  mountEscrows(server, context.escrows)
  mountApprovals(server, actions)
  mountContent(server, content, { publicUrl, campaignName: siteName })
  mountOperatorContent(server, content, (operatorId) => context.limits.take('upload_account', operatorId))
  mountComments(server, context.comments)
  mountFollowers(server, context.followers)
  mountPush(server, context.push)
  mountGiveaways(server, context.giveaways)
  mountOperatorMailTemplates(server, context.mailTemplates)
  mountAudit(server, context.audit)
  mountExports(server, context.exports, context.units)
  mountAnalytics(server, context.analytics)
  mountIntegrations(server, context.integrations)
  mountOperatorChannels(server, context.integrations)
  mountOverview(server, context.overview, context.doctor)
  mountLive(server, context.live)
  mountJournal(server, context.journal)
  mountWitness(server, context.witness)
}
