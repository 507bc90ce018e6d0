import { z } from 'zod'
import { localText } from '../campaign-settings-inputs.ts'
import { textsOf } from '../texts-inputs.ts'

const shortText = textsOf(z.string().trim().max(200))

export const announcementInput = z.object({
  title: shortText,
  body: localText,
  image: z.object({ name: z.string().max(100), alt: shortText }).nullable(),
  pinned: z.boolean(),
  /** Null for a draft. */
  publishedAt: z.iso.datetime().nullable(),
})

const documentNames = z.object({ title: shortText, fileName: z.string().trim().min(1).max(120) })

export const documentInput = documentNames.extend({ uploadName: z.string().max(100) })
export const documentChange = documentNames.extend({ revision: z.number().int() })

/** The old file stays available. */
export const documentReplacement = z.object({
  uploadName: z.string().max(100),
  fileName: z.string().trim().min(1).max(120),
  revision: z.number().int(),
})

const place = z.number().int().min(1).max(1_000_000)

/** Positions from 1: the shown one, and the target. */
export const documentMove = z.object({ from: place, to: place })
