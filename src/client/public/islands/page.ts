export type Words = Record<string, string>

export function wordsOf(root: HTMLElement): Words {
  return JSON.parse(root.dataset['words'] ?? '{}') as Words
}

/** Throws if it is missing. */
export function part<T extends Element = HTMLElement>(root: ParentNode, selector: string): T {
  const found = root.querySelector<T>(selector)
  if (!found) throw new Error(selector)
  return found
}

export const locale = globalThis.document?.documentElement.lang ?? 'en'

export function fill(text: string | undefined, values: Record<string, string>): string {
  return (text ?? '').replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** Throws the server's error in the page's language. */
export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`/api/v1${path}`, {
    ...init,
    // Embedded in another site the page is always signed out, so send no cookies.
    credentials: window.parent === window ? 'same-origin' : 'omit',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'presale', 'x-language': locale },
  })
  const body = (await response.json().catch(() => null)) as {
    error?: { code: string; message: string }
  } | null
  if (!response.ok) throw new Refused(response.status, body?.error)
  return body as T
}

export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** True if the server sent a readable message. */
  readonly isSaid: boolean
  constructor(status: number, error: { code: string; message: string } | undefined) {
    super(error?.message ?? '')
    this.status = status
    this.code = error?.code ?? ''
    this.isSaid = error !== undefined && status < 500
  }
}
