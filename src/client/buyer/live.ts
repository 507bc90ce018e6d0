import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { type LiveEventName, livePath } from '../../shared/api/live.ts'

/*
 * One stream per browser: the tab that holds the lock listens to the server and passes each event on to the
 * others. When it closes, the next tab in line takes over. While the stream is down every page polls.
 */

const lockName = 'presale-live'
const channelName = 'presale-live'

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
  )
}

export const pollMs = 5_000

/** For `refetchInterval` of what must be fresh: 5 s while the stream is down, never while it is up. */
export function usePolling(): number | false {
  return useStreamUp() ? false : pollMs
}

/** Which cached answers an event makes old. */
const touched: Record<LiveEventName, string[][]> = {
  order: [['orders'], ['order'], ['holdings']],
  holdings: [['holdings'], ['orders']],
  campaign: [['campaign']],
  orders: [],
  actions: [],
}

const names = Object.keys(touched) as LiveEventName[]

function refresh(client: QueryClient, name: LiveEventName) {
  for (const queryKey of touched[name]) void client.invalidateQueries({ queryKey })
}

function refreshAll(client: QueryClient) {
  for (const name of names) refresh(client, name)
}

/** Keeps this tab's cached answers fresh for as long as the calling component is shown. */
export function useLiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    const ended = new AbortController()
    void follow(client, ended.signal)
    return () => ended.abort()
  }, [client])
}

async function follow(client: QueryClient, ended: AbortSignal) {
  const channel = new BroadcastChannel(channelName)
  // A BroadcastChannel takes no target origin: it never leaves this one.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const post = (message: Message) => channel.postMessage(message)
  let leading = false

  channel.addEventListener(
    'message',
    ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'event') refresh(client, data.name)
      else if (data.kind === 'ask') {
        if (leading) post({ kind: 'up', up: streamUp })
      } else {
        // What happened while nobody listened is read again.
        if (data.up && !streamUp) refreshAll(client)
        setStreamUp(data.up)
      }
    },
    { signal: ended },
  )
  post({ kind: 'ask' })

  const lead = async () => {
    leading = true
    await listen(client, post, ended)
    leading = false
    setStreamUp(false)
  }
  while (!ended.aborted) {
    if (navigator.locks)
      await navigator.locks.request(lockName, { signal: ended }, lead).catch(() => undefined)
    else await lead()
  }
  channel.close()
  setStreamUp(false)
}

/** Holds the stream until the page ends, or until the server has refused it; then waits a little. */
function listen(client: QueryClient, post: (message: Message) => void, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const source = new EventSource(`${livePath}?campaign=1`)
    const close = () => {
      source.close()
      resolve()
    }
    const say = (up: boolean) => {
      setStreamUp(up)
      post({ kind: 'up', up })
    }
    source.addEventListener('open', () => {
      if (!streamUp) refreshAll(client)
      say(true)
    })
    source.addEventListener('error', () => {
      say(false)
      // The browser gives up for good on a refusal, such as an ended session: try again calmly.
      if (source.readyState === EventSource.CLOSED) setTimeout(close, pollMs)
    })
    for (const name of names) {
      source.addEventListener(name, () => {
        refresh(client, name)
        post({ kind: 'event', name })
      })
    }
    if (ended.aborted) close()
    else ended.addEventListener('abort', close, { once: true })
  })
}
