import { mountCountdown } from './islands/countdown.ts'
import { followOldHash, mountHeader } from './islands/header.ts'
import { mountTheme } from './islands/theme.ts'

/*
 * The pages arrive readable. A small module loads after the first frame and mounts the interactive parts. Cheap ones mount at once, others when the page is idle, the part is visible, or somebody presses in it. Wallet
 * code loads only on such a press.
 */
type Mount = (root: HTMLElement) => void

const atOnce: Record<string, Mount> = { header: mountHeader, theme: mountTheme, countdown: mountCountdown }

const whenIdle: Record<string, () => Promise<Mount>> = {
  hero: async () => (await import('./islands/hero.ts')).mountHero,
  counting: async () => (await import('./islands/consent.ts')).mountCounting,
  consent: async () => (await import('./islands/consent.ts')).mountConsent,
  verify: async () => (await import('./islands/verify.ts')).mountVerify,
  checkout: async () => (await import('./islands/checkout.ts')).mountCheckout,
  joke: async () => (await import('./islands/joke.ts')).mountJoke,
}

const whenSeen: Record<string, () => Promise<Mount>> = {
  swap: async () => (await import('./islands/swap.ts')).mountSwap,
  levels: async () => (await import('./islands/levels.ts')).mountLevels,
  check: async () => (await import('./islands/check.ts')).mountCheck,
  draw: async () => (await import('./islands/draw.ts')).mountDraw,
  comments: async () => (await import('./islands/comments.ts')).mountComments,
  post: async () => (await import('./islands/post.ts')).mountPost,
}

const whenPressed: Record<string, () => Promise<Mount>> = {
  claim: async () => (await import('./islands/claim.ts')).mountClaim,
}

const nameOf = (root: HTMLElement) => root.dataset['island'] ?? ''

/** A press on a part that is still loading is repeated once it is mounted. */
const pressed = new WeakMap<
  HTMLElement,
  { button?: HTMLButtonElement | null; keep: (event: Event) => void }
>()

function keepPresses(root: HTMLElement) {
  let load = whenPressed[nameOf(root)]
  const kept: { button?: HTMLButtonElement | null; keep: (event: Event) => void } = {
    keep: (event) => {
      kept.button = (event.target as Element).closest('button')
      // Submit buttons work without scripts.
      if (!load || kept.button?.type !== 'button') return
      void mountLazily(root, load)
      load = undefined
    },
  }
  root.addEventListener('click', kept.keep)
  pressed.set(root, kept)
}

async function mountLazily(root: HTMLElement, load: (() => Promise<Mount>) | undefined) {
  const mount = await load?.()
  const kept = pressed.get(root)
  if (kept) root.removeEventListener('click', kept.keep)
  mount?.(root)
  kept?.button?.click()
}

const onceIdle: (run: () => void) => void =
  'requestIdleCallback' in globalThis
    ? (run) => requestIdleCallback(run, { timeout: 2_000 })
    : (run) => setTimeout(run, 200)

const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue
      seen.unobserve(entry.target)
      const root = entry.target as HTMLElement
      void mountLazily(root, whenSeen[nameOf(root)])
    }
  },
  { rootMargin: '200px' },
)

function start() {
  const roots = [...document.querySelectorAll<HTMLElement>('[data-island]')]
  for (const root of roots) {
    atOnce[nameOf(root)]?.(root)
    if (!(nameOf(root) in atOnce)) keepPresses(root)
    if (nameOf(root) in whenSeen) seen.observe(root)
  }
  onceIdle(() => {
    for (const root of roots) if (nameOf(root) in whenIdle) void mountLazily(root, whenIdle[nameOf(root)])
  })
  followOldHash()
  for (const icon of document.querySelectorAll<HTMLImageElement>('img[data-coin]')) {
    const standIn = () => {
      icon.src = '/coin.svg'
    }
    if (icon.complete && icon.naturalWidth === 0 && icon.currentSrc) standIn()
    else icon.addEventListener('error', standIn, { once: true })
  }
}

start()
