import { fragment } from './database/database.ts'

/**
 * Whether an announcement `a` is told to those who follow, by mail or by notice. Neither can be taken back, so it stands on the site for five
 * minutes first; an older one is no news: it stays untold after a long stop, or where it was dated back.
 */
export const isNews = fragment`a.published_at between now() - interval '48 hours' and now() - interval '5 minutes'`
