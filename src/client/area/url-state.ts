import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** Unset filters are left out. */
export function useUrlState() {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (changes: Record<string, string | null>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          // Another filter starts at the first page.
          after.delete('after')
          for (const [name, value] of Object.entries(changes)) {
            if (value) after.set(name, value)
            else after.delete(name)
          }
          return after
        },
        { replace: true },
      ),
    [setParams],
  )
  return { get: (name: string) => params.get(name) ?? undefined, set }
}

interface Trail {
  trail?: string[]
}

/**
 * The cursor is in the URL and the way back in the history entry, so both survive a reload. After a shared
 * link, Previous leads to the first page.
 */
export function useCursor() {
  const [params] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const after = params.get('after') ?? undefined
  const trail = (location.state as Trail | null)?.trail ?? []
  const go = (cursor: string | undefined, way: string[]) => {
    const next = new URLSearchParams(params)
    if (cursor) next.set('after', cursor)
    else next.delete('after')
    void navigate(
      { search: next.toString() },
      { state: { trail: way } satisfies Trail, preventScrollReset: true },
    )
  }
  return {
    after,
    hasPrevious: after !== undefined,
    page: after === undefined ? 1 : trail.length > 0 ? trail.length + 1 : undefined,
    next: (cursor: string) => go(cursor, [...trail, after ?? '']),
    previous: () => go(trail.at(-1) || undefined, trail.slice(0, -1)),
    first: () => go(undefined, []),
  }
}
