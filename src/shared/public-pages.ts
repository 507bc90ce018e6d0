import type { PublicCampaign } from './api/campaign.ts'
import type { PublicComment } from './api/comments.ts'
import type { Announcement, LegalText } from './api/content.ts'
import type { PublicCurrency } from './api/currencies.ts'
import type { OwnClaim } from './api/delivery.ts'
import type { DeliveryEscrow, EscrowOrder } from './api/delivery-escrows.ts'
import type { PublicGiveaway } from './api/giveaways.ts'
import type { Equation, Round } from './api/rounds.ts'
import type { LocalText } from './campaign-settings.ts'
import type { FigureKey } from './figures.ts'
import type { PublicLocale } from './languages.ts'

/** A public figure, the query that gives it and what that query gave. */
export interface PublicFigure {
  key: FigureKey
  sql: string
  value: string
}

export interface SettingChange {
  /** `hardCapUsd`, or `stages.3.goalUsd` for what belongs to one stage. */
  setting: string
  before: unknown
  after: unknown
  at: string
}

export interface PriceChange {
  priceUsd: string
  previousUsd: string | null
  at: string
  reason: string
}

/** A delivery round whose list is published. */
export interface FrozenRound {
  number: number
  frozenAt: string
  rows: number
  tokens: string
  root: string
  sha256: string
  /** What its distributor held and had paid out by the last look at a final block; null until the round is live. */
  look: Round['look']
}

/** Somebody else who looks at the public journal. */
export interface JournalWitness {
  name: string
  vkey: string
  /** The largest size of the journal that it confirmed, and when; null where it never did. */
  size: string | null
  seenAt: string | null
}

/** The newest checkpoint of the public journal. */
export interface JournalHead {
  witnesses: JournalWitness[]
  origin: string
  vkey: string
  size: string
  root: string
  signedAt: string
}

export interface Transparency {
  figures: PublicFigure[]
  computedAt: string
  /** Null before the journal's beginning. */
  journal: JournalHead | null
  /** The newest first. */
  rounds: FrozenRound[]
  equation: Equation
  prices: Lines<PriceChange>
  changes: Lines<SettingChange>
  contracts: SaleCounts
  /** Null before the journal's beginning. */
  origins: FigureOrigins | null
  ledgerCheck: Reserves['ledgerCheck']
  /** Tokens of buyers that no live round and no escrow owes: the seller does. */
  undelivered: string
}

/** A part of a history, newest first, and what to ask for to see the lines before it. */
export interface Lines<Line> {
  items: Line[]
  next: string | null
}

/** An entry of the journal, and its number. */
export interface OriginEntry {
  place: string
  entry: string
}

/** The newest entries that figures follow from; of settings by their names, those alone that were changed. */
export type FigureOrigins = Record<
  'orders' | 'grants' | 'refunds' | 'rounds' | 'price',
  OriginEntry | null
> & {
  settings: Record<string, OriginEntry>
}

/** Counts that the answers about a sale rest on. */
export interface SaleCounts {
  /** Escrows in force, and distributors of live rounds. */
  escrows: number
  rounds: number
  /** Of both, those where other code stands than was put in force. */
  otherCode: number
  /** How often the price was changed, and when stages begin and end or how much they take. */
  priceChanges: number
  startChanges: number
  endChanges: number
}

/** One thing that is owed, and what is there for it. */
export interface ReservesRow {
  key: string
  /** Money owed back; tokens of a live round; tokens in no contract; what an escrow keeps. */
  kind: 'refunds' | 'round' | 'undelivered' | 'escrow_tokens' | 'escrow_money'
  /** A currency's code; null: the token of the sale. */
  asset: string | null
  /** The currency's network, the round's number or the escrow's address. */
  about: string | null
  /** Null where nobody has read it. */
  owed: string | null
  /** Of refunds: since when the oldest is owed that is not paid back; null where none is. */
  since?: string | null
  /** Null where it is not known. */
  there: string | null
  /** What of it lies at addresses that operators declared as the seller's own; nothing else says that they are. */
  declared?: { amount: string; addresses: string[] }
  /** The block that `there` is of, and its time. */
  height: number | null
  at: string | null
  /** `not_due`: less is there, and the published terms allow that. */
  state: 'covered' | 'short' | 'not_due' | 'unknown'
  why:
    | 'manual'
    | 'not_read'
    | 'no_look'
    | 'not_final'
    | 'nodes_disagree'
    | 'too_many_addresses'
    | 'change_unread'
    | 'stale'
    | 'no_contract'
    | 'other_code'
    | null
}

/** What the sale owes, what is there for it, and whether the ledger passes its check. */
export interface Reserves {
  computedAt: string
  rows: ReservesRow[]
  /** Null before the rules were asked for the first time. */
  ledgerCheck: {
    checkedAt: string
    /** The rules were due again since and gave no answer: whether they hold now is unknown. */
    isOld: boolean
    rules: number
    broken: { rule: string; says: string; rows: readonly string[] }[]
    /** What could not be asked: whether these hold is unknown. */
    unasked: { rule: string; says: string }[]
  } | null
  isShort: boolean
  isBroken: boolean
}

/** The page that claims without any server, as a file to keep. */
export const claimFilePath = '/claim.html'

/** The page that other sites may frame. */
export const checkoutPath = '/checkout'

/** What an address has in live rounds and in escrows. */
export interface ClaimLookup {
  /** Whether any round is live, or an escrow in force. */
  hasLive: boolean
  /** In EIP-55 form; null where none was asked for, or where that was none. */
  address: string | null
  /** Why nothing was looked up. */
  problem: 'not_address' | 'private_key' | 'too_many' | null
  claims: OwnClaim[]
  orders: EscrowOrder[]
  /** The order whose money its payer wants at another address, and that address; null where none was asked for. */
  refundTo: RefundTo | null
  /** Every escrow in force. */
  escrows: DeliveryEscrow[]
}

export interface RefundTo {
  orderId: string
  /** In EIP-55 form; null where what was given is none, or is the escrow itself. */
  to: string | null
  data: string | null
}

/** What an announcement said until it was changed. */
export interface EarlierText {
  title: LocalText
  body: LocalText
  until: string
}

/** Where somebody is who follows the announcements by mail, confirms that or ends it. */
export type FollowStep =
  | { is: 'asked' | 'confirmed' | 'left' | 'expired' }
  | { is: 'confirm' | 'leave'; key: string }
  | { is: 'refused'; sentence: string }

/** Comments below an announcement, and the nickname of the buyer who reads, which may stand beside a new one. */
export interface PageComments {
  items: PublicComment[]
  next: number | null
  nickname: string | null
}

export type PublicContent =
  | { page: 'landing' }
  | { page: 'hero' }
  | { page: 'legal'; legal: LegalText }
  | {
      page: 'updates'
      posts: Announcement[]
      next: string | null
      words: string
      isKept: boolean
      canFollow: boolean
    }
  | { page: 'follow'; step: FollowStep }
  | { page: 'update'; post: Announcement; earlier: EarlierText[]; comments: PageComments | null }
  | { page: 'transparency'; transparency: Transparency }
  | { page: 'claim'; lookup: ClaimLookup }
  | { page: 'reserves'; reserves: Reserves }
  | { page: 'verify' }
  | { page: 'giveaway'; giveaways: PublicGiveaway[]; rulesOnly: boolean }
  | { page: 'checkout'; framers: string[] }
  | { page: 'accessibility' }
  | { page: 'offline' }
  | { page: 'not-found' }
  | { page: 'joke' }
  | { page: 'not-set-up' }

export interface PublicAssets {
  /** Inlined into each page. */
  css: string
  /** Markup of what is asked for after the first frame: the islands' entry, and what makes the site one that can be installed. */
  later: string
  /** The inline script that asks for it. */
  afterFirstFrame: string
  /** Fonts above the fold, for the page's language. */
  fonts: string[]
  /** SHA-256 of the file at `claimFilePath`. */
  claimFile: string
}

export interface PublicPage {
  content: PublicContent
  locale: PublicLocale
  /** Without the language: `/privacy`. */
  path: string
  publicUrl: string
  theme: 'light' | 'dark' | null
  /** Null where nobody is asked for: what answers a form offers neither login nor dashboard. */
  signedIn: boolean | null
  /** Whether the operator has analytics for this location, so that the visitor is asked. */
  asksConsent: boolean
  assets: PublicAssets
  /** Null until a campaign is set up. */
  campaign: PublicCampaign | null
  /** The newest giveaway, until it is closed; null where none is announced or open. */
  giveaway: PublicGiveaway | null
  /** Whether another one was published before: what became of it stays public. */
  hasPastGiveaway: boolean
  /** Drawn for an operator from settings that are not saved. */
  isPreview: boolean
  /** What is accepted now. */
  currencies: PublicCurrency[]
  /** Said on every page where it is so. */
  alarm: Pick<Reserves, 'isShort' | 'isBroken'>
}
