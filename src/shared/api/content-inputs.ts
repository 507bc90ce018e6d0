import { z } from 'zod'
import { localText } from '../campaign-settings-inputs.ts'

const shortText = z.object({
  en: z.string().trim().max(200).default(''),
  ru: z.string().trim().max(200).default(''),
})

export const announcementInput = z.object({
  title: shortText,
  body: localText,
  image: z.object({ name: z.string().max(100), alt: shortText }).nullable(),
  pinned: z.boolean(),
  /** When the announcement appears; null for a draft. */
  publishedAt: z.iso.datetime().nullable(),
})

export const documentInput = z.object({
  title: shortText,
  uploadName: z.string().max(100),
  fileName: z.string().trim().min(1).max(120),
})
