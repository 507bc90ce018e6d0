import { z } from 'zod'
import { localText } from '../campaign-settings-inputs.ts'
import { leavesNothingOut } from '../left-out-inputs.ts'
import {
  contentRoutes,
  documentBytesMax,
  documentTypes,
  imageTypes,
  legalKinds,
  operatorContentRoutes,
  reactionKinds,
  searchedMax,
} from './content.ts'
import {
  announcementInput,
  documentChange,
  documentInput,
  documentMove,
  documentReplacement,
} from './content-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

/** `url` is `/uploads/{name}` with a random name. */
export const upload = z.object({
  name: z.string(),
  url: z.string(),
  mediaType: z.enum([...imageTypes, ...documentTypes]),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  /** In pixels, for images. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})

export const announcementImage = z.object({
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  alt: localText,
})

export const announcement = z.object({
  id: z.number().int(),
  title: localText,
  /** A text with the markup of `src/shared/plain-markup.ts`. */
  body: localText,
  image: announcementImage.nullable(),
  pinned: z.boolean(),
  publishedAt: instant,
  /** The last change after publication. */
  editedAt: instant.nullable(),
  /** Page views, with robots and reloads; visitors are not recorded. */
  views: z.number().int(),
  reactions: z.record(z.enum(reactionKinds), z.number().int()),
  /** The asking buyer's reactions. */
  ownReactions: z.array(z.enum(reactionKinds)),
  isKept: z.boolean(),
})

export const publicDocument = z.object({
  id: z.number().int(),
  title: localText,
  fileName: z.string(),
  url: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  publishedAt: instant,
  revision: z.number().int(),
  /** Newest first; each keeps its address. */
  earlier: z.array(
    z.object({
      fileName: z.string(),
      url: z.string(),
      sizeBytes: z.number().int(),
      sha256: z.string(),
      publishedAt: instant,
      replacedAt: instant,
    }),
  ),
})

/** Version 0: nothing is published yet. */
export const legalText = z.object({
  kind: z.enum(legalKinds),
  version: z.number().int(),
  body: localText,
  publishedAt: instant.nullable(),
  latestVersion: z.number().int(),
})

/** Searched words in any form, "a phrase", `or`, `-not`. */
const words = z.string().trim().max(searchedMax).optional()

const byId = z.object({ id: numberInPath })
const byReaction = byId.extend({ kind: z.enum(reactionKinds) })
const keptReply = announcement.pick({ id: true, isKept: true })
const reactionsReply = announcement.pick({ id: true, reactions: true, ownReactions: true })

export const contentSchemas = {
  announcements: {
    summary:
      'Published announcements, newest first; the pinned one comes apart, with the first page, unless words are looked for.',
    query: z.object({
      after: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(10),
      words,
      /** Only the asking buyer's bookmarks. */
      kept: z.stringbool().optional(),
    }),
    reply: z.object({
      pinned: announcement.nullable(),
      items: z.array(announcement),
      next: z.string().nullable(),
    }),
  },
  announcement: {
    summary: 'One published announcement, for a shared link.',
    params: byId,
    reply: announcement,
    errors: ['not_found'],
  },
  react: {
    summary: 'Reacts, once per buyer and kind; a repeat changes nothing.',
    params: byReaction,
    reply: reactionsReply,
    errors: ['not_found'],
  },
  unreact: {
    summary: 'Takes the buyer’s reaction back.',
    params: byReaction,
    reply: reactionsReply,
    errors: ['not_found'],
  },
  keep: {
    summary: 'Bookmarks an announcement for the buyer alone; a repeat changes nothing.',
    params: byId,
    reply: keptReply,
    errors: ['not_found'],
  },
  unkeep: {
    summary: 'Takes the buyer’s bookmark away.',
    params: byId,
    reply: keptReply,
    errors: ['not_found'],
  },
  documents: {
    summary: 'Documents that the operator published, in the operator’s order; a new one is the first.',
    reply: z.object({ items: z.array(publicDocument) }),
  },
  legal: {
    summary: 'A legal text: the version in force, or an older one.',
    params: z.object({ kind: z.enum(legalKinds) }),
    query: z.object({ version: z.coerce.number().int().positive().max(1_000_000).optional() }),
    reply: legalText,
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
export const contentEndpoints = endpoints(contentRoutes, contentSchemas)

export const operatorAnnouncement = announcement.omit({ ownReactions: true, isKept: true }).extend({
  publishedAt: instant.nullable(),
  imageName: z.string().nullable(),
  state: z.enum(['draft', 'scheduled', 'published']),
  createdAt: instant,
  updatedAt: instant,
  author: z.string().nullable(),
  revision: z.number().int(),
  /** The current day is UTC. */
  viewsToday: z.number().int(),
})

export const operatorContentSchemas = {
  announcements: {
    summary: 'Every announcement, drafts and scheduled ones included, newest first.',
    query: z.object({
      after: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
      words,
    }),
    reply: z.object({ items: z.array(operatorAnnouncement), next: z.string().nullable() }),
  },
  announcement: {
    summary: 'One announcement for its form.',
    params: byId,
    reply: operatorAnnouncement,
    errors: ['not_found'],
  },
  addAnnouncement: {
    summary: 'Adds an announcement; pinning it unpins the one that was.',
    body: announcementInput,
    reply: operatorAnnouncement,
    errors: ['text_required', 'upload_unknown'],
  },
  updateAnnouncement: {
    summary: 'Changes an announcement if nobody changed it since `revision`.',
    params: byId,
    body: leavesNothingOut(announcementInput.extend({ revision: z.number().int() })),
    reply: operatorAnnouncement,
    errors: ['not_found', 'conflict', 'text_required', 'upload_unknown'],
  },
  removeAnnouncement: {
    summary: 'Deletes an announcement with its reactions.',
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  },
  addDocument: {
    summary: 'Publishes an uploaded PDF.',
    body: documentInput,
    reply: publicDocument,
    errors: ['text_required', 'upload_unknown', 'upload_type_refused'],
  },
  updateDocument: {
    summary:
      'Changes title and file name of a document if nobody changed them since `revision`; the file stays.',
    params: byId,
    body: leavesNothingOut(documentChange),
    reply: publicDocument,
    errors: ['text_required', 'not_found', 'conflict'],
  },
  moveDocument: {
    summary: 'Moves a document to another place in the list, if it still stands where it was seen.',
    params: byId,
    body: documentMove,
    reply: z.object({ items: z.array(publicDocument) }),
    errors: ['not_found', 'conflict'],
  },
  replaceDocument: {
    summary:
      'Publishes a newer file of a document, if nobody changed the document since `revision`; the file before stays reachable.',
    params: byId,
    body: documentReplacement,
    reply: publicDocument,
    errors: ['not_found', 'conflict', 'upload_unknown', 'upload_type_refused'],
  },
  removeDocument: {
    summary: 'Takes a document and its files away, those of its earlier versions too.',
    params: byId,
    reply: z.object({ id: z.number().int() }),
    errors: ['not_found'],
  },
  legalVersions: {
    summary: 'Every version of a legal text, newest first.',
    params: z.object({ kind: z.enum(legalKinds) }),
    reply: z.object({
      items: z.array(
        z.object({
          version: z.number().int(),
          body: localText,
          publishedAt: instant,
          operator: z.string().nullable(),
          /** Null for the privacy policy, which orders do not accept. */
          acceptedByOrders: z.number().int().nullable(),
        }),
      ),
    }),
  },
  legalDraft: {
    summary: 'A legal text to begin with, from the settings, in every language; nothing is stored.',
    params: z.object({ kind: z.enum(legalKinds) }),
    reply: z.object({ body: localText }),
  },
  publishLegal: {
    summary:
      'Publishes the next version if `basedOn` is still the version in force. Orders from then on accept it.',
    params: z.object({ kind: z.enum(legalKinds) }),
    body: z.object({ basedOn: z.number().int().min(0), body: localText }),
    reply: legalText,
    errors: ['conflict', 'text_required'],
  },
  uploadFile: {
    summary: 'Stores a PDF up to 20 MB or an image up to 5 MB (the file is the body); images are re-encoded.',
    cost: { bodyBytes: documentBytesMax },
    reply: upload,
    errors: ['too_many_requests', 'too_large', 'upload_type_refused', 'upload_unreadable', 'uploads_full'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorContentEndpoints = endpoints(operatorContentRoutes, operatorContentSchemas)
