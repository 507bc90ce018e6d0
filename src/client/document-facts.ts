import type { KnownRead } from '../shared/first-reads.ts'
import { isReferralCode, REFERRAL_COOKIE } from '../shared/referral.ts'

/** What the server writes into an area's document, and what the browser keeps for it. */
export interface DocumentFacts {
  readonly area: 'buyer' | 'operator'
  readonly locale: string
  /** Those that a reader may choose. */
  readonly languages: readonly string[]
  /** The reader's own choice; without one the system's is used. */
  readonly theme: 'light' | 'dark' | undefined
  readonly sidebarOpen: boolean
  readonly campaignName: string | undefined
  readonly logo: string | undefined
  readonly operatorPath: string | undefined
  /** Of the site, for links that are copied. */
  readonly origin: string
  /** A form that was sent before the scripts were there, and was refused. */
  readonly refused: RefusedForm | undefined
  /** Whether the reader came by a friend's link. */
  readonly isInvited: boolean
}

export interface RefusedForm {
  readonly form: 'login' | 'register' | 'operator'
  /** Of the whole form; nothing where its fields say it. */
  readonly failure: string | undefined
  readonly code: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** What was typed, without passwords. */
  readonly values: Readonly<Record<string, string>>
}

/** Whether the server is drawing. */
export const isOnServer = typeof document === 'undefined'
let drawing: DocumentFacts | undefined
let drawnTitle: string | undefined

/** The facts of the document that is drawn or shown. */
export function documentFacts(): DocumentFacts {
  if (!isOnServer) return readDocument()
  if (!drawing) throw new Error('Nothing is being drawn')
  return drawing
}

/** What the server draws of a document. */
export interface Drawn {
  readonly html: string
  /** The document's title, where the page has said it. */
  readonly title?: string | undefined
}

/** On the server: draws with these facts. Drawing is never interrupted, so that no two drawings mix. */
export function drawWith(facts: DocumentFacts, draw: () => string): Drawn {
  drawing = facts
  drawnTitle = undefined
  try {
    return { html: draw(), title: drawnTitle }
  } finally {
    drawing = undefined
  }
}

/** Sets the title of the document that is drawn or shown. */
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

/** What the server read for the page while it drew it. */
export interface Known {
  readonly reads: readonly KnownRead[]
  readonly refused?: RefusedForm
}

let known: Known | undefined

/** A refusal is said once. */
export function forgetRefused(): void {
  if (known) known = { reads: known.reads }
}

/** In the browser: what the document came with. */
export function knownToServer(): Known {
  known ??= JSON.parse(document.getElementById('known')?.textContent || '{"reads":[]}') as Known
  return known
}
