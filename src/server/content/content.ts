import type { Database } from '../database/database.ts'
import { announcementActions } from './announcement-actions.ts'
import { Announcements } from './announcements.ts'
import { documentActions } from './document-actions.ts'
import { Documents } from './documents.ts'
import { legalActions } from './legal-actions.ts'
import { LegalTexts } from './legal-texts.ts'
import { uploadActions } from './upload-actions.ts'
import { Uploads } from './uploads.ts'

export { atomFeed } from './atom-feed.ts'
export { draftLegalText } from './legal-drafts.ts'
export { encodeUpload } from './uploads.ts'

export class Content {
  readonly actions = { ...announcementActions, ...documentActions, ...legalActions, ...uploadActions }
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
