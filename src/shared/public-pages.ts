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

export interface PublicFigure {
  key: FigureKey
  sql: string
  value: string
}

export interface SettingChange {
  /** A path such as `hardCapUsd` or `stages.3.goalUsd`. */
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

export interface FrozenRound {
  number: number
  frozenAt: string
  rows: number
  tokens: string
  root: string
  sha256: string
  /** The state at the last polled final block; null until the round is live. */
  look: Round['look']
}

export interface JournalWitness {
  name: string
  vkey: string
  /** The largest confirmed size and its time. */
  size: string | null
  seenAt: string | null
}

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
  /** Null before the journal begins. */
  journal: JournalHead | null
  /** Newest first. */
  rounds: FrozenRound[]
  equation: Equation
  prices: Lines<PriceChange>
  changes: Lines<SettingChange>
  contracts: SaleCounts
  /** Null before the journal begins. */
  origins: FigureOrigins | null
  ledgerCheck: Reserves['ledgerCheck']
  /** Tokens that the seller owes, not a live round or escrow. */
  undelivered: string
}

/** Lines are newest first; the cursor is that of older ones. */
export interface Lines<Line> {
  items: Line[]
  next: string | null
}

export interface OriginEntry {
  place: string
  entry: string
}

/** The newest entries behind each figure; for settings by name, only changed ones. */
export type FigureOrigins = Record<
  'orders' | 'grants' | 'refunds' | 'rounds' | 'price',
  OriginEntry | null
> & {
  settings: Record<string, OriginEntry>
}

export interface SaleCounts {
  /** Active escrows, live rounds. */
  escrows: number
  rounds: number
  /** Contracts whose code differs from the activated one. */
  otherCode: number
  /** Changes of the price; of stages' times and goals. */
  priceChanges: number
  startChanges: number
  endChanges: number
}

export interface ReservesRow {
  key: string
  /** Money owed back; tokens of a live round; tokens in no contract; an escrow's contents. */
  kind: 'refunds' | 'round' | 'undelivered' | 'escrow_tokens' | 'escrow_money'
  /** Null: the sale's token. */
  asset: string | null
  /** The currency's network, the round's number or the escrow's address. */
  about: string | null
  /** Null: never read. */
  owed: string | null
  /** The oldest unpaid debt of refunds. */
  since?: string | null
  /** Null if unknown. */
  there: string | null
  /** The part at addresses that operators declared as the seller's; nothing else proves that. */
  declared?: { amount: string; addresses: string[] }
  /** The block of `there`. */
  height: number | null
  at: string | null
  /** `not_due`: there is less, but the published terms allow that. */
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

export interface Reserves {
  computedAt: string
  rows: ReservesRow[]
  /** Null before the first check. */
  ledgerCheck: {
    checkedAt: string
    /** A later check gave no result, so the current state is unknown. */
    isOld: boolean
    rules: number
    broken: { rule: string; says: string; rows: readonly string[] }[]
    unasked: { rule: string; says: string }[]
  } | null
  isShort: boolean
  isBroken: boolean
}

/** This page is a file to keep: it works without a server. */
export const claimFilePath = '/claim.html'

/** The page that other sites may embed. */
export const checkoutPath = '/checkout'

export interface ClaimLookup {
  hasLive: boolean
  /** In EIP-55 form; null if missing or invalid. */
  address: string | null
  /** Why nothing was looked up. */
  problem: 'not_address' | 'private_key' | 'too_many' | null
  claims: OwnClaim[]
  orders: EscrowOrder[]
  /** The order and the other address for its refund. */
  refundTo: RefundTo | null
  escrows: DeliveryEscrow[]
}

export interface RefundTo {
  orderId: string
  /** In EIP-55 form; null if invalid or the escrow itself. */
  to: string | null
  data: string | null
}

export interface EarlierText {
  title: LocalText
  body: LocalText
  until: string
}

export type FollowStep =
  | { is: 'asked' | 'confirmed' | 'left' | 'expired' }
  | { is: 'confirm' | 'leave'; key: string }
  | { is: 'refused'; sentence: string }

/** `nickname`: the signed-in buyer's, for a new comment. */
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
  css: string
  /** Markup that loads after the first frame: the islands' entry and the web app manifest. */
  later: string
  afterFirstFrame: string
  fonts: string[]
  /** The hash of the file at `claimFilePath`. */
  claimFile: string
}

export interface PublicPage {
  content: PublicContent
  locale: PublicLocale
  /** Without the language: `/privacy`. */
  path: string
  publicUrl: string
  theme: 'light' | 'dark' | null
  /** Null if not checked: an answer to a form offers neither login nor dashboard. */
  signedIn: boolean | null
  /** True if analytics is set up for this page. */
  asksConsent: boolean
  assets: PublicAssets
  /** Null before a campaign exists. */
  campaign: PublicCampaign | null
  /** A giveaway that is announced or open. */
  giveaway: PublicGiveaway | null
  /** True if an earlier giveaway has public results. */
  hasPastGiveaway: boolean
  /** True for a page from unsaved settings. */
  isPreview: boolean
  currencies: PublicCurrency[]
  alarm: Pick<Reserves, 'isShort' | 'isBroken'>
}
