import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { type LiveEventName, livePath } from '../../shared/api/live.ts'
import { readAgain, type Touched } from './reading.ts'

/*
 * One stream per browser and kind of listener, while any of its tabs is looked at: the tab that holds the lock listens to the server and
 * passes each event on to the others. When that tab is closed or hidden, the next one that is looked at takes over; a hidden tab asks nothing,
 * and reads everything again once it is looked at.
 */

/** A kind of stream: its query, and what each of its events makes old. */
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

/** Whether events arrive just now. */
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

/** For `refetchInterval` of what must be fresh: 5 s while the stream is down, never while the stream is up. */
export function usePolling(): number | false {
  return useStreamUp() ? false : pollMs
}

/** Keeps this tab's answers fresh for as long as the calling component is shown and `enabled`. */
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

/** Until the scripts have taken the page over: what it begins with was read a moment ago, and reading it again would hold that up. */
async function pageStands(): Promise<void> {
  while (document.querySelector('#root[aria-busy]')) await new Promise((resolve) => setTimeout(resolve, 30))
}

async function follow(stream: LiveStream, client: QueryClient, ended: AbortSignal) {
  const name = `presale-live?${stream.query}`
  const channel = new BroadcastChannel(name)
  // A BroadcastChannel takes no target origin: it never leaves this one.
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
        // What happened while nobody listened is read again.
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

/** Holds the stream until the page ends, or until the server has refused the stream; then waits a little. */
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
    // Between two leaders nobody listened, so that everybody reads again once the stream is up.
    say(false)
    source.addEventListener('open', () => {
      if (!streamUp) refreshAll()
      say(true)
    })
    source.addEventListener('error', () => {
      say(false)
      // The browser gives up for good on a refusal, such as an ended session: try again calmly.
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
