import { statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { AccountNeeds } from './needs.ts'
import { type Caller, requireRecent } from './profile.ts'

/** A row as JSON with its numbers as the strings that they are on the wire: no reader may round an amount. */
const asText = (row: string, ...without: string[]) =>
  `(select jsonb_object_agg(key, case jsonb_typeof(value) when 'number' then to_jsonb(value #>> '{}') else value end)
    from jsonb_each(to_jsonb(${row})${without.map((column) => ` - '${column}'`).join('')}))`
const listOf = (item: string, order: string, from: string) =>
  `(select coalesce(jsonb_agg(${item} order by ${order}), '[]') from ${from})`

const exported = statement(
  'accounts_export',
  `select jsonb_build_object(
     'exportedAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
     'account', (select ${asText('u', 'id', 'password_hash', 'email_key')} from users u where u.id = $1),
     'sessions', ${listOf(asText('s', 'token_hash', 'user_id'), 's.created_at', 'user_sessions s where s.user_id = $1')},
     'passkeys', ${listOf(asText('p', 'public_key', 'user_id', 'operator_id'), 'p.created_at', 'passkeys p where p.user_id = $1')},
     'hasAuthenticatorApp', exists (select from totp_secrets t where t.user_id = $1 and t.confirmed_at is not null),
     'holdings', (select ${asText('h', 'user_id')} from holdings h where h.user_id = $1),
     'operatorNotes', ${listOf(asText('n', 'id', 'user_id', 'operator_id'), 'n.id', 'user_notes n where n.user_id = $1')},
     'orders', ${listOf(asText('o', 'user_id', 'request_hash', 'idempotency_key'), 'o.id', 'orders o where o.user_id = $1')},
     'ledgerEntries', ${listOf(asText('e', 'user_id'), 'e.id', 'entries e where e.user_id = $1')}
   )::text as data`,
)
const lockForDeletion = statement(
  'accounts_lock_for_deletion',
  'select id from users where id = $1 and deleted_at is null for update',
)
/** What stands in the way: money under way, money owed, and tokens that would be given up. */
const openBusiness = statement(
  'accounts_open_business',
  `select
     (select count(*) from orders where user_id = $1
       and (held or status = 'pending' and detail not in ('expired', 'cancelled') or detail in ('refund_due', 'overpaid')))::int as orders,
     coalesce((select purchased_tokens + bonus_tokens + granted_tokens - claimed_tokens from holdings where user_id = $1), 0)::text
       as undelivered_tokens,
     coalesce((select purchased_tokens + bonus_tokens + granted_tokens > claimed_tokens from holdings where user_id = $1), false)
       as is_owed_tokens`,
)
const endQuotes = statement(
  'accounts_end_quotes',
  'update quotes set expires_at = clock_timestamp() where user_id = $1 and order_id is null and expires_at > clock_timestamp()',
)
const anonymise = statement(
  'accounts_anonymise',
  `update users set email = null, email_key = null, name = '', phone = null, password_hash = null, nickname = null,
     shows_on_leaderboard = false, confirmed_at = null, deleted_at = now()
   where id = $1`,
)
/** After the account is anonymous: the notes of one that is not stay. */
const forgetNotes = statement('accounts_forget_notes', 'delete from user_notes where user_id = $1')
const forgetPlaces = statement('accounts_forget_links', 'delete from one_time_links where user_id = $1')

/** Everything that the database holds about a buyer, as JSON text. Refuses `too_many_requests`. */
export async function exportOwnData(needs: AccountNeeds, userId: string): Promise<string> {
  await needs.limits.take('export_account', userId)
  const row = await needs.database.one<{ data: string }>(exported, [userId])
  return row.data
}

/**
 * Makes the account anonymous: orders and ledger entries stay under its public reference. Refuses `step_up_required` or
 * `password_wrong`, then `account_has_pending` while an order is open or money is owed, or while tokens are to be
 * delivered and `givesUpTokens` is not said.
 */
export async function deleteAccount(
  needs: AccountNeeds,
  caller: Caller,
  input: { currentPassword?: string | undefined; givesUpTokens?: boolean | undefined },
): Promise<void> {
  await requireRecent(needs, caller, input.currentPassword)
  const holder = { kind: 'user', id: caller.userId } as const
  await needs.database.transaction(async (tx) => {
    // Waits for orders that are being made (they hold the row by their reference) and keeps new ones out.
    if ((await tx.query(lockForDeletion, [caller.userId])).length === 0) refuse('session_ended')
    const open = await tx.one<{ orders: number; undelivered_tokens: string; is_owed_tokens: boolean }>(
      openBusiness,
      [caller.userId],
    )
    if (open.orders > 0 || (open.is_owed_tokens && !input.givesUpTokens)) {
      refuse('account_has_pending', { orders: open.orders, undeliveredTokens: open.undelivered_tokens })
    }
    await tx.query(endQuotes, [caller.userId])
    await needs.sessions.endOthers(tx, caller.userId, null)
    await needs.secondFactors.removeAll(tx, holder)
    await tx.query(forgetPlaces, [caller.userId])
    await tx.query(anonymise, [caller.userId])
    await tx.query(forgetNotes, [caller.userId])
  })
}
