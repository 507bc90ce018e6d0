import { z } from 'zod'
import { localText } from '../campaign-settings.ts'
import { instant, numberInPath, route } from './route.ts'

/** What a signed-in buyer may answer an announcement with: one of each kind. */
export const reactionKinds = ['heart', 'fire', 'laugh', 'wow'] as const
export type ReactionKind = (typeof reactionKinds)[number]

/** Bytes, as the server enforces them; the forms check the same. */
export const imageBytesMax = 5 * 1024 * 1024
export const documentBytesMax = 20 * 1024 * 1024
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export const documentTypes = ['application/pdf'] as const

/** A stored file. `url` is `/uploads/{name}`; names are random. */
export const upload = z.object({
  name: z.string(),
  url: z.string(),
  mediaType: z.enum([...imageTypes, ...documentTypes]),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  /** Pixels, of images. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})
export type Upload = z.infer<typeof upload>

export const announcementImage = z.object({
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  alt: localText,
})

export const announcement = z.object({
  id: z.number().int(),
  title: localText,
  /** Plain text with the markup of `src/shared/plain-markup.ts`. */
  body: localText,
  image: announcementImage.nullable(),
  pinned: z.boolean(),
  publishedAt: instant,
  /** When its text was last changed after publication; null if never. */
  editedAt: instant.nullable(),
  reactions: z.record(z.enum(reactionKinds), z.number().int()),
  /** Kinds with which the buyer who asks has reacted; empty for a visitor. */
  ownReactions: z.array(z.enum(reactionKinds)),
})
export type Announcement = z.infer<typeof announcement>

export const publicDocument = z.object({
  id: z.number().int(),
  title: localText,
  fileName: z.string(),
  url: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  publishedAt: instant,
})
export type PublicDocument = z.infer<typeof publicDocument>

export const legalKinds = ['terms', 'risks', 'privacy'] as const
export type LegalKind = (typeof legalKinds)[number]

/** Version 0 has no text: nothing is published yet. */
export const legalText = z.object({
  kind: z.enum(legalKinds),
  version: z.number().int(),
  body: localText,
  publishedAt: instant.nullable(),
  latestVersion: z.number().int(),
})
export type LegalText = z.infer<typeof legalText>

const byId = z.object({ id: numberInPath })
const byReaction = byId.extend({ kind: z.enum(reactionKinds) })
const reactionsReply = announcement.pick({ id: true, reactions: true, ownReactions: true })

export const contentRoutes = {
  announcements: route({
    method: 'GET',
    path: '/announcements',
    summary: 'Published announcements, newest first; the pinned one comes apart, with the first page.',
    audience: 'visitor',
    query: z.object({
      after: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(10),
    }),
    reply: z.object({
      pinned: announcement.nullable(),
      items: z.array(announcement),
      next: z.string().nullable(),
    }),
  }),
  announcement: route({
    method: 'GET',
    path: '/announcements/:id',
    summary: 'One published announcement, for a shared link.',
    audience: 'visitor',
    params: byId,
    reply: announcement,
    errors: ['not_found'],
  }),
  react: route({
    method: 'PUT',
    path: '/announcements/:id/reactions/:kind',
    summary: 'Reacts, once per buyer and kind; a repeat changes nothing.',
    audience: 'buyer',
    params: byReaction,
    reply: reactionsReply,
    errors: ['not_found'],
  }),
  unreact: route({
    method: 'DELETE',
    path: '/announcements/:id/reactions/:kind',
    summary: 'Takes the buyer’s reaction back.',
    audience: 'buyer',
    params: byReaction,
    reply: reactionsReply,
    errors: ['not_found'],
  }),
  documents: route({
    method: 'GET',
    path: '/documents',
    summary: 'Documents that the operator published, newest first.',
    audience: 'visitor',
    reply: z.object({ items: z.array(publicDocument) }),
  }),
  legal: route({
    method: 'GET',
    path: '/legal/:kind',
    summary: 'A legal text: the version in force, or an older one.',
    audience: 'visitor',
    params: z.object({ kind: z.enum(legalKinds) }),
    query: z.object({ version: z.coerce.number().int().positive().max(1_000_000).optional() }),
    reply: legalText,
    errors: ['not_found'],
  }),
} as const

/** Where a file is sent: `POST` with the file itself as the body and its media type as `Content-Type`. */
export const uploadPath = '/operator/uploads'
/** Atom feed of the announcements, outside `/api/v1`. */
export const feedPath = '/updates.xml'

const shortText = z.object({
  en: z.string().trim().max(200).default(''),
  ru: z.string().trim().max(200).default(''),
})

export const announcementInput = z.object({
  title: shortText,
  body: localText,
  image: z.object({ name: z.string().max(100), alt: shortText }).nullable(),
  pinned: z.boolean(),
  /** In the future: it appears then. Null: a draft. */
  publishedAt: z.iso.datetime().nullable(),
})
export type AnnouncementInput = z.input<typeof announcementInput>

export const operatorAnnouncement = announcement.omit({ ownReactions: true }).extend({
  publishedAt: instant.nullable(),
  imageName: z.string().nullable(),
  state: z.enum(['draft', 'scheduled', 'published']),
  createdAt: instant,
  updatedAt: instant,
  author: z.string().nullable(),
  revision: z.number().int(),
})
export type OperatorAnnouncement = z.infer<typeof operatorAnnouncement>

export const documentInput = z.object({
  title: shortText,
  uploadName: z.string().max(100),
  fileName: z.string().trim().min(1).max(120),
})

export const operatorContentRoutes = {
  announcements: route({
    method: 'GET',
    path: '/operator/announcements',
    summary: 'Every announcement, drafts and scheduled ones included, newest first.',
    audience: { operator: 'content:write' },
    query: z.object({
      after: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ items: z.array(operatorAnnouncement), next: z.string().nullable() }),
  }),
  announcement: route({
    method: 'GET',
    path: '/operator/announcements/:id',
    summary: 'One announcement for its form.',
    audience: { operator: 'content:write' },
    params: byId,
    reply: operatorAnnouncement,
    errors: ['not_found'],
  }),
  addAnnouncement: route({
    method: 'POST',
    path: '/operator/announcements',
    summary: 'Adds an announcement; pinning it unpins the one that was.',
    audience: { operator: 'content:write' },
    body: announcementInput,
    reply: operatorAnnouncement,
    errors: ['text_required', 'upload_unknown'],
    idempotent: true,
  }),
  updateAnnouncement: route({
    method: 'PUT',
    path: '/operator/announcements/:id',
    summary: 'Changes an announcement if nobody changed it since `revision`.',
    audience: { operator: 'content:write' },
    params: byId,
    body: announcementInput.extend({ revision: z.number().int() }),
    reply: operatorAnnouncement,
    errors: ['not_found', 'conflict', 'text_required', 'upload_unknown'],
  }),
  removeAnnouncement: route({
    method: 'DELETE',
    path: '/operator/announcements/:id',
    summary: 'Deletes an announcement with its reactions.',
    audience: { operator: 'content:write' },
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  }),
  addDocument: route({
    method: 'POST',
    path: '/operator/documents',
    summary: 'Publishes an uploaded PDF.',
    audience: { operator: 'content:write' },
    body: documentInput,
    reply: publicDocument,
    errors: ['text_required', 'upload_unknown', 'upload_type_refused'],
  }),
  removeDocument: route({
    method: 'DELETE',
    path: '/operator/documents/:id',
    summary: 'Takes a document and its file away.',
    audience: { operator: 'content:write' },
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  }),
  legalVersions: route({
    method: 'GET',
    path: '/operator/legal/:kind',
    summary: 'Every version of a legal text, newest first.',
    audience: { operator: 'any' },
    params: z.object({ kind: z.enum(legalKinds) }),
    reply: z.object({
      items: z.array(
        z.object({
          version: z.number().int(),
          body: localText,
          publishedAt: instant,
          operator: z.string().nullable(),
          /** Orders whose buyer accepted this version; null for the privacy policy, which nobody accepts. */
          acceptedByOrders: z.number().int().nullable(),
        }),
      ),
    }),
  }),
  publishLegal: route({
    method: 'POST',
    path: '/operator/legal/:kind',
    summary:
      'Publishes the next version if `basedOn` is still the version in force. Orders from then on accept it.',
    audience: { operator: 'content:write' },
    params: z.object({ kind: z.enum(legalKinds) }),
    body: z.object({ basedOn: z.number().int().min(0), body: localText }),
    reply: legalText,
    errors: ['conflict', 'text_required'],
  }),
  uploadFile: route({
    method: 'POST',
    path: uploadPath,
    summary: 'Stores a PDF up to 20 MB or an image up to 5 MB (the file is the body); images are re-encoded.',
    audience: { operator: 'content:write' },
    reply: upload,
    errors: ['too_large', 'upload_type_refused', 'upload_unreadable'],
  }),
} as const
