/*
 * Lists page by page, newest first, by the number at which the page before ended: a page stays put while rows arrive, and costs the same
 * wherever it lies.
 */

/** Above every id: a list begins here. */
const ID_MAX = '9223372036854775807'

/** `after`: the number at which the page before ended. */
export interface PageQuery {
  readonly after?: string | undefined
  readonly limit: number
}

export interface PageOf<Item> {
  readonly items: Item[]
  readonly next: string | null
}

/** Below this number a page begins; a mangled one is the first page. */
export const idAfter = ({ after }: Pick<PageQuery, 'after'>) =>
  after && /^\d{1,18}$/.test(after) ? after : ID_MAX

/** A page of rows, of which one more than its limit was read. */
export function pageOf<Row extends { readonly id: string | number }, Item>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => Item,
): PageOf<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown.map(itemOf), next: rows.length > limit && last ? String(last.id) : null }
}
