import type { LocalText } from '../../shared/campaign-settings.ts'
import { localPath, pickText } from '../../shared/languages.ts'
import { plainText } from '../../shared/plain-markup.ts'
import { type Database, sql } from '../database/database.ts'
import type { Language, Mail } from './mail-kinds.ts'
import { NoMailServer } from './parked-mails.ts'

// Rules: TEXT-10
export interface AnnouncementMail {
  readonly announcementId: string
  readonly followerId: string
}

interface Row {
  readonly email: string
  readonly language: Language
  readonly leave_key: string
  readonly title: LocalText
  readonly body: LocalText
}

const BEGINNING_MAX = 500

/**
 * Marks the mail as sent. Undefined if it was started before, the follower has left, or the announcement is
 * gone. A crash between here and the mail server loses the mail: never twice matters more than once.
 */
export async function beginAnnouncementMail(
  db: Database,
  { announcementId, followerId }: AnnouncementMail,
  publicUrl: string,
): Promise<(Mail & { kind: 'announcement' }) | undefined> {
  const row = await db.maybeOne<Row>(
    sql`update announcement_mails m set begun_at = clock_timestamp() from followers f, announcements a
         where m.announcement_id = ${announcementId} and m.follower_id = ${followerId} and m.begun_at is null
           and f.id = m.follower_id and a.id = m.announcement_id and a.published_at <= now()
           and exists (select from campaign where (settings ->> 'followers')::boolean)
        returning f.email, f.language, f.leave_key, a.title, a.body`,
  )
  if (!row) return undefined
  const { email: to, language } = row
  const pick = (text: LocalText) => pickText(text, language).text.trim()
  const at = (path: string) => publicUrl + localPath(language, path)
  return {
    kind: 'announcement',
    to,
    language,
    title: pick(row.title),
    beginning: beginningOf(plainText(pick(row.body))),
    link: at(`/updates/${announcementId}`),
    leaveLink: at(`/updates/leave/${row.leave_key}`),
  }
}

/** Allows a retry of a mail that surely was not sent. */
export async function takeBackAnnouncementMail(
  db: Database,
  { announcementId, followerId }: AnnouncementMail,
): Promise<void> {
  await db.query(
    sql`update announcement_mails set begun_at = null where announcement_id = ${announcementId} and follower_id = ${followerId}`,
  )
}

/** The server rejected the mail or was never reached. A broken connection proves neither. */
export function surelyNotSent(error: unknown): boolean {
  if (error instanceof NoMailServer) return true
  const { responseCode, code, syscall, timeoutType } = (error ?? {}) as Record<string, unknown>
  return (
    typeof responseCode === 'number' ||
    ['EDNS', 'EAUTH', 'ETLS', 'EENVELOPE'].includes(String(code)) ||
    ['connect', 'getaddrinfo', 'open', 'mkdir'].includes(String(syscall)) ||
    ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'].includes(String(timeoutType))
  )
}

function beginningOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= BEGINNING_MAX ? line : `${line.slice(0, BEGINNING_MAX - 1).replace(/\s\S*$/, '')}…`
}
