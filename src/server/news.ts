import { fragment } from './database/database.ts'

/**
 * Announcement `a` is sent to followers. Public for five minutes, because mails and push messages cannot be
 * recalled; too old after 48 hours.
 */
export const isNews = fragment`a.published_at between now() - interval '48 hours' and now() - interval '5 minutes'`
