import type { KnownRead } from '../shared/first-reads.ts'
import { isReferralCode, REFERRAL_COOKIE } from '../shared/referral.ts'

/** The server writes these facts into an area's document. */
export interface DocumentFacts {
  readonly area: 'buyer' | 'operator'
  readonly locale: string
  readonly languages: readonly string[]
  /** The reader's choice; undefined: the system's. */
  readonly theme: 'light' | 'dark' | undefined
  readonly sidebarOpen: boolean
  readonly campaignName: string | undefined
  readonly logo: string | undefined
  readonly operatorPath: string | undefined
  /** The site's origin, for links to copy. */
  readonly origin: string
  readonly refused: RefusedForm | undefined
  /** True if the reader came by a friend's link. */
  readonly isInvited: boolean
}

export interface RefusedForm {
  readonly form: 'login' | 'register' | 'operator'
  /** Undefined if the error belongs to fields. */
  readonly failure: string | undefined
  readonly code: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** The typed values without passwords. */
  readonly values: Readonly<Record<string, string>>
}

export const isOnServer = typeof document === 'undefined'
let drawing: DocumentFacts | undefined
let drawnTitle: string | undefined

export function documentFacts(): DocumentFacts {
  if (!isOnServer) return readDocument()
  if (!drawing) throw new Error('Nothing is being drawn')
  return drawing
}

export interface Drawn {
  readonly html: string
  /** The document's title, if the page set one. */
  readonly title?: string | undefined
}

/** Draws on the server. Synchronous, so that two drawings never mix. */
export function drawWith(facts: DocumentFacts, draw: () => string): Drawn {
  drawing = facts
  drawnTitle = undefined
  try {
    return { html: draw(), title: drawnTitle }
  } finally {
    drawing = undefined
  }
}

export function setDocumentTitle(title: string): void {
  if (isOnServer) drawnTitle = title
  else document.title = title
}

const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined

function cookieNamed(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

function readDocument(): DocumentFacts {
  const { lang, dataset } = document.documentElement
  const theme = dataset['theme']
  return {
    area: dataset['area'] === 'operator' ? 'operator' : 'buyer',
    locale: lang,
    languages: meta('languages')?.split(' ') ?? [],
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    sidebarOpen: !document.cookie.split('; ').includes('sidebar:state=false'),
    campaignName: meta('campaign-name'),
    logo: meta('campaign-logo'),
    operatorPath: meta('operator-path'),
    origin: location.origin,
    refused: knownToServer().refused,
    isInvited: isReferralCode(cookieNamed(REFERRAL_COOKIE)),
  }
}

export interface Known {
  readonly reads: readonly KnownRead[]
  readonly refused?: RefusedForm
}

let known: Known | undefined

/** The failed form is shown once. */
export function forgetRefused(): void {
  if (known) known = { reads: known.reads }
}

/** In the browser: the data that came with the document. */
export function knownToServer(): Known {
  known ??= JSON.parse(document.getElementById('known')?.textContent || '{"reads":[]}') as Known
  return known
}
