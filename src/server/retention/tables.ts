import type { Period } from '../../shared/retention.ts'
import { buyerLifetimes, demoOperatorLifetimes, operatorLifetimes } from '../credentials/session-lifetimes.ts'

/** What is removed once it is older than its period. `t` is the row in every piece of SQL here. */
export interface Aging {
  readonly table: string
  /** What of the table ages, in words. */
  readonly what: string
  /** A setting, or so many hours that nobody sets. */
  readonly period: Period | { readonly hours: number }
  /** The moment from which the period counts. */
  readonly since: string
  /** Which rows age at all: whatever somebody may still need is left out here. */
  readonly where?: string
  /** What is emptied where the row itself stays. */
  readonly set?: string
  /** The column of `day_counts` in which removed rows stay counted, on the day when they were made. */
  readonly counted?: 'swept_quotes' | 'swept_accounts'
  /** No index finds what is due: each batch reads on from where the one before ended, so that a run reads the table once. */
  readonly isReadOn?: true
  /** Rows of one transaction, where a single one costs much. */
  readonly batch?: number
  readonly why: string
}

/** What no period removes. */
export interface Kept {
  readonly table: string
  readonly kept: 'for ever' | 'with its owner' | 'while it serves'
  readonly why: string
}

const idleOf = (lifetimes: typeof buyerLifetimes) =>
  `case t.kind when 'browser' then ${lifetimes.browser.idleSeconds} else ${lifetimes.token.idleSeconds} end`
const endOfSession = (idleSeconds: string) =>
  `least(t.expires_at, t.last_seen_at + make_interval(secs => ${idleSeconds}))`
/** A demo's operators may be idle for longer, and nobody's session may be taken for ended. */
const operatorsIdle = `greatest(${idleOf(operatorLifetimes)}, ${idleOf(demoOperatorLifetimes)})`

/** Tables that hold a reference to a buyer whose row can't go before theirs. */
const referencesToBuyers = [
  ...[
    'quotes',
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
  {
    table: 'users',
    what: 'accounts that were deleted and never bought anything',
    period: 'deletedAccounts',
    since: 't.deleted_at',
    where: `t.deleted_at is not null and ${referencesToBuyers
      .map((column) => column.split('.'))
      .map(([table, column]) => `not exists (select from ${table} x where x.${column} = t.id)`)
      .join(' and ')}`,
    counted: 'swept_accounts',
    // Each row asks every table that can name it.
    batch: 20,
    why: 'An account is kept until its buyer deletes it, which makes it anonymous at once; orders and the ledger keep its reference.',
  },
  {
    table: 'user_sessions',
    what: 'sessions of buyers that ran out',
    period: 'endedSessions',
    since: endOfSession(idleOf(buyerLifetimes)),
    why: 'Who ends a session removes it at once.',
  },
  {
    table: 'operator_sessions',
    what: 'sessions of operators that ran out',
    period: 'endedSessions',
    since: endOfSession(operatorsIdle),
    why: 'Who ends a session removes it at once.',
  },
  {
    table: 'one_time_links',
    what: 'links that were used or ran out',
    period: 'oneTimeLinks',
    since: 'least(t.expires_at, coalesce(t.used_at, t.expires_at))',
    why: 'The hash of the link, and the address that it went to.',
  },
  {
    table: 'failed_attempts',
    what: 'attempts at an account that failed',
    period: 'failedAttempts',
    since: 't.last_at',
    why: 'Shown to the person whose account it is.',
  },
  {
    table: 'known_networks',
    what: 'networks that an account logged in from',
    period: 'loginNetworks',
    since: 't.last_login_at',
    why: 'As keyed hashes, so that a login from elsewhere is told by mail and strangers’ failures lock nobody out.',
  },
  {
    table: 'user_devices',
    what: 'browsers that an account signed in from while rewards for bringing buyers were on',
    period: 'loginNetworks',
    since: 't.last_seen_at',
    why: 'As keyed hashes of a random value in a cookie, so that nobody is rewarded for bringing themselves.',
  },
  {
    table: 'nicknames_given_up',
    what: 'nicknames that their holders gave up',
    period: { hours: 720 },
    since: 't.given_up_at',
    why: 'As hashes, so that nobody is taken for who had the name before.',
  },
  {
    table: 'rate_limits',
    what: 'limits that have flowed back',
    period: { hours: 0 },
    since: 't.free_at',
    why: 'Keyed hashes.',
  },
  {
    table: 'attempt_strikes',
    what: 'counts of attempts in a row',
    period: { hours: 24 },
    since: 't.struck_at',
    why: 'Keyed hashes; forgotten after a day without an attempt.',
  },
  {
    table: 'passkey_challenges',
    what: 'challenges that nobody answered',
    period: { hours: 0 },
    since: 't.expires_at',
    why: 'An answer deletes its challenge.',
  },
  {
    table: 'delivery_challenges',
    what: 'texts that nobody signed',
    period: { hours: 0 },
    since: 't.expires_at',
    why: 'A signature deletes its text.',
  },
  {
    table: 'totp_secrets',
    kept: 'with its owner',
    why: 'Until the second factor is taken off or the account deleted.',
  },
  {
    table: 'recovery_codes',
    kept: 'with its owner',
    why: 'Until the second factor is taken off or the account deleted.',
  },
  { table: 'passkeys', kept: 'with its owner', why: 'Until it is removed or the account deleted.' },
  {
    table: 'user_notes',
    kept: 'with its owner',
    why: 'Append-only while the account lives; deleted with it.',
  },
  {
    table: 'delivery_addresses',
    kept: 'with its owner',
    why: 'Deleted with the account; what a round has published stays in its list.',
  },
  {
    table: 'referral_links',
    kept: 'with its owner',
    why: 'Deleted with the account, after which the link leads nowhere.',
  },
  {
    table: 'giveaway_entries',
    kept: 'with its owner',
    why: 'Deleted with the account before the list is published; afterwards only the country is emptied, because the draw needs the entry.',
  },
  {
    table: 'announcement_texts',
    kept: 'with its owner',
    why: 'What an announcement said before it was changed; gone with the announcement.',
  },
  {
    table: 'bookmarks',
    kept: 'with its owner',
    why: 'Until its buyer takes it away, or the account or the announcement is deleted.',
  },
  {
    table: 'push_devices',
    kept: 'with its owner',
    why: 'Until its session ends, its buyer removes it, its push service says that it is gone, or the account is deleted. Where it leads is sealed.',
  },
  {
    table: 'push_news',
    what: 'which browser was handed which announcement',
    period: { hours: 30 * 24 },
    since: 't.added_at',
    why: 'Keeps a notice from being made twice; an announcement is told within two days or never.',
  },
  { table: 'push_keys', kept: 'for ever', why: 'One row: the key that sends to browsers, sealed.' },
  {
    table: 'announcement_views',
    kept: 'with its owner',
    why: 'Counts by day, of nobody; gone with the announcement.',
  },
  {
    table: 'followers',
    what: 'addresses whose owner never confirmed that they follow by mail',
    period: { hours: 7 * 24 },
    since: 't.asked_at',
    where: 't.confirmed_at is null',
    why: 'A confirmed address stays until its owner leaves by the link of a mail, or deletes the account with that address.',
  },
  {
    table: 'announcement_mails',
    what: 'which follower got which announcement',
    period: { hours: 30 * 24 },
    since: 't.added_at',
    why: 'Keeps a mail from being sent twice; an announcement is mailed within two days or never.',
  },
  {
    table: 'comments',
    kept: 'with its owner',
    why: 'Until its author takes it back or the account or the announcement is deleted.',
  },
  {
    table: 'comment_reports',
    kept: 'with its owner',
    why: 'Gone with the comment, or with the account that reported it.',
  },
  {
    table: 'announcement_reactions',
    kept: 'with its owner',
    why: 'Gone with the announcement or with the row of the account.',
  },
]

const sale: readonly (Aging | Kept)[] = [
  {
    table: 'quotes',
    what: 'quotes that nobody used',
    period: 'unusedQuotes',
    since: 't.expires_at',
    // An address of its own may be paid at any time.
    where: 't.order_id is null and not t.watched',
    counted: 'swept_quotes',
    // Nearly all stay, with their orders.
    isReadOn: true,
    why: 'A quote of an order stays with it, and one with an address of its own, because that may still be paid.',
  },
  {
    table: 'framed_quotes',
    what: 'which frame on another site may follow the order of a quote',
    period: { hours: 30 * 24 },
    since: 't.told_at',
    why: 'The hash of a key that the frame made, kept where its buyer said that the site may be told; gone with the account.',
  },
  {
    table: 'orders',
    what: 'country and age declared with orders that ended unpaid, of buyers who never bought',
    period: 'declarations',
    since: 't.updated_at',
    where: `t.declarations ?| array['country', 'ageConfirmed', 'minimumAge']
      and t.status <> 'approved' and not t.held and (t.status = 'rejected' or t.detail in ('expired', 'cancelled'))
      and not exists (select from payments x where x.order_id = t.id)
      and not exists (select from refunds x where x.order_id = t.id)
      and not exists (select from orders x where x.user_id = t.user_id and x.approvals > 0)`,
    set: `declarations = t.declarations - array['country', 'ageConfirmed', 'minimumAge']`,
    why: 'The order itself stays, with the versions of the texts that a late payment would be held to.',
  },
  {
    table: 'order_events',
    kept: 'for ever',
    why: 'What happened to an order and who did it: the ledger is read with it.',
  },
  { table: 'payments', kept: 'for ever', why: 'What orders, refunds and the ledger stand on.' },
  { table: 'refunds', kept: 'for ever', why: 'Money owed and paid back.' },
  { table: 'refund_files', kept: 'for ever', why: 'What was signed to pay refunds.' },
  { table: 'refund_file_lines', kept: 'for ever', why: 'Which refunds a file pays.' },
  { table: 'refund_transfers', kept: 'for ever', why: 'What else reached the address of a refund.' },
  { table: 'postings', kept: 'for ever', why: 'The ledger, append-only.' },
  { table: 'entries', kept: 'for ever', why: 'The ledger, append-only.' },
  { table: 'holdings', kept: 'for ever', why: 'The sums of the ledger by buyer.' },
  { table: 'referrals', kept: 'for ever', why: 'What rewards for bringing buyers stand on, append-only.' },
  { table: 'referral_decisions', kept: 'for ever', why: 'What became of friends’ orders, append-only.' },
  { table: 'referrals_found', kept: 'for ever', why: 'Why rewards were taken back later, append-only.' },
  { table: 'referrals_kept', kept: 'for ever', why: 'Rewards that could not be taken back, append-only.' },
  { table: 'sale_totals', kept: 'for ever', why: 'The sums of the ledger by day.' },
  { table: 'received_totals', kept: 'for ever', why: 'The sums of approved orders by currency.' },
  { table: 'stage_capacity', kept: 'for ever', why: 'What is left to sell.' },
  { table: 'campaign_capacity', kept: 'for ever', why: 'What is left to sell.' },
  { table: 'capacity_slots', kept: 'for ever', why: 'What is left to sell.' },
  { table: 'campaign', kept: 'for ever', why: 'The settings of the sale.' },
  { table: 'stages', kept: 'for ever', why: 'Orders count for their stage.' },
  { table: 'price_changes', kept: 'for ever', why: 'Public history.' },
  { table: 'journal_logs', kept: 'for ever', why: 'The public journal’s names and keys.' },
  { table: 'journal_sources', kept: 'for ever', why: 'How far the public journal is written.' },
  { table: 'journal_facts', kept: 'for ever', why: 'What the public journal says, append-only.' },
  { table: 'journal_entries', kept: 'for ever', why: 'The public journal, append-only.' },
  { table: 'journal_tiles', kept: 'for ever', why: 'The public journal’s tree.' },
  {
    table: 'journal_checkpoints',
    kept: 'for ever',
    why: 'What the public journal was signed as, append-only.',
  },
  { table: 'journal_cosignatures', kept: 'for ever', why: 'What others signed under the public journal.' },
  { table: 'witness_keys', kept: 'for ever', why: 'The key under which the logs of others are cosigned.' },
  { table: 'witnessed_logs', kept: 'for ever', why: 'What was cosigned last of the logs of others.' },
  { table: 'campaign_changes', kept: 'for ever', why: 'Public history.' },
  { table: 'legal_texts', kept: 'for ever', why: 'Orders name the version that their buyer accepted.' },
  { table: 'currencies', kept: 'for ever', why: 'Orders name them; one without an order can be removed.' },
  {
    table: 'currency_rates',
    kept: 'for ever',
    why: 'The rate of each order, and of each late payment, is traced to it.',
  },
  {
    table: 'rate_sources',
    kept: 'while it serves',
    why: 'Until an operator replaces or removes the source. Its address is sealed.',
  },
  {
    table: 'rate_sources_left_out',
    kept: 'while it serves',
    why: 'Until an operator has the source asked again.',
  },
  { table: 'rate_readings', kept: 'for ever', why: 'What the sources said behind a rate; nobody’s data.' },
  { table: 'wallets', kept: 'for ever', why: 'Account public keys: what was paid to them is found by them.' },
  {
    table: 'wallet_addresses',
    kept: 'for ever',
    why: 'An address is given once and may be paid at any time.',
  },
  {
    table: 'wallet_announcements',
    kept: 'for ever',
    why: 'Which addresses the journal announced; nobody’s data.',
  },
  { table: 'wallet_tiles', kept: 'for ever', why: 'Proves that an address was announced; hashes alone.' },
  { table: 'own_coins', kept: 'for ever', why: 'Change of the sale’s own wallets; no buyer’s.' },
  { table: 'chains', kept: 'for ever', why: 'Where each chain is followed from.' },
  {
    table: 'chain_nodes',
    kept: 'while it serves',
    why: 'Until an operator replaces or removes the node. Its address is sealed.',
  },
  { table: 'chain_blocks', kept: 'while it serves', why: 'The last blocks; the watcher removes older ones.' },
  { table: 'delivery_rounds', kept: 'for ever', why: 'Published.' },
  {
    table: 'delivery_round_notices',
    kept: 'for ever',
    why: 'Proves that who lacked an address was told before the freeze.',
  },
  { table: 'delivery_round_rows', kept: 'for ever', why: 'Published, append-only.' },
  {
    table: 'giveaways',
    kept: 'for ever',
    why: 'Drafts until an operator deletes them; published rules never change.',
  },
  { table: 'giveaway_lists', kept: 'for ever', why: 'Published, append-only: entries as commitments.' },
  { table: 'giveaway_draws', kept: 'for ever', why: 'Published, append-only.' },
  {
    table: 'giveaway_winners',
    kept: 'for ever',
    why: 'Published with masked addresses: whether each prize was handed over.',
  },
  { table: 'delivery_round_files', kept: 'for ever', why: 'Published, append-only.' },
  { table: 'delivery_distributors', kept: 'for ever', why: 'Published, append-only.' },
  {
    table: 'escrows',
    kept: 'for ever',
    why: 'What buyers were promised of where their money lies, append-only.',
  },
  { table: 'escrow_plans', kept: 'for ever', why: 'The terms that each escrow was made with.' },
  { table: 'quote_keys', kept: 'for ever', why: 'Which key signed what; each is sealed.' },
  {
    table: 'escrow_signatures',
    kept: 'for ever',
    why: 'What was signed of an order, so that nothing else is ever signed of it; append-only.',
  },
  { table: 'escrow_looks', kept: 'for ever', why: 'One row an escrow.' },
  { table: 'delivery_looks', kept: 'for ever', why: 'One row a live round, published.' },
  {
    table: 'holding_trees',
    kept: 'for ever',
    why: 'One row a day: the root that the journal says of what buyers hold.',
  },
  {
    table: 'holding_leaves',
    kept: 'while it serves',
    why: 'Those of the newest three trees, so that buyers can find their own; older ones go as a new tree is made.',
  },
  { table: 'holding_tiles', kept: 'while it serves', why: 'As the leaves: hashes and sums.' },
  { table: 'holding_looks', kept: 'for ever', why: 'One row a coin or token of a chain, published.' },
  {
    table: 'ledger_checks',
    kept: 'for ever',
    why: 'One row: what the rules of the ledger said last, published.',
  },
]

const house: readonly (Aging | Kept)[] = [
  {
    table: 'idempotency_keys',
    what: 'keys of repeatable requests with their answers',
    period: { hours: 24 },
    since: 't.started_at',
    why: 'For so long a repeat answers what the first request answered.',
  },
  {
    table: 'approval_requests',
    what: 'acts that a second operator decided, or that ended',
    period: 'decidedActs',
    // What nobody decided ended with its time, and is not written again for that.
    since: 'coalesce(t.decided_at, t.expires_at)',
    why: 'What was done stands in the audit log, with both names.',
  },
  {
    table: 'webhook_deliveries',
    what: 'messages to webhooks that were sent or failed for good',
    period: 'webhookDeliveries',
    since: 'greatest(t.created_at, t.next_attempt_at, t.delivered_at)',
    // One that is still to be sent is no old one, however long no server ran.
    where: `not (t.state = 'pending' and exists (select from graphile_worker._private_jobs x
      where x.key = 'webhook-delivery:' || t.id and (x.attempts < x.max_attempts or x.locked_at is not null)))`,
    why: 'They name orders and amounts.',
  },
  {
    table: 'events',
    what: 'what webhooks were told, under its numbers',
    period: 'webhookDeliveries',
    since: 't.created_at',
    why: 'They name orders and amounts. Who asks for one that is gone is told so.',
  },
  {
    table: 'graphile_worker._private_jobs',
    what: 'mails and other jobs that failed for good',
    period: 'failedJobs',
    since: 't.updated_at',
    where: 't.attempts >= t.max_attempts and t.locked_at is null',
    why: 'A job that is done is gone at once. What a mail says is sealed.',
  },
  {
    table: 'mail_deliveries',
    what: 'how the delivery of a mail went',
    period: 'failedJobs',
    since: 't.last_tried_at',
    why: 'Operators see what did not arrive, and why. The address is masked.',
  },
  {
    table: 'uploads',
    what: 'files that nothing names',
    period: 'unusedUploads',
    since: 't.created_at',
    where: `not exists (select from announcements x where x.image_id = t.id)
      and not exists (select from documents x where x.upload_id = t.id)
      and not exists (select from document_versions x where x.upload_id = t.id)
      and not exists (select from giveaways x cross join jsonb_array_elements(x.rules -> 'prizes') p where p #>> '{image,name}' = t.name)
      and not exists (select from campaign x where x.settings #>> '{brand,logoUploadId}' = t.name)`,
    why: 'Published files stay until an operator removes what names them.',
  },
  {
    table: 'operator_channels',
    kept: 'while it serves',
    why: 'Until its operator removes it. Where it leads is sealed.',
  },
  { table: 'mail_texts', kept: 'for ever', why: 'Versions of what buyers were written.' },
  { table: 'operators', kept: 'for ever', why: 'The audit log and the ledger name them.' },
  {
    table: 'audit_log',
    kept: 'for ever',
    why: 'Append-only: who changed and who read what, as references; a deleted account’s reference leads to nobody.',
  },
  { table: 'api_keys', kept: 'for ever', why: 'The audit log names them; of the key itself a hash.' },
  { table: 'event_counter', kept: 'for ever', why: 'One number: no event gets one that another had.' },
  { table: 'webhooks', kept: 'while it serves', why: 'Until an operator removes it, its messages with it.' },
  { table: 'analytics_keys', kept: 'while it serves', why: 'Until an operator removes it.' },
  { table: 'announcements', kept: 'while it serves', why: 'Until an operator removes it.' },
  { table: 'documents', kept: 'while it serves', why: 'Until an operator removes it.' },
  {
    table: 'document_versions',
    kept: 'while it serves',
    why: 'What was published stays reachable until an operator removes the document.',
  },
  { table: 'outbox', kept: 'while it serves', why: 'Told and removed within seconds.' },
  { table: 'day_counts', kept: 'for ever', why: 'Counts by day, of nobody.' },
  { table: 'backup_drills', kept: 'for ever', why: 'When a backup was last proved.' },
  { table: 'retention_runs', kept: 'for ever', why: 'One row a table of this list.' },
  { table: 'schema_migrations', kept: 'for ever', why: 'What the tables are.' },
  { table: 'schema_functions', kept: 'for ever', why: 'Which functions are in force.' },
  { table: 'graphile_worker._private_job_queues', kept: 'while it serves', why: 'The job queue’s own.' },
  { table: 'graphile_worker._private_known_crontabs', kept: 'while it serves', why: 'The job queue’s own.' },
  { table: 'graphile_worker._private_tasks', kept: 'while it serves', why: 'The job queue’s own.' },
  { table: 'graphile_worker.migrations', kept: 'for ever', why: 'The job queue’s own.' },
]

/** Every table of the database, and how long what is in it is kept. The job, the settings and the pages that show them read it here. */
export const tables: readonly (Aging | Kept)[] = [...buyers, ...sale, ...house]

export const isAging = (row: Aging | Kept): row is Aging => 'period' in row

// Rules: RIGHT-29
export const agingTables = tables.filter(isAging)
