import type { Network } from '../../shared/networks.ts'
import { type Fragment, fragment, fragmentOf } from '../database/sql.ts'
import type { Secrets } from './secrets.ts'
import {
  markRefundAddress,
  storedAccountKey,
  storedInput,
  storedName,
  storedPhone,
  storedRefundAddress,
  storedRefundFile,
} from './stored-texts.ts'

/** Where values of one purpose stand sealed. Each row has a key `id`. */
export interface SealedPlace {
  readonly name: string
  readonly table: Fragment
  /** The value as base64; null where there is none. */
  readonly value: Fragment
  /** Its first eight letters: version and key (`Secrets.heads`). */
  readonly head: Fragment
  /** What the value was sealed with as its context. */
  readonly context: Fragment
  /** Puts `new_value`, base64, in its place, and `new_mark` where there is one: what follows `set`. */
  readonly assignment: Fragment
  /** What the value is compared by while it is sealed: made anew with each seal, of the text and what its row says of it. */
  readonly mark?: { readonly of: Fragment; make(secrets: Secrets, of: string, text: string): string }
  /** Which rows hold what was written before values of this purpose were sealed; none where they always were. */
  readonly plain?: Fragment
}

type Place = Pick<SealedPlace, 'context' | 'plain'> & { name: string; table: string; column: string }

/** A column of bytes. */
function bytes({ name, table, column, ...rest }: Place): SealedPlace {
  const value = fragmentOf(`encode(${column}, 'base64')`)
  const head = fragmentOf(`encode(substr(${column}, 1, 6), 'base64')`)
  const assignment = fragmentOf(`${column} = decode(new_value, 'base64')`)
  return { name, table: fragmentOf(table), value, head, assignment, ...rest }
}

/** A column of text, which holds base64. */
function text({ name, table, column, ...rest }: Place): SealedPlace {
  const value = fragmentOf(column)
  const head = fragmentOf(`left(${column}, 8)`)
  const assignment = fragmentOf(`${column} = new_value`)
  return { name, table: fragmentOf(table), value, head, assignment, ...rest }
}

/** A text that stands sealed, or clear where an older program wrote it (`stored-texts.ts`). */
function stored(place: Omit<SealedPlace, 'head'>): SealedPlace {
  return { ...place, head: fragment`left(${place.value}, 8)` }
}

const holder = fragment`coalesce('user:' || user_id, 'operator:' || operator_id)`
const ownId = fragment`id::text`
const nobody = fragment`''::text`
const isArgon = fragment`password_hash like '$%'`

const mail: SealedPlace = {
  name: 'mails that wait',
  table: fragment`graphile_worker._private_jobs`,
  value: fragment`payload ->> 'sealed'`,
  head: fragment`left(payload ->> 'sealed', 8)`,
  context: fragment`payload ->> 'kind'`,
  assignment: fragment`payload = jsonb_set(payload::jsonb, '{sealed}', to_jsonb(new_value))::json`,
}

// Rules: RIGHT-15, RIGHT-16
/**
 * Everything that is sealed under `SECRET_KEY`, by purpose. A purpose that is not here can't be sealed, so that a rotation of the key
 * leaves nothing out.
 */
export const sealedPlaces = {
  totp: [
    bytes({
      name: 'secrets of authenticator apps',
      table: 'totp_secrets',
      column: 'secret_encrypted',
      context: holder,
    }),
  ],
  'recovery-code': [
    bytes({
      name: 'recovery codes',
      table: 'recovery_codes',
      column: 'code_hash',
      context: holder,
      plain: fragment`length(code_hash) = 32`,
    }),
  ],
  password: [
    text({
      name: 'passwords of buyers',
      table: 'users',
      column: 'password_hash',
      context: nobody,
      plain: isArgon,
    }),
    text({
      name: 'passwords of operators',
      table: 'operators',
      column: 'password_hash',
      context: nobody,
      plain: isArgon,
    }),
  ],
  name: [
    stored({
      name: 'names of buyers',
      table: fragment`users u`,
      value: storedName,
      context: fragment`u.reference`,
      assignment: fragment`name = '', name_sealed = decode(new_value, 'base64')`,
      plain: fragment`u.name <> ''`,
    }),
  ],
  phone: [
    stored({
      name: 'telephones of buyers',
      table: fragment`users u`,
      value: storedPhone,
      context: fragment`u.reference`,
      assignment: fragment`phone = null, phone_sealed = decode(new_value, 'base64')`,
      plain: fragment`u.phone is not null`,
    }),
  ],
  'account-key': [
    stored({
      name: 'account keys of wallets',
      table: fragment`wallets w`,
      value: storedAccountKey,
      context: ownId,
      assignment: fragment`account_key = null, account_key_sealed = decode(new_value, 'base64')`,
      plain: fragment`w.account_key is not null`,
    }),
  ],
  'refund-address': [
    stored({
      name: 'addresses for refunds',
      table: fragment`refunds r`,
      value: storedRefundAddress,
      context: ownId,
      assignment: fragment`address = null, address_key = null, address_sealed = decode(new_value, 'base64'), address_mark = new_mark`,
      mark: {
        of: fragment`r.chain`,
        make: (secrets, chain, address) => markRefundAddress(secrets, chain as Network, address),
      },
      plain: fragment`r.address is not null`,
    }),
  ],
  'refund-file': [
    stored({
      name: 'files of refunds',
      table: fragment`refund_files f`,
      value: storedRefundFile,
      context: ownId,
      assignment: fragment`content = null, content_sealed = decode(new_value, 'base64')`,
      plain: fragment`f.content is not null`,
    }),
  ],
  'approval-request': [
    stored({
      name: 'what waits for a second operator',
      table: fragment`approval_requests p`,
      value: storedInput,
      context: ownId,
      assignment: fragment`payload = (payload - 'input') || jsonb_build_object('sealed', new_value)`,
      plain: fragment`p.payload ? 'input'`,
    }),
  ],
  'webhook-secret': [
    bytes({
      name: 'secrets of webhooks',
      table: 'webhooks',
      column: 'secret_encrypted',
      context: ownId,
    }),
    bytes({
      name: 'replaced secrets of webhooks',
      table: 'webhooks',
      column: 'previous_secret_encrypted',
      context: ownId,
    }),
  ],
  channel: [
    bytes({
      name: 'channels of operators',
      table: 'operator_channels',
      column: 'target_encrypted',
      context: ownId,
    }),
  ],
  'analytics-secondary-key': [
    bytes({
      name: 'secondary analytics keys',
      table: 'analytics_keys',
      column: 'secondary_encrypted',
      context: ownId,
    }),
  ],
  'chain-node': [
    bytes({
      name: 'addresses of nodes',
      table: 'chain_nodes',
      column: 'url_encrypted',
      context: ownId,
    }),
  ],
  'rate-source': [
    bytes({
      name: 'addresses of rate sources',
      table: 'rate_sources',
      column: 'url_encrypted',
      context: ownId,
    }),
  ],
  'journal-key': [
    bytes({
      name: 'keys of the journal',
      table: 'journal_logs',
      column: 'key_encrypted',
      context: ownId,
    }),
  ],
  'witness-key': [
    bytes({
      name: 'key of the witness',
      table: 'witness_keys',
      column: 'key_encrypted',
      context: ownId,
    }),
  ],
  'quote-key': [
    bytes({
      name: 'keys that sign quotes of escrows',
      table: 'quote_keys',
      column: 'key_encrypted',
      context: ownId,
    }),
  ],
  'push-key': [
    bytes({
      name: 'key that sends to browsers',
      table: 'push_keys',
      column: 'key_encrypted',
      context: ownId,
    }),
  ],
  'push-target': [
    bytes({
      name: 'browsers with notices',
      table: 'push_devices',
      column: 'target_encrypted',
      context: ownId,
    }),
  ],
  mail: [mail],
} as const satisfies Readonly<Record<string, readonly SealedPlace[]>>

export type SealedPurpose = keyof typeof sealedPlaces
