import type { ApprovalRequestKind } from '../../shared/api/approvals.ts'
import type { Language } from '../../shared/languages.ts'
import type { Role } from '../../shared/roles.ts'
import type { SmtpServer } from './delivery.ts'

export type { Language }

/** All mails with their template data. Amounts are decimal strings, times ISO 8601 in UTC. */
export type Mail = {
  to: string
  language: Language
  /** The mail is about an operator's access. No buyer's account with the same address counts for it. */
  isOperators?: boolean
  /** The mail server to use; omitted: the one in force when the mail is sent. */
  through?: SmtpServer
} & MailContent

export type MailContent =
  | { kind: 'confirm_email'; name: string; link: string }
  | { kind: 'change_email'; name: string; link: string }
  | { kind: 'email_changing'; name: string; newEmail: string; link: string }
  | { kind: 'reset_password'; name: string; link: string }
  | { kind: 'debt_link'; link: string }
  | { kind: 'debt_claimed'; addresses: string; link: string }
  | { kind: 'password_changed'; name: string; at: string }
  /** Which of what a new password takes back was there. */
  | { kind: 'taken_back'; name: string; factors: boolean; delivery: boolean; refunds: boolean }
  | { kind: 'moved_back'; name: string }
  /** `link` is empty for an unconfirmed address. */
  | { kind: 'account_deleting'; name: string; at: string; link: string }
  | { kind: 'account_deleted'; name: string }
  | { kind: 'operator_password_changed'; name: string; at: string }
  | { kind: 'new_sign_in'; name: string; device: string; network: string; at: string }
  | { kind: 'failed_attempts'; name: string; attempts: number; networks: string; at: string }
  | { kind: 'api_key_ends'; name: string; key: string; hint: string; at: string }
  | { kind: 'code_used_again'; name: string; network: string; at: string }
  | { kind: 'second_factor_changed'; name: string; change: SecondFactorChange; at: string; link: string }
  | { kind: 'operator_second_factor_changed'; name: string; change: SecondFactorChange; at: string }
  | { kind: 'delivery_address_typed'; name: string; address: string; link: string }
  | { kind: 'delivery_address_named'; name: string; address: string; countsFrom: string }
  | {
      kind: 'round_announced'
      name: string
      freezeFrom: string
      /** Deadline to sign or confirm an address for the round. */
      nameBy: string
      /** Confirmed but not active yet. */
      waiting: { address: string; countsFrom: string } | null
      /** Named for a former delivery network, where it no longer counts. */
      elsewhere: string | null
      link: string
    }
  | {
      kind: 'giveaway_won'
      name: string
      prize: string
      sponsor: string
      /** Deadline to confirm the prize before an alternate gets it. */
      confirmBy: string
      link: string
    }
  | { kind: 'follow_confirm'; link: string }
  | { kind: 'announcement'; title: string; beginning: string; link: string; leaveLink: string }
  | { kind: 'delivery_change_withdrawn'; name: string; address: string | null }
  | ({ kind: 'order_created'; until: string; watched: boolean } & OrderFacts)
  | ({ kind: 'order_approved'; watched: boolean } & OrderFacts)
  | ({ kind: 'order_rejected'; watched: boolean; byOperator: boolean; isOwed: boolean } & OrderFacts)
  | ({ kind: 'order_reversed'; isTakenBack: boolean } & OrderFacts)
  | ({ kind: 'order_underpaid'; bought: string; asked: string; until: string } & OrderFacts)
  | ({ kind: 'wallet_changed' } & OrderFacts)
  | ({ kind: 'refund_due' } & RefundFacts)
  | ({ kind: 'refund_claimed'; address: string } & RefundFacts)
  | ({ kind: 'refund_paid'; address: string; transactionId: string; isByWord: boolean } & RefundFacts)
  | { kind: 'operator_invitation'; login: string; role: Role; link: string }
  | { kind: 'operator_link'; login: string; link: string }
  | { kind: 'operator_notice'; lines: readonly string[]; link: string }
  | { kind: 'owner_notice'; notice: OwnerNotice; by: string; at: string }

export type SecondFactorChange =
  | 'totp_on'
  | 'totp_off'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_new'

export interface OrderFacts {
  name: string
  number: string
  currency: string
  cryptoAmount: string
  receiveTokens: string
  bonusTokens: string
  usd: string
  link: string
}

export interface RefundFacts {
  name: string
  number: string
  currency: string
  amount: string
  usd: string
  link: string
}

export type OwnerNotice =
  | { what: 'wallet_changed'; currency: string; before: string; after: string }
  | { what: 'wallet_announced'; wallet: string; key: string }
  | { what: 'rate_source_changed'; currency: string; before: string; after: string }
  | { what: 'mail_server_changed'; before: string; after: string }
  | { what: 'role_changed'; login: string; before: string; after: string }
  | { what: 'operator_invited'; login: string; role: Role }
  | { what: OperatorEvent; login: string }
  | { what: 'people_read'; login: string; rows: string; list: string }
  | {
      what: 'approval_waiting'
      action: ApprovalRequestKind
      summary: Record<string, string>
      /** When it executes by itself. */
      dueAt?: string | undefined
    }
  | {
      what: 'approval_confirmed'
      action: ApprovalRequestKind
      summary: Record<string, string>
      asked: string
    }

export type OperatorEvent =
  | 'link_renewed'
  | 'second_factor_removed'
  | 'operator_disabled'
  | 'operator_enabled'
  | 'operator_email_changed'
  | 'api_key_made'
  | 'api_key_renewed'
