import { fragment } from './database/database.ts'

/**
 * SQL condition: announcement `a` is sent to followers. It must have been public for five minutes, because
 * mails and push messages cannot be recalled. After 48 hours it is too old, for example after a long stop.
 */
export const isNews = fragment`a.published_at between now() - interval '48 hours' and now() - interval '5 minutes'`
