import { sha256 } from '@noble/hashes/sha2.js'
import { checkSite, type Report } from '../../../../verify/check.ts'
import { messageOf } from '../../../../verify/fault.ts'
import { writeSeen } from '../../../../verify/seen.ts'
import { ownReach, Site } from '../../../../verify/site.ts'

// Rules: LOG-10
export interface VerifyAsked {
  url: string
  state: string | undefined
}

export type VerifyTold =
  | { kind: 'progress'; done: number; size: number }
  | { kind: 'report'; report: Report; state: string | undefined }
  | { kind: 'unchecked'; message: string }

const tell = (told: VerifyTold) => postMessage(told)

addEventListener('message', async ({ data }: MessageEvent<VerifyAsked>) => {
  try {
    const { report, seen } = await checkSite({
      site: new Site(data.url, ownReach),
      sha256,
      state: data.state,
      onProgress: (done, size) => tell({ kind: 'progress', done, size }),
    })
    tell({ kind: 'report', report, state: seen && writeSeen(seen) })
  } catch (error) {
    tell({ kind: 'unchecked', message: messageOf(error) })
  }
})
