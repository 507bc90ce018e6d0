import type { DrawAsked, DrawTold } from './draw-worker.ts'
import { part, wordsOf } from './page.ts'

/** Repeats the draw from the published file, in a worker, so that the signature check loads on demand. */
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
  const show = (told: DrawTold) => {
    if (!told) return say(words['failed'])
    const { faults, drawn, isKnownBeacon } = told
    const isWaiting = faults.every((fault) => fault === 'not_fixed' || fault === 'not_drawn')
    const verdict = faults.length === 0 ? words['agree'] : isWaiting ? words['notYet'] : words['differ']
    const shown = isWaiting ? [] : faults.map((fault) => words[fault])
    const winners = Number(root.dataset['winners'])
    const named = drawn.map((commitment, at) => {
      const [word, place] = at < winners ? ['winner', at + 1] : ['alternate', at + 1 - winners]
      return `${words[word]?.replace('{place}', String(place))}: ${commitment}`
    })
    say(verdict, ...shown, ...named, ...(isKnownBeacon ? [] : [words['otherKey']]))
  }
  let worker: Worker | undefined
  button.addEventListener('click', () => {
    say(words['reading'])
    worker?.terminate()
    worker = new Worker(new URL('./draw-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('error', () => show(null))
    worker.addEventListener('message', ({ data }: MessageEvent<DrawTold>) => show(data))
    const asked: DrawAsked = { origin: location.origin, giveaway: root.dataset['giveaway'] ?? '' }
    // oxlint-disable-next-line require-post-message-target-origin -- a worker has no origin
    worker.postMessage(asked)
  })
}
