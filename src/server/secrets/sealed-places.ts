import type { Network } from '../../shared/networks.ts'
import { type Fragment, fragment, fragmentOf } from '../database/sql.ts'
import type { Secrets } from './secrets.ts'
import {
  markMailbox,
  markRefundAddress,
  storedAccountKey,
  storedInput,
  storedName,
  storedPhone,
  storedRefundAddress,
  storedRefundFile,
} from './stored-texts.ts'

/** Sealed values of one purpose. Each row has a key `id`. */
export interface SealedPlace {
  readonly name: string
  readonly table: Fragment
  /** The value in base64, if any. */
  readonly value: Fragment
  /** First eight characters: version and key id (`Secrets.heads`). */
  readonly head: Fragment
  /** Authenticated with the value. */
  readonly context: Fragment
  /** `set` clause that stores `new_value` (base64) and a possible `new_mark`. */
  readonly assignment: Fragment
  /** The mark by which SQL compares the sealed value, remade with each seal from the text and the row. */
  readonly mark?: { readonly of: Fragment; make(secrets: Secrets, of: string, text: string): string }
  /** Condition for rows written before this purpose was sealed. */
  readonly plain?: Fragment
}

const ownId = fragment`id::text`

function bytes(name: string, table: string, column: string, context = ownId): SealedPlace {
  const value = fragmentOf(`encode(${column}, 'base64')`)
  const head = fragmentOf(`encode(substr(${column}, 1, 6), 'base64')`)
  const assignment = fragmentOf(`${column} = decode(new_value, 'base64')`)
  return { name, table: fragmentOf(table), value, head, assignment, context }
}

const password = (name: string, table: string): SealedPlace => ({
  name,
  table: fragmentOf(table),
  value: fragment`password_hash`,
  head: fragment`left(password_hash, 8)`,
  assignment: fragment`password_hash = new_value`,
  context: fragment`''::text`,
  plain: fragment`password_hash like '$%'`,
})

/** Clear if an older program wrote it (`stored-texts.ts`). */
function stored(place: Omit<SealedPlace, 'head'>): SealedPlace {
  return { ...place, head: fragment`left(${place.value}, 8)` }
}

const holder = fragment`coalesce('user:' || user_id, 'operator:' || operator_id)`

const mail: SealedPlace = {
  name: 'mails that wait',
  table: fragment`graphile_worker._private_jobs`,
  value: fragment`payload ->> 'sealed'`,
  head: fragment`left(payload ->> 'sealed', 8)`,
  context: fragment`payload ->> 'kind'`,
  assignment: fragment`payload = jsonb_set(payload::jsonb, '{sealed}', to_jsonb(new_value))::json`,
}

const parkedMail: SealedPlace = {
  ...mail,
  name: 'mails that wait for a mail server',
  table: fragment`parked_mails`,
  assignment: fragment`payload = jsonb_set(payload, '{sealed}', to_jsonb(new_value))`,
}

// Rules: RIGHT-15, RIGHT-16
/** Only listed purposes can be sealed, so a rotation of the key misses no value. */
export const sealedPlaces = {
  totp: [bytes('secrets of authenticator apps', 'totp_secrets', 'secret_encrypted', holder)],
  'recovery-code': [
    {
      ...bytes('recovery codes', 'recovery_codes', 'code_hash', holder),
      plain: fragment`length(code_hash) = 32`,
    },
  ],
  password: [password('passwords of buyers', 'users'), password('passwords of operators', 'operators')],
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
  mailbox: [
    {
      ...bytes('mailboxes of deleted accounts', 'users', 'mailbox_sealed'),
      assignment: fragment`mailbox_sealed = decode(new_value, 'base64'), mailbox_mark = new_mark`,
      mark: { of: fragment`''::text`, make: (secrets, _of, text) => markMailbox(secrets, text) },
    },
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
    bytes('secrets of webhooks', 'webhooks', 'secret_encrypted'),
    bytes('replaced secrets of webhooks', 'webhooks', 'previous_secret_encrypted'),
  ],
  channel: [bytes('channels of operators', 'operator_channels', 'target_encrypted')],
  'analytics-secondary-key': [bytes('secondary analytics keys', 'analytics_keys', 'secondary_encrypted')],
  'chain-node': [bytes('addresses of nodes', 'chain_nodes', 'url_encrypted')],
  'rate-source': [bytes('addresses of rate sources', 'rate_sources', 'url_encrypted')],
  'journal-key': [bytes('keys of the journal', 'journal_logs', 'key_encrypted')],
  'witness-key': [bytes('key of the witness', 'witness_keys', 'key_encrypted')],
  'quote-key': [bytes('keys that sign quotes of escrows', 'quote_keys', 'key_encrypted')],
  'push-key': [bytes('key that sends to browsers', 'push_keys', 'key_encrypted')],
  'push-target': [bytes('browsers with notices', 'push_devices', 'target_encrypted')],
  mail: [mail, parkedMail],
  'mail-server': [bytes('password of the mail server', 'mail_server', 'password_sealed')],
} as const satisfies Readonly<Record<string, readonly SealedPlace[]>>

export type SealedPurpose = keyof typeof sealedPlaces
