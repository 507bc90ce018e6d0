import type { ApprovableActionName } from './actions.ts'
import type { AnalyticsProvider } from './api/analytics.ts'
import type { CommentReason } from './api/comments.ts'
import type { WebhookEvent } from './api/integrations.ts'
import type { softCapPolicies } from './campaign-settings.ts'
import { type PublicLocale, publicLocales } from './languages.ts'
import type { CoreNetwork, Network, WalletFamily, WalletScript } from './networks.ts'
import type { OrderStatus } from './order-states.ts'
import type { Right, Role } from './roles.ts'

/**
 * All fields that an audit entry holds at any depth, or that an approval request shows. `Change.audit`
 * accepts no others, and a test checks the SQL that writes the log. The display name is `field.NAME` in
 * `locales/CODE/server.po`; settings have their own. `value` is an entry that is no object.
 */
export const auditFields = [
  // Fields of approval requests, in display order.
  'order',
  'user',
  'buyer',
  'currency',
  'network',
  'due',
  'came',
  'amount',
  'usd',
  'tokens',
  'status',
  'mail',
  'language',
  'subjectLine',
  'addressFound',
  'linkFound',
  'resembles',
  'picture',
  'text',
  'title',
  'name',
  'before',
  'bonus',
  'expiryMinutes',
  'wallet',
  'addresses',
  'accountKey',
  'decimals',
  'confirmations',
  'place',
  'host',
  'address',
  'contract',
  'rate',
  'source',
  'stage',
  'startsAt',
  'endsAt',
  'revision',
  'login',
  'role',
  'email',
  'access',
  'secondFactor',
  'transaction',
  'alsoNamedBy',
  'round',
  'total',
  'root',
  'block',
  'codeHash',
  'cutAt',
  'freezeFrom',
  'startPercent',
  'cliffSeconds',
  'linearSeconds',
  'seller',
  'treasury',
  'closesAt',
  'deliverBy',
  'reviewSeconds',
  'locksFirst',
  'inEscrow',
  'leftoverTo',
  'reason',
  'again',
  'ageConfirmed',
  'alt',
  'apiKey',
  'balance',
  'belowUsd',
  'blockHash',
  'body',
  'chainId',
  'change',
  'claimed',
  'code',
  'contact',
  'delivery',
  'description',
  'disabled',
  'erc20',
  'error',
  'events',
  'evidence',
  'expiresAt',
  'expiresInDays',
  'family',
  'file',
  'fileName',
  'filters',
  'finalized',
  'format',
  'fullName',
  'hasEmail',
  'height',
  'hidden',
  'hiddenFor',
  'id',
  'image',
  'imageAlt',
  'imageId',
  'key',
  'kind',
  'left',
  'leftOut',
  'link',
  'location',
  'mediaType',
  'minedAt',
  'missing',
  'note',
  'number',
  'percent',
  'pinned',
  'position',
  'posting',
  'priceId',
  'priceUsd',
  'privacyText',
  'provider',
  'publishedAt',
  'rateSource',
  'removesSecondFactor',
  'requestedBy',
  'rows',
  'rulesText',
  'scopes',
  'script',
  'sealed',
  'secondNode',
  'secondaryChanged',
  'senders',
  'sha256',
  'sizeBytes',
  'sponsor',
  'startBps',
  'subject',
  'takesNewChain',
  'tokenContract',
  'transactionId',
  'unreadable',
  'updated',
  'url',
  'value',
  'version',
  'walletId',
  'watched',
  ...publicLocales,
] as const
export type AuditField = (typeof auditFields)[number]

const lastWord = (name: string) => name.split(' ').at(-1) ?? ''
const placeOf = (name: string) => {
  const place = auditFields.indexOf(lastWord(name) as AuditField)
  return place < 0 ? auditFields.length : place
}

/** With several currencies, a field's name is prefixed with its currency. */
export const inOrder = (summary: Readonly<Record<string, string>>): [name: string, value: string][] =>
  Object.entries(summary).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))

/** Pages translate these values. */
export interface AuditWords {
  readonly languages: PublicLocale
  readonly change: 'totp_on' | 'totp_off' | 'passkey_added' | 'passkey_removed' | 'recovery_codes_new'
  readonly chain: Network
  readonly family: WalletFamily
  readonly hiddenFor: CommentReason
  readonly kind: ApprovableActionName
  readonly network: Network
  readonly phone: 'required' | 'optional' | 'not_asked'
  readonly provider: AnalyticsProvider
  readonly rateSource: 'manual' | 'feed'
  readonly role: Role
  readonly scopes: Right
  readonly script: WalletScript
  readonly softCapPolicy: (typeof softCapPolicies)[number]
  /** Hundredths of a percent. */
  readonly startBps: number
  readonly status: OrderStatus
}

/** Not translated. */
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

/** Columns and fields share a name. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

export const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

type UnnamedField<Name, Known> = Name extends string
  ? string extends Name
    ? 'fields by any name'
    : Camel<Name> extends Known
      ? never
      : Name
  : never

type UnnamedWord<Word extends string, Field> = string extends Word
  ? never
  : Exclude<Word, Technical | (Field extends keyof AuditWords ? AuditWords[Field] : never)>

declare const values: unique symbol
/** Fields are named like the settings. */
export interface SettingValues<Settings> {
  readonly [values]: Settings
}

// Rules: RIGHT-23
/** The fields and values that pages could not name; `never` if none. */
export type Unnamed<Value, Field = never, Known = AuditField> = unknown extends Value
  ? 'a value of unknown shape'
  : Value extends SettingValues<infer Settings>
    ? Unnamed<Settings, never, string>
    : Value extends string
      ? UnnamedWord<Value, Field>
      : Value extends Date
        ? never
        : Value extends readonly (infer Item)[]
          ? Unnamed<Item, Field, Known>
          : Value extends object
            ? {
                [Name in keyof Value]-?:
                  | UnnamedField<Name, Known>
                  | Unnamed<Exclude<Value[Name], undefined>, Camel<Name & string>, Known>
              }[keyof Value]
            : never
