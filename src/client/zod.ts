/*
 * Stands for `zod` in the browser (vite.config.ts). Where a schema is made, Zod asks whether it may write functions, which the
 * pages' own policy forbids and some browsers then report: here it is told beforehand.
 */
import { config } from 'zod/v4'

config({ jitless: true })

export * from 'zod/v4'
