import { useStored } from '../../area/stored.ts'

export interface SavedFilter {
  readonly name: string
  /** Without `?`. */
  readonly search: string
}

export type SavedFilters = ReturnType<typeof useSavedFilters>

const isFilters = (kept: unknown): kept is readonly SavedFilter[] =>
  Array.isArray(kept) && kept.every((one) => typeof one?.name === 'string' && typeof one.search === 'string')

export function useSavedFilters() {
  const [filters, store] = useStored<readonly SavedFilter[]>('operator:order-filters', [], isFilters)
  const others = (name: string) => filters.filter((filter) => filter.name !== name)
  return {
    filters,
    save: (filter: SavedFilter) => store([...others(filter.name), filter].slice(-12)),
    remove: (name: string) => store(others(name)),
  }
}
