/** A route whose answer a page begins with: the server reads it while it draws the page, so that the scripts need not ask. */
export interface FirstRead {
  /** Of the route, below `/api/v1`. */
  readonly path: string
  readonly given?: Given
}

/** What the route is given, as the page's query names it. */
interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Of the first page of a list that is read page by page. */
  readonly pages?: Readonly<Record<string, string | number>>
}

export interface KnownRead extends FirstRead {
  readonly reply: unknown
}
