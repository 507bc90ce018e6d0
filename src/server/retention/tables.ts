import type { Period } from '../../shared/retention.ts'
import { buyerLifetimes, demoOperatorLifetimes, operatorLifetimes } from '../credentials/session-lifetimes.ts'

/** Removed after its period. `t` is the row in all SQL here. */
export interface Aging {
  readonly table: string
  readonly what: string
  readonly period: Period | { readonly hours: number }
  /** SQL: the period's start. */
  readonly since: string
  /** SQL: excludes rows that may still be needed. */
  readonly where?: string
  /** SQL: empties columns instead of removing the row. */
  readonly set?: string
  /** Still counts removed rows, by creation day. */
  readonly counted?: 'swept_accounts'
  /**
   * Without an index for expired rows, each batch continues after the last one: a run reads the table once.
   */
  readonly isReadOn?: true
  /** Rows per transaction, for expensive ones. */
  readonly batch?: number
  readonly why: string
}

export interface Kept {
  readonly table: string
  readonly kept: 'for ever' | 'with its owner' | 'while it serves'
  readonly why: string
}

const aging = (rows: Readonly<Record<string, Omit<Aging, 'table'>>>): Aging[] =>
  Object.entries(rows).map(([table, row]) => ({ table, ...row }))
const kept = (how: Kept['kept'], whys: Readonly<Record<string, string>>): Kept[] =>
  Object.entries(whys).map(([table, why]) => ({ table, kept: how, why }))

const idleOf = (lifetimes: typeof buyerLifetimes) =>
  `case t.kind when 'browser' then ${lifetimes.browser.idleSeconds} else ${lifetimes.token.idleSeconds} end`
const endOfSession = (idleSeconds: string) =>
  `least(t.expires_at, t.last_seen_at + make_interval(secs => ${idleSeconds}))`
/** A demo's operators may be idle longer. */
const operatorsIdle = `greatest(${idleOf(operatorLifetimes)}, ${idleOf(demoOperatorLifetimes)})`

/** A referenced buyer's row must go later. */
const referencesToBuyers = [
  ...[
    'orders',
    'payments',
    'refunds',
    'postings',
    'holdings',
    'holding_leaves',
    'user_notes',
    'delivery_addresses',
    'delivery_round_notices',
    'delivery_round_rows',
    'giveaway_entries',
    'giveaway_winners',
    'referral_links',
    'user_devices',
    'nicknames_given_up',
  ].map((table) => `${table}.user_id`),
  'referrals.friend_id',
  'referrals.referrer_id',
  'referral_decisions.referrer_id',
]

const buyers: readonly (Aging | Kept)[] = [
  ...aging({
    users: {
      what: 'accounts that never ordered anything, and were deleted or never confirmed their e-mail address',
      period: 'deletedAccounts',
      since: 'coalesce(t.deleted_at, t.created_at)',
      where: `(t.deleted_at is not null or t.confirmed_at is null and not t.is_demo
                and not exists (select from user_sessions s where s.user_id = t.id)) and ${referencesToBuyers
                  .map((column) => column.split('.'))
                  .map(([table, column]) => `not exists (select from ${table} x where x.${column} = t.id)`)
                  .join(' and ')}`,
      counted: 'swept_accounts',
      isReadOn: true,
      // Each row checks all tables that can reference it.
      batch: 100,
      why: 'Strangers register addresses of others; an account with a session stays. A deleted account is anonymous at once, and orders and the ledger keep its reference. If it has orders, a sealed keyed hash of its e-mail address stays, because payments can still come.',
    },
    user_sessions: {
      what: 'expired sessions of buyers',
      period: 'endedSessions',
      since: endOfSession(idleOf(buyerLifetimes)),
      why: 'Signing out removes a session at once.',
    },
    operator_sessions: {
      what: 'expired sessions of operators',
      period: 'endedSessions',
      since: endOfSession(operatorsIdle),
      why: 'Signing out removes a session at once.',
    },
    one_time_links: {
      what: 'used or expired links',
      period: 'oneTimeLinks',
      since: 'least(t.expires_at, coalesce(t.used_at, t.expires_at))',
      why: 'The hash of the link and the address that it was sent to.',
    },
    failed_attempts: {
      what: 'failed attempts at an account',
      period: 'failedAttempts',
      since: 't.last_at',
      why: 'The owner of the account sees them.',
    },
    known_networks: {
      what: 'networks from which an account logged in',
      period: 'loginNetworks',
      since: 't.last_login_at',
      why: 'Keyed hashes: a login from elsewhere causes a mail, and failures of strangers lock nobody out.',
    },
    user_devices: {
      what: 'browsers of accounts while rewards for bringing buyers were on',
      period: 'loginNetworks',
      since: 't.last_seen_at',
      why: 'Keyed hashes of a random cookie: nobody gets a reward for bringing themselves.',
    },
    nicknames_given_up: {
      what: 'nicknames that their holders gave up',
      period: { hours: 720 },
      since: 't.given_up_at',
      why: 'Hashes: nobody else is taken for the former holder.',
    },
    rate_limits: {
      what: 'limits that are free again',
      period: { hours: 0 },
      since: 't.free_at',
      why: 'Keyed hashes.',
    },
    attempt_strikes: {
      what: 'counts of attempts in a row',
      period: { hours: 24 },
      since: 't.struck_at',
      why: 'Keyed hashes.',
    },
    totp_secrets: {
      what: 'authenticator apps that were switched off',
      period: { hours: 9 * 24 },
      since: 't.removed_at',
      where: 't.removed_at is not null',
      isReadOn: true,
      why: 'A reset in the days after a thief replaced an app switches the owner’s on again.',
    },
    passkey_challenges: {
      what: 'unanswered challenges',
      period: { hours: 0 },
      since: 't.expires_at',
      why: 'An answer deletes its challenge.',
    },
    delivery_challenges: {
      what: 'unsigned texts',
      period: { hours: 0 },
      since: 't.expires_at',
      why: 'A signature deletes its text.',
    },
    push_news: {
      what: 'which browser got which announcement',
      period: { hours: 30 * 24 },
      since: 't.added_at',
      why: 'No notice is sent twice.',
    },
    followers: {
      what: 'unconfirmed addresses of followers by mail',
      period: { hours: 7 * 24 },
      since: 't.asked_at',
      where: 't.confirmed_at is null',
      why: 'A confirmed address stays until its owner unsubscribes or deletes the account with that address.',
    },
    announcement_mails: {
      what: 'which follower got which announcement',
      period: { hours: 30 * 24 },
      since: 't.added_at',
      why: 'No mail is sent twice.',
    },
  }),
  ...kept('with its owner', {
    recovery_codes: 'Until the second factor is taken off or the account deleted.',
    passkeys: 'Until it is removed or the account deleted.',
    user_notes: 'Append-only while the account lives; deleted with it.',
    delivery_addresses: 'Deleted with the account; what a round has published stays in its list.',
    referral_links: 'Deleted with the account, after which the link leads nowhere.',
    giveaway_entries:
      'Deleted with the account before the list is published; afterwards only the country is emptied, because the draw needs the entry.',
    announcement_texts: 'What an announcement said before it was changed; gone with the announcement.',
    bookmarks: 'Until its buyer takes it away, or the account or the announcement is deleted.',
    push_devices:
      'Until its session ends, its buyer removes it, its push service says that it is gone, or the account is deleted. Where it leads is sealed.',
    announcement_views: 'Counts by day, of nobody; gone with the announcement.',
    comments: 'Until its author takes it back or the account or the announcement is deleted.',
    comment_reports: 'Gone with the comment, or with the account that reported it.',
    announcement_reactions: 'Gone with the announcement or with the row of the account.',
  }),
  ...kept('for ever', { push_keys: 'One row: the key that sends to browsers, sealed.' }),
]

const sale: readonly (Aging | Kept)[] = [
  ...aging({
    framed_orders: {
      what: 'which frame on another site may follow an order',
      period: { hours: 30 * 24 },
      since: 't.told_at',
      why: 'The hash of the frame’s key, stored with the buyer’s consent; removed with the account.',
    },
    orders: {
      what: 'country and age declared with unpaid orders, of buyers who never bought',
      period: 'declarations',
      since: 't.updated_at',
      where: `t.declarations ?| array['country', 'ageConfirmed', 'minimumAge']
      and t.status <> 'approved' and not t.held and (t.status = 'rejected' or t.detail = 'expired')
      and not exists (select from payments x where x.order_id = t.id)
      and not exists (select from refunds x where x.order_id = t.id)
      and not exists (select from orders x where x.user_id = t.user_id and x.approvals > 0)`,
      set: `declarations = t.declarations - array['country', 'ageConfirmed', 'minimumAge']`,
      why: 'The order stays, with the versions of the texts that apply to a late payment.',
    },
  }),
  ...kept('while it serves', {
    rate_sources: 'Until an operator replaces or removes the source. Its address is sealed.',
    rate_sources_left_out: 'Until an operator has the source asked again.',
    chain_nodes: 'Until an operator replaces or removes the node. Its address is sealed.',
    chain_blocks: 'The last blocks; the watcher removes older ones.',
    holding_leaves:
      'Those of the newest three trees, so that buyers can find their own; older ones go as a new tree is made.',
    holding_tiles: 'As the leaves: hashes and sums.',
  }),
  ...kept('for ever', {
    order_terms: 'The largest order and the levels by which orders are judged.',
    order_events: 'What happened to an order and who did it: the ledger is read with it.',
    payments: 'What orders, refunds and the ledger stand on.',
    refunds: 'Money owed and paid back.',
    refund_files: 'What was signed to pay refunds.',
    refund_file_lines: 'Which refunds a file pays.',
    refund_transfers: 'What else reached the address of a refund.',
    second_words: 'What a second node says of what was paid back.',
    postings: 'The ledger, append-only.',
    entries: 'The ledger, append-only.',
    holdings: 'The sums of the ledger by buyer.',
    referrals: 'What rewards for bringing buyers stand on, append-only.',
    referral_decisions: 'What became of friends’ orders, append-only.',
    referrals_found:
      'Which friends were found to be one person with who brought them, and by what, append-only. Asked once more before an account is deleted, because the marks and addresses that show it go.',
    sale_totals: 'The sums of the ledger by day.',
    received_totals: 'The sums of approved orders by currency.',
    stage_capacity: 'What is left to sell.',
    campaign_capacity: 'What is left to sell.',
    campaign: 'The settings of the sale.',
    stages: 'Orders count for their stage.',
    price_changes: 'Public history.',
    journal_logs: 'The public journal’s names and keys.',
    journal_sources: 'How far the public journal is written.',
    journal_facts: 'What the public journal says, append-only.',
    journal_entries: 'The public journal, append-only.',
    journal_tiles: 'The public journal’s tree.',
    journal_checkpoints: 'What the public journal was signed as, append-only.',
    journal_cosignatures: 'What others signed under the public journal.',
    witness_keys: 'The key under which the logs of others are cosigned.',
    witnessed_logs: 'What was cosigned last of the logs of others.',
    campaign_changes: 'Public history.',
    legal_texts: 'Orders name the version that their buyer accepted.',
    currencies: 'Orders name them; one without an order can be removed.',
    currency_rates: 'The rate of each order, and of each late payment, is traced to it.',
    rate_readings: 'What the sources said behind a rate; nobody’s data.',
    wallets: 'Account public keys: what was paid to them is found by them.',
    wallet_addresses: 'An address is given once and may be paid at any time.',
    wallet_announcements: 'Which addresses the journal announced; nobody’s data.',
    wallet_tiles: 'Proves that an address was announced; hashes alone.',
    own_coins: 'Change of the sale’s own wallets; no buyer’s.',
    coins_sent: 'What the sale’s own addresses sent: with their balances it says what they got.',
    chains: 'Where each chain is followed from.',
    delivery_rounds: 'Published.',
    delivery_round_notices: 'Proves that who lacked an address was told before the freeze.',
    delivery_round_parts: 'What a round has of each order, append-only.',
    delivery_round_rows: 'Published, append-only.',
    giveaways: 'Drafts until an operator deletes them; published rules never change.',
    giveaway_lists: 'Published, append-only: entries as commitments.',
    giveaway_draws: 'Published, append-only.',
    giveaway_winners: 'Published with masked addresses: whether each prize was handed over.',
    delivery_round_files: 'Published, append-only.',
    delivery_distributors: 'Published, append-only.',
    escrows: 'What buyers were promised of where their money lies, append-only.',
    escrow_plans: 'The terms that each escrow was made with.',
    quote_keys: 'Which key signed what; each is sealed.',
    escrow_signatures: 'What was signed of an order, so that nothing else is ever signed of it; append-only.',
    escrow_looks: 'One row an escrow.',
    delivery_looks: 'One row a live round, published.',
    holding_trees: 'One row a day: the root that the journal says of what buyers hold.',
    holding_looks: 'One row a coin or token of a chain, published.',
    ledger_checks: 'One row: what the rules of the ledger said last, published.',
  }),
]

const house: readonly (Aging | Kept)[] = [
  ...aging({
    idempotency_keys: {
      what: 'keys of repeatable requests with their answers',
      period: { hours: 24 },
      since: 't.started_at',
      why: 'A repeat gets the first answer.',
    },
    people_reads: {
      what: 'how many rows of lists of people an operator opened in each hour',
      period: { hours: 48 },
      since: 't.hour',
      where: 't.logged_at is not null',
      why: 'The audit log has each finished hour.',
    },
    approval_requests: {
      what: 'approval requests that were decided or ended',
      period: 'decidedActions',
      // An undecided request ended with its expiry.
      since: 'coalesce(t.decided_at, t.expires_at)',
      why: 'The audit log has the action, with both names.',
    },
    webhook_deliveries: {
      what: 'messages to webhooks that were sent or failed for good',
      period: 'webhookDeliveries',
      since: 'greatest(t.created_at, t.next_attempt_at, t.delivered_at)',
      // Keeps an unsent message, however long no server ran.
      where: `not (t.state = 'pending' and exists (select from graphile_worker._private_jobs x
      where x.key = 'webhook-delivery:' || t.id and (x.attempts < x.max_attempts or x.locked_at is not null)))`,
      why: 'They name orders and amounts.',
    },
    events: {
      what: 'numbered events of webhooks',
      period: 'webhookDeliveries',
      since: 't.created_at',
      why: 'They name orders and amounts. A request for an older event fails with an error code.',
    },
    'graphile_worker._private_jobs': {
      what: 'mails and other jobs that failed for good',
      period: 'failedJobs',
      since: 't.updated_at',
      where: 't.attempts >= t.max_attempts and t.locked_at is null',
      why: 'A finished job is removed at once. Mails are sealed.',
    },
    parked_mails: {
      what: 'mails that wait for a mail server or were given up',
      period: 'failedJobs',
      since: 't.parked_at',
      why: 'They can still be sent. Mails are sealed.',
    },
    mail_deliveries: {
      what: 'results of sent mails',
      period: 'failedJobs',
      since: 't.last_tried_at',
      why: 'Operators see which mail did not arrive, and why. The address is masked.',
    },
    uploads: {
      what: 'files that no row names',
      period: 'unusedUploads',
      since: 't.created_at',
      where: `not exists (select from announcements x where x.image_id = t.id)
      and not exists (select from documents x where x.upload_id = t.id)
      and not exists (select from document_versions x where x.upload_id = t.id)
      and not exists (select from giveaways x cross join jsonb_array_elements(x.rules -> 'prizes') p where p #>> '{image,name}' = t.name)
      and not exists (select from campaign x where x.settings #>> '{brand,logoUploadId}' = t.name)
      and not exists (select from approval_requests x where x.state = 'waiting' and x.expires_at > now() and strpos(x.summary ->> 'picture', t.name) > 0)`,
      why: 'Published files stay until an operator removes the text that names them.',
    },
  }),
  ...kept('while it serves', {
    operator_channels: 'Until its operator removes it. Where it leads is sealed.',
    webhooks: 'Until an operator removes it, its messages with it.',
    analytics_keys: 'Until an operator removes it.',
    announcements: 'Until an operator removes it.',
    documents: 'Until an operator removes it.',
    document_versions: 'What was published stays reachable until an operator removes the document.',
    outbox: 'Told and removed within seconds.',
    'graphile_worker._private_job_queues': 'The job queue’s own.',
    'graphile_worker._private_known_crontabs': 'The job queue’s own.',
    'graphile_worker._private_tasks': 'The job queue’s own.',
  }),
  ...kept('for ever', {
    mail_texts: 'Versions of what buyers were written.',
    operators: 'The audit log and the ledger name them.',
    mail_server: 'A setting; its password is sealed.',
    audit_log:
      'Append-only: who changed and who read what, as references; a deleted account’s reference leads to nobody.',
    api_keys: 'The audit log names them; of the key itself a hash.',
    event_counter: 'One number: no event gets one that another had.',
    day_counts: 'Counts by day, of nobody.',
    backup_drills: 'When a backup was last proved.',
    retention_runs: 'One row a table of this list.',
    schema_migrations: 'What the tables are.',
    schema_functions: 'Which functions are in force.',
    'graphile_worker.migrations': 'The job queue’s own.',
  }),
]

/** The job, the settings and the pages use this list. */
export const tables: readonly (Aging | Kept)[] = [...buyers, ...sale, ...house]

export const isAging = (row: Aging | Kept): row is Aging => 'period' in row

// Rules: RIGHT-29
export const agingTables = tables.filter(isAging)
