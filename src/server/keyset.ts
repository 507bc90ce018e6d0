/*
 * Newest first, by the last id of the previous page: pages stay stable while rows arrive, and each costs the
 * same.
 */

/** Above every id: the start of a list. */
const ID_MAX = '9223372036854775807'

/** `after`: the last id of the previous page. */
export interface PageQuery {
  readonly after?: string | undefined
  readonly limit: number
}

export interface PageOf<Item> {
  readonly items: Item[]
  readonly next: string | null
}

/** A page begins below it; an invalid cursor gives the first page. */
export const idAfter = ({ after }: Pick<PageQuery, 'after'>) =>
  after && /^\d{1,18}$/.test(after) ? after : ID_MAX

/** One row more than the limit was read. */
export function pageOf<Row extends { readonly id: string | number }, Item>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => Item,
): PageOf<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown.map(itemOf), next: rows.length > limit && last ? String(last.id) : null }
}
