import {
  checkDraw,
  type DrawFindings,
  giveawayFilePath,
  parseGiveawayFile,
} from '../../../shared/giveaway-draw.ts'

export interface DrawAsked {
  origin: string
  giveaway: string
}

/** Null if the published file is unreadable. */
export type DrawTold = DrawFindings | null

addEventListener('message', async ({ data }: MessageEvent<DrawAsked>) => {
  const tell = (told: DrawTold) => postMessage(told)
  try {
    const response = await fetch(new URL(`/api/v1${giveawayFilePath(data.giveaway)}`, data.origin))
    const file = parseGiveawayFile(await response.text())
    tell(response.ok && file ? checkDraw(file) : null)
  } catch {
    tell(null)
  }
})
