import { part, wordsOf } from './page.ts'

const redBlinksMs = 1_000
const toneHz = 1_400
const toneMs = 1_600
const toneVolume = 0.03

/** Reads and sends nothing. */
export function mountJoke(root: HTMLElement): void {
  const words = wordsOf(root)
  const lines = JSON.parse(root.dataset['lines'] ?? '[]') as string[]
  const open = part<HTMLButtonElement>(root, '[data-open]')
  const terminal = part(root, '[data-terminal]')
  const mute = part<HTMLButtonElement>(root, '[data-mute]')
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  let tone: { stop(): void } | undefined
  let isMuted = false

  mute.addEventListener('click', () => {
    isMuted = !isMuted
    mute.setAttribute('aria-pressed', String(isMuted))
    if (isMuted) tone?.stop()
  })

  open.addEventListener('click', async () => {
    // Browsers allow sound only from a click, so create the audio context here.
    const audio = isCalm || typeof AudioContext === 'undefined' ? undefined : new AudioContext()
    open.hidden = true
    terminal.hidden = false
    mute.hidden = audio === undefined
    // Unfocus the button, because any key restarts and would press it too.
    terminal.focus()
    reloadOnAnyKey()
    const log = part(root, '[data-log]')
    const say = (text: string) => {
      const line = document.createElement('p')
      line.textContent = text
      log.append(line)
    }
    for (const [index, line] of lines.entries()) {
      // The pauses are uneven but fixed.
      await wait(60 + ((index * 37) % 61))
      say(line)
    }
    await wait(120)
    say(words['closing'] ?? '')
    part(root, '[data-hint]').textContent = words['hint'] ?? ''
    part(root, '[data-after]').hidden = false
    await wait(redBlinksMs)
    const red = part(root, '[data-red]')
    red.textContent = words['red'] ?? ''
    red.classList.add('blink')
    if (audio && !isMuted) tone = playTone(audio)
  })
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function playTone(audio: AudioContext): { stop(): void } {
  const oscillator = audio.createOscillator()
  const volume = audio.createGain()
  oscillator.type = 'sawtooth'
  oscillator.frequency.value = toneHz
  volume.gain.value = toneVolume
  oscillator.connect(volume).connect(audio.destination)
  oscillator.start()
  oscillator.stop(audio.currentTime + toneMs / 1000)
  return { stop: () => void audio.close().catch(() => {}) }
}

const quietKeys = /^(Tab|Arrow|Shift|Control|Alt|AltGraph|Meta|CapsLock|Fn)/

/** Any key restarts, except for navigation, modifiers and pressing a focused button. */
function reloadOnAnyKey(): void {
  addEventListener('keydown', (event) => {
    if (quietKeys.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    const isPress = event.key === 'Enter' || event.key === ' '
    if (isPress && (event.target as Element | null)?.closest('a, button')) return
    location.reload()
  })
}
