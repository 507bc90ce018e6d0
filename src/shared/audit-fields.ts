import type { WaitingActName } from './acts.ts'
import type { AnalyticsProvider } from './api/analytics.ts'
import type { CommentReason } from './api/comments.ts'
import type { WebhookEvent } from './api/integrations.ts'
import type { softCapPolicies } from './campaign-settings.ts'
import type { PublicLocale } from './languages.ts'
import type { CoreNetwork, Network, WalletFamily, WalletScript } from './networks.ts'
import type { OrderStatus } from './order-states.ts'
import type { Period } from './retention.ts'
import type { Right, Role } from './roles.ts'

/**
 * Every field that an entry of the audit log can hold before or after, at whatever depth. `Change.audit` takes no other, the SQL that writes the
 * log is read by a test, and the page has a name for each. `value` is an entry that is no object.
 */
export const auditFields = [
  'accent',
  'access',
  'accountKey',
  'address',
  'addresses',
  'again',
  'ageConfirmed',
  'alt',
  'amount',
  'answer',
  'apiKey',
  'ar',
  'balance',
  'before',
  'belowUsd',
  'block',
  'blockHash',
  'body',
  'bonus',
  'bonusPercent',
  'bonusShare',
  'brand',
  'buyer',
  'buyers',
  'chain',
  'chainId',
  'change',
  'claimed',
  'cliffSeconds',
  'closesAt',
  'code',
  'codeHash',
  'comments',
  'confirmations',
  'contact',
  'contract',
  'countriesExcluded',
  'countriesRefused',
  'country',
  'currency',
  'cutAt',
  'date',
  'deliverBy',
  'delivery',
  'description',
  'disabled',
  'due',
  'email',
  'en',
  'endsAt',
  'erc20',
  'error',
  'es',
  'events',
  'exchangeVideoUrl',
  'expiresAt',
  'expiresInDays',
  'expiryMinutes',
  'family',
  'faq',
  'feedRateMaxMinutes',
  'file',
  'fileName',
  'filters',
  'finalized',
  'firstEndsAt',
  'firstPromisedFor',
  'fixed',
  'followers',
  'format',
  'frameOrigins',
  'freezeFrom',
  'fullName',
  'goalUsd',
  'hardCapUsd',
  'hasEmail',
  'height',
  'hidden',
  'hiddenFor',
  'host',
  'id',
  'image',
  'imageAlt',
  'imageId',
  'inEscrow',
  'ink',
  'keptAt',
  'key',
  'kind',
  'languages',
  'left',
  'leftOut',
  'leftoverTo',
  'levels',
  'linearSeconds',
  'link',
  'listingDate',
  'location',
  'locksFirst',
  'login',
  'logoUploadId',
  'mediaType',
  'minedAt',
  'minimumAge',
  'missing',
  'mostTokens',
  'mostTokensEach',
  'name',
  'network',
  'note',
  'now',
  'number',
  'operatorUtcOffsetMinutes',
  'order',
  'orderDefaultTokens',
  'orderMaximumTokens',
  'orderMinimumTokens',
  'paper',
  'paused',
  'percent',
  'perks',
  'phone',
  'pinned',
  'place',
  'position',
  'posting',
  'priceId',
  'priceUsd',
  'promisedFor',
  'proof',
  'provider',
  'publishedAt',
  'purpose',
  'question',
  'quoteMinutes',
  'rate',
  'rateSource',
  'reason',
  'referral',
  'removesSecondFactor',
  'requestedBy',
  'retention',
  'reviewSeconds',
  'revision',
  'role',
  'root',
  'round',
  'ru',
  'scopes',
  'script',
  'sealed',
  'secondFactor',
  'secondNode',
  'secondOperator',
  'secondaryChanged',
  'seller',
  'senders',
  'sha256',
  'shares',
  'sizeBytes',
  'softCapPolicy',
  'softCapUsd',
  'soldShare',
  'source',
  'sourceUrl',
  'stage',
  'startBps',
  'startPercent',
  'startsAt',
  'status',
  'subject',
  'symbol',
  'tagline',
  'takesNewChain',
  'text',
  'threshold',
  'title',
  'tokenContract',
  'tokens',
  'total',
  'totalSupply',
  'transaction',
  'transactionId',
  'treasury',
  'unreadable',
  'updated',
  'url',
  'usd',
  'user',
  'value',
  'version',
  'vesting',
  'videoOrigins',
  'wallet',
  'walletId',
  'watched',
] as const
export type AuditField = (typeof auditFields)[number] | Period

/** Fields whose values are words of the program, with these words: the page says them in its language. */
export interface AuditWords {
  readonly languages: PublicLocale
  readonly change: 'totp_on' | 'totp_off' | 'passkey_added' | 'passkey_removed' | 'recovery_codes_new'
  readonly chain: Network
  readonly family: WalletFamily
  readonly hiddenFor: CommentReason
  readonly kind: WaitingActName
  readonly network: Network
  readonly phone: 'required' | 'optional' | 'not_asked'
  readonly provider: AnalyticsProvider
  readonly rateSource: 'manual' | 'feed'
  readonly role: Role
  readonly scopes: Right
  readonly script: WalletScript
  readonly softCapPolicy: (typeof softCapPolicies)[number]
  /** Hundredths of a per cent. */
  readonly startBps: number
  readonly status: OrderStatus
}

/** Names of formats and kinds that are the same in every language. */
type Technical =
  | CoreNetwork
  | WebhookEvent
  | `${'application' | 'image'}/${string}`
  | `0x${string}`
  | 'psbt'
  | 'csv'
  | 'coingecko'
  | 'kraken'
  | 'coinbase'

/** `full_name` as `fullName`: columns and fields share a name. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

export const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

type UnnamedField<Name> = Name extends string
  ? string extends Name
    ? 'fields by any name'
    : Camel<Name> extends AuditField
      ? never
      : Name
  : never

type UnnamedWord<Word extends string, Field> = string extends Word
  ? never
  : Exclude<Word, Technical | (Field extends keyof AuditWords ? AuditWords[Field] : never)>

// Rules: RIGHT-23
/** The fields and words in a value that the page could not name; never, where it can name all of it. */
export type Unnamed<Value, Field = never> = unknown extends Value
  ? 'a value of unknown shape'
  : Value extends string
    ? UnnamedWord<Value, Field>
    : Value extends Date
      ? never
      : Value extends readonly (infer Item)[]
        ? Unnamed<Item, Field>
        : Value extends object
          ? {
              [Name in keyof Value]-?:
                | UnnamedField<Name>
                | Unnamed<Exclude<Value[Name], undefined>, Camel<Name & string>>
            }[keyof Value]
          : never
