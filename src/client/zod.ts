/*
 * Replaces `zod` in the browser (vite.config.ts). Zod tests whether it may create functions, which the pages'
 * policy forbids and some browsers report.
 */
import { config } from 'zod/v4'

config({ jitless: true })

export * from 'zod/v4'
