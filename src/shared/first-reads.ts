/** The server reads it while drawing. */
export interface FirstRead {
  /** The route's path below `/api/v1`. */
  readonly path: string
  readonly given?: Given
}

/** Arguments in the form of the page's query. */
interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** The query of a paginated list's first page. */
  readonly pages?: Readonly<Record<string, string | number>>
}

export interface KnownRead extends FirstRead {
  readonly reply: unknown
}
