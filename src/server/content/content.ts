import type { Upload } from '../../shared/api/content.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import { type Announcements, createAnnouncements, type Editor } from './announcements.ts'
import { createDocuments, type Documents } from './documents.ts'
import { createLegalTexts, type LegalTexts } from './legal-texts.ts'
import { findUpload, readUpload, removeUnusedUploads, type StoredUpload, storeUpload } from './uploads.ts'

export type { Editor } from './announcements.ts'
export { atomFeed } from './atom-feed.ts'

/** What operators publish: announcements, documents, legal texts, and the files behind them. */
export interface Content {
  readonly announcements: Announcements
  readonly documents: Documents
  readonly legal: LegalTexts
  readonly uploads: {
    /** Stores a PDF as it is or an image re-encoded; refuses what is neither by its bytes. */
    store(bytes: Buffer, editor: Editor): Promise<Upload>
    find(name: string): Promise<StoredUpload | undefined>
    read(file: StoredUpload, from?: number): AsyncGenerator<Buffer>
    /** For a job: deletes files that nothing has named for a day. */
    removeUnused(hours?: number): Promise<number>
  }
}

/** `hintOutbox` is told after each commit that left something in the outbox. */
export function createContent({ db, hintOutbox }: { db: Database; hintOutbox: () => void }): Content {
  return {
    announcements: createAnnouncements(db),
    documents: createDocuments(db),
    legal: createLegalTexts(db, hintOutbox),
    uploads: {
      async store(bytes, editor) {
        const { id: _, ...file } = await db.transaction(async (tx) => {
          const stored = await storeUpload(tx, bytes, editor.operatorId)
          await recordAudit(tx, {
            operatorId: editor.operatorId,
            action: 'upload.add',
            subjectType: 'upload',
            subjectId: stored.name,
            after: { mediaType: stored.mediaType, sizeBytes: stored.sizeBytes, sha256: stored.sha256 },
            requestId: editor.requestId ?? null,
          })
          return stored
        })
        return file
      },
      find: (name) => findUpload(db, name),
      read: (file, from) => readUpload(db, file, from),
      removeUnused: (hours) => removeUnusedUploads(db, hours),
    },
  }
}
