import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { type LiveEventName, livePath } from '../../shared/api/live.ts'
import { readAgain, type Touched } from './reading.ts'

/*
 * The tabs of a browser share one event stream per kind. The visible tab that holds the lock listens and
 * passes events on by BroadcastChannel. When it closes or hides, another visible tab takes over. A hidden tab
 * reads nothing and refreshes everything once visible.
 */

export interface LiveStream {
  readonly query: 'campaign=1' | 'operator=1'
  readonly touches: Partial<Record<LiveEventName, Touched>>
}

type Message = { kind: 'event'; name: LiveEventName } | { kind: 'up'; up: boolean } | { kind: 'ask' }

let streamUp = false
const watchers = new Set<() => void>()

function setStreamUp(up: boolean) {
  if (up === streamUp) return
  streamUp = up
  for (const notify of watchers) notify()
}

export function useStreamUp(): boolean {
  return useSyncExternalStore(
    (notify) => {
      watchers.add(notify)
      return () => watchers.delete(notify)
    },
    () => streamUp,
    () => false,
  )
}

export const pollMs = 5_000

/** Refetch interval of a query: none while the stream is up. */
export function usePolling(): number | false {
  return useStreamUp() ? false : pollMs
}

export function useLiveStream(stream: LiveStream, enabled = true) {
  const client = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    let ended: AbortController | undefined
    const end = () => {
      ended?.abort()
      ended = undefined
    }
    const look = () => {
      if (document.hidden) end()
      else if (!ended) {
        const { signal } = (ended = new AbortController())
        void pageStands().then(() => (signal.aborted ? undefined : follow(stream, client, signal)))
      }
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      end()
    }
  }, [stream, client, enabled])
}

const namesOf = ({ touches }: LiveStream) => Object.keys(touches) as LiveEventName[]

/** Waits until the scripts have taken over: an earlier refresh would repeat what the server just read. */
async function pageStands(): Promise<void> {
  while (document.querySelector('#root[aria-busy]')) await new Promise((resolve) => setTimeout(resolve, 30))
}

async function follow(stream: LiveStream, client: QueryClient, ended: AbortSignal) {
  const name = `presale-live?${stream.query}`
  const channel = new BroadcastChannel(name)
  // A BroadcastChannel takes no target origin, because messages stay within this one.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const post = (message: Message) => channel.postMessage(message)
  const refresh = (event: LiveEventName) => readAgain(client, stream.touches[event] ?? [])
  const refreshAll = () => namesOf(stream).forEach(refresh)
  let leading = false

  channel.addEventListener(
    'message',
    ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'event') refresh(data.name)
      else if (data.kind === 'ask') {
        if (leading) post({ kind: 'up', up: streamUp })
      } else {
        // Refresh what may have changed while no tab listened.
        if (data.up && !streamUp) refreshAll()
        setStreamUp(data.up)
      }
    },
    { signal: ended },
  )
  ended.addEventListener('abort', () => {
    channel.close()
    setStreamUp(false)
  })
  post({ kind: 'ask' })

  const lead = async () => {
    leading = true
    await listen(stream, { refresh, refreshAll, post }, ended)
    leading = false
  }
  while (!ended.aborted) {
    if (navigator.locks) await navigator.locks.request(name, { signal: ended }, lead).catch(() => undefined)
    else await lead()
  }
}

interface Listener {
  refresh(event: LiveEventName): void
  refreshAll(): void
  post(message: Message): void
}

/** Holds the stream until aborted, or until the server rejects the stream; then waits `pollMs`. */
function listen(stream: LiveStream, { refresh, refreshAll, post }: Listener, ended: AbortSignal) {
  return new Promise<void>((resolve) => {
    if (ended.aborted) return resolve()
    const source = new EventSource(`${livePath}?${stream.query}`)
    const close = () => {
      source.close()
      resolve()
    }
    const say = (up: boolean) => {
      setStreamUp(up)
      post({ kind: 'up', up })
    }
    // No tab listened between two leaders, so all refresh once the stream is up.
    say(false)
    source.addEventListener('open', () => {
      if (!streamUp) refreshAll()
      say(true)
    })
    source.addEventListener('error', () => {
      say(false)
      // The browser gives up after an error response such as an ended session: retry after a pause.
      if (source.readyState === EventSource.CLOSED) setTimeout(close, pollMs)
    })
    for (const name of namesOf(stream)) {
      source.addEventListener(name, () => {
        refresh(name)
        post({ kind: 'event', name })
      })
    }
    ended.addEventListener('abort', close, { once: true })
  })
}
