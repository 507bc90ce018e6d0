import type { z } from 'zod'
import type { announcementInput } from './content-inputs.ts'
import type {
  announcement,
  contentSchemas,
  legalText,
  operatorAnnouncement,
  operatorContentSchemas,
  publicDocument,
  upload,
} from './content-schemas.ts'
import { executes, routes } from './route.ts'

/** A buyer may give one of each kind. */
export const reactionKinds = ['heart', 'fire', 'laugh', 'wow'] as const
export type ReactionKind = (typeof reactionKinds)[number]

/** Sizes in bytes. */
export const imageBytesMax = 5 * 1024 * 1024
export const documentBytesMax = 20 * 1024 * 1024
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export const documentTypes = ['application/pdf'] as const
export type Upload = z.infer<typeof upload>
export type Announcement = z.infer<typeof announcement>
export type PublicDocument = z.infer<typeof publicDocument>

export const legalKinds = ['terms', 'risks', 'privacy'] as const
export type LegalKind = (typeof legalKinds)[number]
export type LegalText = z.infer<typeof legalText>

export const contentRoutes = routes<typeof contentSchemas>()({
  announcements: { method: 'GET', path: '/announcements', audience: 'visitor' },
  announcement: { method: 'GET', path: '/announcements/:id', audience: 'visitor' },
  react: { method: 'PUT', path: '/announcements/:id/reactions/:kind', audience: 'buyer' },
  unreact: { method: 'DELETE', path: '/announcements/:id/reactions/:kind', audience: 'buyer' },
  keep: { method: 'PUT', path: '/announcements/:id/bookmark', audience: 'buyer' },
  unkeep: { method: 'DELETE', path: '/announcements/:id/bookmark', audience: 'buyer' },
  documents: { method: 'GET', path: '/documents', audience: 'visitor' },
  legal: { method: 'GET', path: '/legal/:kind', audience: 'visitor' },
})

/** `POST` with the file as the body and its media type. */
export const uploadPath = '/operator/uploads'
export const searchedMax = 100
/** The feed is outside `/api/v1`. */
export const feedPath = '/updates.xml'
export type AnnouncementInput = z.infer<typeof announcementInput>
export type OperatorAnnouncement = z.infer<typeof operatorAnnouncement>

export const operatorContentRoutes = routes<typeof operatorContentSchemas>()({
  announcements: { method: 'GET', path: '/operator/announcements', audience: { operator: 'content:write' } },
  announcement: {
    method: 'GET',
    path: '/operator/announcements/:id',
    audience: { operator: 'content:write' },
  },
  addAnnouncement: {
    method: 'POST',
    path: '/operator/announcements',
    ...executes('announcement.add'),
    idempotent: true,
  },
  updateAnnouncement: {
    method: 'PUT',
    path: '/operator/announcements/:id',
    ...executes('announcement.update'),
  },
  removeAnnouncement: {
    method: 'DELETE',
    path: '/operator/announcements/:id',
    ...executes('announcement.remove'),
  },
  addDocument: { method: 'POST', path: '/operator/documents', ...executes('document.add') },
  updateDocument: { method: 'PUT', path: '/operator/documents/:id', ...executes('document.update') },
  moveDocument: { method: 'POST', path: '/operator/documents/:id/move', ...executes('document.move') },
  replaceDocument: {
    method: 'POST',
    path: '/operator/documents/:id/versions',
    ...executes('document.replace'),
  },
  removeDocument: { method: 'DELETE', path: '/operator/documents/:id', ...executes('document.remove') },
  legalVersions: { method: 'GET', path: '/operator/legal/:kind', audience: { operator: 'any' } },
  legalDraft: { method: 'GET', path: '/operator/legal/:kind/draft', audience: { operator: 'any' } },
  publishLegal: { method: 'POST', path: '/operator/legal/:kind', ...executes('legal.publish') },
  uploadFile: { method: 'POST', path: uploadPath, ...executes('upload.add') },
})
