import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { runMigrations } from 'graphile-worker'
import { logPeopleReads } from './access-log/access-log.ts'
import { Accounts } from './accounts/accounts.ts'
import { Actions } from './actions/actions.ts'
import { Analytics } from './analytics/analytics.ts'
import { Audit } from './audit/audit.ts'
import { Campaign, lockPublicTerms } from './campaign/campaign.ts'
import { hourlyRules } from './commands/rules.ts'
import { Comments } from './comments/comments.ts'
import type { Config } from './config.ts'
import { Content } from './content/content.ts'
import { Credentials } from './credentials/credentials.ts'
import { Currencies, type FetchPrices } from './currencies/currencies.ts'
import { createSimplePrice } from './currencies/simple-price.ts'
import type { Database } from './database/database.ts'
import { Debts } from './debts/debts.ts'
import { Delivery } from './delivery/delivery.ts'
import { startCampaign } from './demo/seed.ts'
import { Doctor } from './doctor/doctor.ts'
import { Escrows } from './escrows/escrows.ts'
import { Exports } from './exports/exports.ts'
import { Followers } from './followers/followers.ts'
import { askBeacon, Giveaways } from './giveaways/giveaways.ts'
import { Integrations } from './integrations/integrations.ts'
import { Jobs } from './jobs/jobs.ts'
import { headFileOf, Journal, keptNotesIn, Witness } from './journal/journal.ts'
import { HoldingsReader } from './ledger/holdings.ts'
import { Ledger } from './ledger/ledger.ts'
import { runLedgerCheck } from './ledger/ledger-check.ts'
import { OperatorUsers } from './ledger/operator-users.ts'
import { Limits } from './limits/limits.ts'
import { LocalLimits } from './limits/local-limits.ts'
import { Live } from './live/live.ts'
import { createOutboxHint } from './live/outbox-hint.ts'
import { Mailer } from './mail/mail.ts'
import { MailTemplates } from './mail-templates/mail-templates.ts'
import { NewerRelease } from './newer-release.ts'
import { Operators } from './operators/operators.ts'
import { FramedOrders } from './orders/framed-orders.ts'
import { OperatorOrders } from './orders/operator-orders.ts'
import { Orders } from './orders/orders.ts'
import { Pricing } from './orders/pricing.ts'
import { OrderWitness } from './orders/witness.ts'
import type { Outside } from './outside/outside.ts'
import { OperatorOverview } from './overview/overview.ts'
import { PageViews } from './overview/page-views.ts'
import { Payments } from './payments/payments.ts'
import { Push } from './push/push.ts'
import { RateSources, Rates } from './rates/rates.ts'
import { Referral } from './referral/referral.ts'
import { Reserves } from './reserves/reserves.ts'
import { Retention } from './retention/retention.ts'
import { sealPlain } from './secrets/reseal.ts'
import { followSecretKeys } from './secrets/secret-keys.ts'
import { Secrets } from './secrets/secrets.ts'
import { UnitsOfWork } from './unit-of-work/unit-of-work.ts'

export interface Context {
  readonly config: Config
  readonly db: Database
  readonly log: FastifyBaseLogger
  readonly secrets: Secrets
  readonly limits: Limits
  readonly localLimits: LocalLimits
  readonly mailer: Mailer
  readonly accounts: Accounts
  readonly operators: Operators
  readonly campaign: Campaign
  readonly units: UnitsOfWork
  readonly actions: Actions
  readonly audit: Audit
  readonly analytics: Analytics
  readonly integrations: Integrations
  readonly exports: Exports
  readonly doctor: Doctor
  readonly overview: OperatorOverview
  readonly currencies: Currencies
  readonly content: Content
  readonly comments: Comments
  readonly followers: Followers
  readonly giveaways: Giveaways
  readonly mailTemplates: MailTemplates
  readonly push: Push
  readonly pricing: Pricing
  readonly orders: Orders
  readonly framedOrders: FramedOrders
  readonly operatorOrders: OperatorOrders
  readonly operatorUsers: OperatorUsers
  readonly holdings: HoldingsReader
  readonly ledger: Ledger
  readonly referral: Referral
  readonly payments: Payments
  readonly debts: Debts
  readonly rates: Rates
  readonly delivery: Delivery
  readonly escrows: Escrows
  readonly live: Live
  readonly retention: Retention
  readonly journal: Journal
  readonly reserves: Reserves
  readonly witness: Witness
  readonly jobs: Jobs
  readonly pageViews: PageViews
  close(): Promise<void>
}

/** `db` is migrated; seeds a missing campaign. Only tests pass `outside`. */
export async function createContext(
  config: Config,
  db: Database,
  log: FastifyBaseLogger,
  outside?: Outside,
): Promise<Context> {
  await runMigrations({ pgPool: db.pool })
  await startCampaign(db, config)
  const base = joinBase(config, db, log)
  const push = joinPush(base, outside)
  const integrations = joinIntegrations(config, base, push, outside, () => people.operators)
  const people = joinPeople(base, integrations)
  const sale = joinSale(base, people.credentials)
  await sale.payments.nodes.refresh()
  const delivery = joinDelivery(base, people.credentials, sale.payments)
  const content = new Content({ db })
  const told = { delivery, ...joinVoices(base), giveaways: joinGiveaways(base) }
  const mailTemplates = new MailTemplates({ db, mailer: base.mailer, operators: people.operators })
  const analytics = new Analytics({ db, secrets: base.secrets, operatorPath: config.operators.path })
  base.cached.push(sale.campaign, sale.currencies, analytics)
  const actions = joinActions(base, {
    ...people.operators.actions,
    ...sale.campaign.actions,
    ...sale.currencies.actions,
    ...sale.rates.actions,
    ...sale.ledger.actions,
    ...delivery.actions,
    ...sale.escrows.actions,
    ...sale.operatorOrders.actions,
    ...sale.payments.actions,
    ...content.actions,
    ...told.comments.actions,
    ...told.giveaways.actions,
    ...mailTemplates.actions,
    ...analytics.actions,
    ...integrations.actions,
  })
  const { live, pageViews } = joinPublic(config, base, sale.campaign, log)
  const retention = new Retention({ db })
  const journal = joinJournal(base)
  return {
    ...base,
    ...people,
    ...sale,
    ...told,
    actions,
    content,
    mailTemplates,
    push,
    analytics,
    integrations,
    audit: new Audit({ db }),
    exports: new Exports({ db, secrets: base.secrets }),
    ...joinOverview(base, sale, actions),
    operatorUsers: new OperatorUsers({ db, secrets: base.secrets, campaign: sale.campaign }),
    holdings: new HoldingsReader({ db, campaign: sale.campaign }),
    live,
    pageViews,
    jobs: joinJobs({ ...base, ...people, ...sale, ...told, push, integrations, retention, journal, actions }),
    retention,
    journal,
    reserves: new Reserves({ db: base.db }),
    witness: joinWitness(base),
    async close() {
      await live.stop()
      await pageViews.close()
      base.mailer.close()
    },
  }
}

function joinActions(
  { config, db, units, secrets }: Base,
  all: ConstructorParameters<typeof Actions>[0]['all'],
): Actions {
  return new Actions({ db, units, secrets, publicUrl: config.web.publicUrl, all })
}

function joinDebts(
  { config, db, units, secrets, limits, mailer }: Base,
  credentials: Credentials,
  { refunds }: Payments,
): Debts {
  const { publicUrl } = config.web
  const sendMail: Mailer['sendMail'] = (tx, mail) => mailer.sendMail(tx, mail)
  return new Debts({ db, units, secrets, limits, credentials, refunds, publicUrl, sendMail })
}

function joinPush({ config, db, log, secrets, limits }: Base, outside: Outside | undefined): Push {
  return new Push({
    db,
    secrets,
    limits,
    log,
    outside,
    publicUrl: config.web.publicUrl,
    services: config.pushHosts,
  })
}

function joinIntegrations(
  { web, operators }: Config,
  { db, secrets, mailer }: Base,
  { sender }: Push,
  outside: Outside | undefined,
  tellers: () => Pick<Operators, 'tellOwners'>,
): Integrations {
  return new Integrations({
    db,
    tellOwners: (...told) => tellers().tellOwners(...told),
    secrets,
    outside,
    areaUrl: `${web.publicUrl}/${operators.path}`,
    browsers: sender,
    sendMail: (tx, mail) => mailer.sendMail(tx, mail),
  })
}

function joinPublic(
  config: Config,
  { db, forgetSettings }: Base,
  campaign: Campaign,
  log: FastifyBaseLogger,
) {
  const live = new Live({
    db,
    campaign,
    forgetSettings,
    limits: config.hasRateLimit,
    onFault: (error) => log.warn({ err: error }, 'live events interrupted'),
  })
  const pageViews = new PageViews({
    db,
    onFault: (error) => log.warn({ err: error }, 'page views not counted yet'),
  })
  return { live, pageViews }
}

type Base = ReturnType<typeof joinBase>

function joinBase(config: Config, db: Database, log: FastifyBaseLogger) {
  const secrets = new Secrets({ keys: followSecretKeys(config) })
  const limits = new Limits({ db, secrets, isOn: config.hasRateLimit })
  const localLimits = new LocalLimits({ isOn: config.hasRateLimit })
  const { publicUrl } = config.web
  const mailer = new Mailer({
    database: db,
    secrets,
    mail: config.mail,
    isDemo: config.isDemo,
    publicUrl,
    limits,
    log,
  })
  const hintOutbox = createOutboxHint(db)
  const cached: { invalidate(): void }[] = []
  const forgetSettings = () => {
    for (const module of cached) module.invalidate()
  }
  const units = new UnitsOfWork({
    db,
    // The author of a change sees it in the next response.
    afterCommit(kinds) {
      if (kinds.size > 0) forgetSettings()
      hintOutbox()
    },
  })
  return {
    config,
    db,
    log,
    secrets,
    limits,
    localLimits,
    mailer,
    units,
    hintOutbox,
    cached,
    forgetSettings,
  }
}

function joinPeople(
  { config, db, secrets, limits, mailer, units, hintOutbox }: Base,
  integrations: Integrations,
) {
  const { publicUrl } = config.web
  const sendMail: Mailer['sendMail'] = (tx, mail) => mailer.sendMail(tx, mail)
  const credentials = new Credentials({ db, secrets, limits, publicUrl, sendMail })
  const operatorPath = config.operators.path
  const referral = new Referral({ db, secrets, hintOutbox })
  return {
    credentials,
    referral,
    accounts: new Accounts({
      db,
      credentials,
      secrets,
      limits,
      publicUrl,
      sendMail,
      noteReferral: (...registered) => referral.note(...registered),
    }),
    operators: new Operators({
      db,
      units,
      credentials,
      limits,
      publicUrl,
      operatorPath,
      isDemo: config.isDemo,
      sendMail,
      revokeKeysOf: (unit, id) => integrations.revokeKeysOf(unit, id),
      countKeysOf: (tx, id) => integrations.countKeysOf(tx, id),
    }),
  }
}

function joinSale(base: Base, credentials: Credentials) {
  const { config, db, log, secrets, limits, units, hintOutbox } = base
  const campaign = new Campaign({ db, units })
  const currencies = new Currencies({ db, fetchPrices: (coins) => fetchPrices(coins) })
  const payments = new Payments({
    db,
    units,
    secrets,
    configs: config.chains,
    nodeRules: config.nodes,
    hintOutbox,
    log,
  })
  const escrows = new Escrows({ db, secrets, evm: payments.evmAccounts, looks: payments.evmLooks })
  const rates = new Rates({
    db,
    secrets,
    sources: joinRateSources(config, secrets, payments),
    currenciesChanged: () => currencies.invalidate(),
  })
  const { service } = config.prices
  const fetchPrices: FetchPrices = service ? createSimplePrice(service) : (coins) => rates.agreed(coins)
  const pricing = new Pricing({ db, applyStagePrice: () => campaign.applyStagePrice() })
  const orders = new Orders({
    db,
    campaign,
    units,
    payments: payments.received,
    batching: true,
    pricing,
    reserveAddress: (currencyId) => payments.wallets.reserveAddress(currencyId),
    takeOrder: (userId) => limits.take('order_account', userId),
    takeUnproved: (userId, network) =>
      limits.takeEither(['order_unproved_account', userId], ['order_unproved_network', network]),
    takeAddress: (userId) => limits.take('address_account', userId),
    witness: witnessOf(config),
    hintOutbox,
  })
  const ledger = new Ledger({ db, hintOutbox, batching: true })
  const operatorOrders = new OperatorOrders({ db, payments: payments.received })
  const framedOrders = new FramedOrders(db)
  return {
    campaign,
    currencies,
    payments,
    debts: joinDebts(base, credentials, payments),
    escrows,
    rates,
    pricing,
    orders,
    framedOrders,
    ledger,
    operatorOrders,
  }
}

function joinDelivery(
  { config, db, limits, mailer, secrets }: Base,
  { links }: Credentials,
  payments: Payments,
): Delivery {
  return new Delivery({
    db,
    evm: payments.evmAccounts,
    looks: payments.evmLooks,
    links,
    limits,
    secrets,
    publicUrl: config.web.publicUrl,
    sendMail: (tx, mail) => mailer.sendMail(tx, mail),
  })
}

function joinVoices({ config, db, limits, mailer }: Base) {
  return {
    comments: new Comments({ db, limits, publicUrl: config.web.publicUrl }),
    followers: new Followers({
      db,
      limits,
      publicUrl: config.web.publicUrl,
      sendMail: (tx, mail) => mailer.sendMail(tx, mail),
    }),
  }
}

function joinGiveaways({ config, db, mailer, secrets }: Base): Giveaways {
  const { servers, ...beacon } = config.beacon
  return new Giveaways({
    db,
    secrets,
    beacon,
    fetchSignature: askBeacon(beacon, servers),
    publicUrl: config.web.publicUrl,
    sendMail: (tx, mail) => mailer.sendMail(tx, mail),
  })
}

type Working = Base &
  ReturnType<typeof joinPeople> &
  ReturnType<typeof joinSale> & {
    readonly delivery: Delivery
    readonly followers: Followers
    readonly giveaways: Giveaways
    readonly push: Push
    readonly integrations: Integrations
    readonly retention: Retention
    readonly journal: Journal
    readonly actions: Actions
  }

function joinJournal({ config, db, log, secrets }: Base): Journal {
  return new Journal({
    db,
    secrets,
    log,
    host: new URL(config.web.publicUrl).host,
    head: headFileOf(config.dataDir),
    lockTerms: lockPublicTerms,
    witnesses: config.journal.witnesses,
  })
}

function joinWitness({ config, db, secrets }: Base): Witness {
  return new Witness({
    db,
    secrets,
    name: `${new URL(config.web.publicUrl).host}/witness`,
    logs: config.journal.witnessFor,
    kept: keptNotesIn(config.dataDir),
  })
}

function joinOverview(
  { config, db, log, mailer }: Base,
  { campaign, payments, rates }: ReturnType<typeof joinSale>,
  actions: Actions,
) {
  const newer = new NewerRelease({ url: config.releasesUrl, log })
  const overview = new OperatorOverview({
    db,
    campaign,
    pending: actions.pending,
    // A demo's mails are files in its folder.
    sendsMail: async () => config.isDemo || mailer.server.isSet(),
    newerRelease: () => newer.known,
    get followed() {
      return payments.configs.map(({ network }) => network)
    },
  })
  return { overview, doctor: new Doctor({ db, config, mailer, rates }) }
}

function joinJobs(joined: Working): Jobs {
  const { db, log, secrets, mailer, accounts, operators, campaign } = joined
  const {
    ledger,
    payments,
    rates,
    referral,
    delivery,
    giveaways,
    push,
    integrations,
    retention,
    journal,
    actions,
  } = joined
  return new Jobs({
    database: db,
    mailer,
    tellOwners: (...told) => operators.tellOwners(...told),
    tellWebhooks: (tx, events) => integrations.webhooks.tell(tx, events),
    tellBrowsers: (tx, events) => push.tell(tx, events),
    tellChannels: (tx, events) => integrations.channels.tell(tx, events),
    tasks: { ...integrations.tasks, ...push.tasks },
    log,
    periodic: [
      { name: 'write the journal', everySeconds: 0.5, run: () => journal.sequencer.run() },
      ...journal.witnesses.tasks(),
      { name: 'log what lists were read', everySeconds: 300, run: () => logPeopleReads(db) },
      { name: 'publish what waited an hour', everySeconds: 30, run: () => actions.pending.executeDue() },
      { name: 'read feed rates', everySeconds: 60, run: () => rates.refresh() },
      { name: 'settle due orders', everySeconds: 10, run: () => payments.received.settleDue() },
      { name: 'decide about referrals', everySeconds: 60, run: () => referral.decideDue() },
      { name: 'look at rewards again', everySeconds: 600, run: () => referral.lookAgain() },
      { name: 'pay back a missed sale', everySeconds: 30, run: () => ledger.payBackMissedSale() },
      { name: 'apply stage price', everySeconds: 10, run: () => campaign.applyStagePrice() },
      { name: 'seal what is plain', everySeconds: 60, run: () => sealPlain({ db, secrets }) },
      { name: 'tell of a delivery round', everySeconds: 60, run: () => delivery.tellOfRound() },
      { name: 'look at escrows', everySeconds: 60, run: () => delivery.lookAtEscrows() },
      { name: 'send mails that waited', everySeconds: 30, run: () => mailer.sendWaiting() },
      { name: 'mail announcements', everySeconds: 30, run: () => joined.followers.tell() },
      { name: 'tell browsers of announcements', everySeconds: 30, run: () => push.tellNews() },
      { name: 'run giveaways', everySeconds: 10, run: () => giveaways.run() },
      { name: 'look at live rounds', everySeconds: 60, run: () => delivery.lookAtLiveRounds() },
      { name: 'look at what addresses hold', everySeconds: 600, run: () => payments.lookAtHoldings() },
      { name: 'delete accounts', everySeconds: 600, run: () => accounts.deleteDueAccounts() },
      { name: 'tell of keys that end', everySeconds: 3600, run: () => integrations.apiKeys.tellOfEnds() },
      {
        name: 'check the ledger',
        everySeconds: 3600,
        run: (signal) => runLedgerCheck(db, hourlyRules, signal),
      },
      { name: 'count what operators did', everySeconds: 3600, run: () => journal.countActions() },
      { name: 'sum up what buyers hold', everySeconds: 10, run: () => journal.sumHoldings() },
      {
        name: 'announce the addresses of wallets',
        everySeconds: 30,
        run: () => journal.announceWallets((tx, id) => payments.wallets.account(tx, id)),
      },
      { name: 'remove what is old', everySeconds: 3600, run: () => retention.run() },
    ],
  })
}

/** The embedded database shares the disk: a witness there would be lost with it. */
function witnessOf({ database, dataDir, parts }: Config): OrderWitness | undefined {
  return database.kind === 'external' && parts.includes('web')
    ? new OrderWitness(join(dataDir, 'witness'))
    : undefined
}

function joinRateSources({ prices }: Config, secrets: Secrets, payments: Payments): RateSources {
  const isGiven = (name: (typeof prices.given)[number]) => prices.given.includes(name)
  return new RateSources({
    secrets,
    own: {
      coingecko: { url: prices.coinGecko, isGiven: isGiven('coinGecko') },
      kraken: { url: prices.kraken, isGiven: isGiven('kraken') },
      coinbase: { url: prices.coinbase, isGiven: isGiven('coinbase') },
    },
    hosts: prices.hosts,
    refreshAsks: prices.service,
    ethereum: () => payments.ethereumRpc,
  })
}
