import { checkDraw, giveawayFilePath, parseGiveawayFile } from '../../../shared/giveaway-draw.ts'
import { part, wordsOf } from './page.ts'

/** Computes a giveaway's draw again on this device, from the published file alone. */
export function mountDraw(root: HTMLElement): void {
  const words = wordsOf(root)
  const button = part<HTMLButtonElement>(root, '[data-draw]')
  const result = part(root, '[data-result]')
  const say = (...lines: (string | undefined)[]) => {
    result.replaceChildren(
      ...lines.map((line) => {
        const paragraph = document.createElement('p')
        paragraph.textContent = line ?? ''
        return paragraph
      }),
    )
  }
  button.addEventListener('click', async () => {
    say(words['reading'])
    try {
      const response = await fetch(`/api/v1${giveawayFilePath(root.dataset['giveaway'] ?? '')}`)
      const file = parseGiveawayFile(await response.text())
      if (!response.ok || !file) throw new Error('no file')
      const { faults, drawn, isKnownBeacon } = checkDraw(file)
      const isWaiting = faults.every((fault) => fault === 'not_fixed' || fault === 'not_drawn')
      const verdict = faults.length === 0 ? words['agree'] : isWaiting ? words['notYet'] : words['differ']
      const shown = isWaiting ? [] : faults
      say(verdict, ...shown, ...drawn, ...(isKnownBeacon ? [] : [words['otherKey']]))
    } catch {
      say(words['failed'])
    }
  })
}
