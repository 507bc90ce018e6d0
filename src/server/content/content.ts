import type { Database } from '../database/database.ts'
import { announcementActs } from './announcement-acts.ts'
import { Announcements } from './announcements.ts'
import { documentActs } from './document-acts.ts'
import { Documents } from './documents.ts'
import { legalActs } from './legal-acts.ts'
import { LegalTexts } from './legal-texts.ts'
import { uploadActs } from './upload-acts.ts'
import { Uploads } from './uploads.ts'

export { atomFeed } from './atom-feed.ts'
export { draftLegalText } from './legal-drafts.ts'
export { encodeUpload } from './uploads.ts'

/** What operators publish: announcements, documents, legal texts, and the files behind them. */
export class Content {
  /** What operators can change of all of it. */
  readonly acts = { ...announcementActs, ...documentActs, ...legalActs, ...uploadActs }
  readonly announcements: Announcements
  readonly documents: Documents
  readonly legal: LegalTexts
  readonly uploads: Uploads

  constructor({ db }: { readonly db: Database }) {
    this.announcements = new Announcements({ db })
    this.documents = new Documents({ db })
    this.legal = new LegalTexts({ db })
    this.uploads = new Uploads({ db })
  }
}
