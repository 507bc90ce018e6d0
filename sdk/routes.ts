// Made by write-routes.ts of docs/openapi.json.

export type AddressProof = { state: 'announced' | 'fixed' | 'other' | 'escrow' | 'unsaid'; announcedAt: string | null; file: string | null; vkey: string | null; witnesses: Array<string> }

export type AmountInput = string

export type AnalyticsKey = { id: number; apiKey: string; secondaryMasked: string | null; location: string; provider: 'plausible' | 'ga4' | 'meta' | 'other'; createdAt: Instant; revision: number }

export type AnalyticsKeyInput = { apiKey: string; apiKeySecondary?: string | null; location: string; provider?: 'plausible' | 'ga4' | 'meta' | 'other' }

export type Announcement = { id: number; title: LocalText; body: LocalText; image: AnnouncementImage | null; pinned: boolean; publishedAt: Instant; editedAt: Instant | null; views: number; reactions: Record<string, number>; ownReactions: Array<'heart' | 'fire' | 'laugh' | 'wow'>; isKept: boolean }

export type AnnouncementImage = { url: string; width: number; height: number; alt: LocalText }

export type AnnouncementInput = { title: { en?: string; ru?: string; es?: string; ar?: string }; body: LocalTextInput; image: { name: string; alt: { en?: string; ru?: string; es?: string; ar?: string } } | null; pinned: boolean; publishedAt: string | null }

export type ApiKey = { id: number; name: string; hint: string; scopes: Array<'users:read' | 'orders:read' | 'ledger:read' | 'orders:decide' | 'content:write' | 'audit:read' | 'events:read'>; operator: string; createdAt: Instant; lastUsedAt: Instant | null; expiresAt: Instant | null; revokedAt: Instant | null }

export type Attention = { kind: 'rate_stale' | 'mail_failing' | 'job_stuck' | 'events_waiting' | 'second_operator' | 'wallet_changing' | 'mail_unsent' | 'sale_paused' | 'webhook_failing' | 'payments_to_decide' | 'settlement_failing' | 'refunds_due' | 'comments_reported' | 'giveaway_undrawn' | 'prizes_to_hand_over' | 'chain_failing' | 'chain_lagging' | 'distributor_failing' | 'escrow_failing' | 'stage_ending'; subject: string | null; name: string | { en: string; ru: string; es?: string; ar?: string } | null; count: number | null; since: Instant | null; detail: string | null }

export type AuditEntry = { id: string; at: Instant; operator: { id: string; login: string } | null; action: string; subjectType: string; subjectId: string; before: unknown; after: unknown; requestId: string | null }

export type BoundInput = { currency: string; amount: AmountInput; unit: 'token' | 'crypto'; payer?: string }

export type BoundQuote = { currency: string; baseTokens: Decimal; bonusTokens: Decimal; bonusPercent: Decimal; levelKey: string; receiveTokens: Decimal; cryptoAmount: Decimal; usd: Decimal; priceUsd: Decimal; rate: Decimal; notHeld: 'stage' | 'buyer' | 'unconfirmed' | 'payment' | null; id: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; address: string; watched: boolean; tokenContract: string | null; walletUri: string | null; qrText: string; escrow: OrderEscrow | null; createdAt: Instant; expiresAt: Instant; serverTime: Instant }

export type BuyerOrder = { number: number; token: string; status: 'pending' | 'approved' | 'rejected'; detail: 'awaiting_payment' | 'seen' | 'confirming' | 'credited' | 'expired' | 'cancelled' | 'underpaid' | 'overpaid' | 'late' | 'under_review' | 'refund_due' | 'refunded' | 'approved_by_operator' | 'rejected_by_operator' | 'reversed'; currency: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; watched: boolean; address: string; walletUri: string | null; qrText: string; escrow: OrderEscrow | null; cryptoAmount: Decimal; baseTokens: Decimal; bonusTokens: Decimal; bonusPercent: Decimal; heldPercent: Decimal; receiveTokens: Decimal; usd: Decimal; priceUsd: Decimal; rate: Decimal; transactionId: string | null; held: boolean; withdrawnByOperator: boolean; approvedVia: 'chain' | 'operator' | null; acceptedTexts: { terms: number; risks: number } | null; createdAt: Instant; updatedAt: Instant; expiresAt: Instant; lateUntil: Instant | null; restUntil: Instant | null; declareUntil: Instant | null; approvedAt: Instant | null; actions: Array<'approve' | 'reject' | 'cancel' | 'expire' | 'hide' | 'enter_transaction_id' | 'choose_late' | 'claim_refund'>; events: Array<OrderEvent>; payments: Array<OrderPayment> }

export type CampaignChange = { setting: string; before: unknown; after: unknown; at: Instant }

export type CampaignSettings = { name: string; symbol: string; tagline: LocalText; purpose: { en: string; ru: string; es?: string; ar?: string }; seller: { name: string; address: string; contact: string; country: string }; totalSupply: TokenAmount; hardCapUsd: UsdAmount; softCapUsd: UsdAmount; softCapPolicy: 'refund' | 'none'; shares: Array<ShareSettings>; soldShare: string; bonusShare: string; buyers: { countriesRefused: Array<CountryCode>; minimumAge: number; phone: 'required' | 'optional' | 'not_asked' }; operatorUtcOffsetMinutes: number; orderMinimumTokens: TokenAmount; orderMaximumTokens: TokenAmount; orderDefaultTokens: TokenAmount; listingDate: string | null; levels: Array<LevelSettings>; delivery: { network: string; chain: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; tokenContract: string | null; date: string | null; vesting: LocalText }; brand: { accent: string | null; ink: string | null; paper: string | null; now: string | null; logoUploadId: string | null }; quoteMinutes: number; expiryMinutes: { watched: number; fixed: number }; feedRateMaxMinutes: number; secondOperator: boolean; retention: { unusedQuotes: number; declarations: number; deletedAccounts: number; endedSessions: number; loginNetworks: number; failedAttempts: number; oneTimeLinks: number; failedJobs: number; webhookDeliveries: number; decidedActs: number; unusedUploads: number }; referral: ReferralSettings | null; faq: Array<{ key: string; question: { en: string; ru: string; es?: string; ar?: string }; answer: { en: string; ru: string; es?: string; ar?: string } }>; comments: boolean; followers: boolean; languages: Array<'en' | 'ru' | 'es' | 'ar'>; frameOrigins: Array<string>; exchangeVideoUrl: string | null; videoOrigins: Array<string>; sourceUrl: string | null }

export type CountryCode = string

export type CurrencyInput = { code: string; fullName: string; rate: string; address: string; network?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; erc20?: boolean; tokenContract?: string | null; rateSource?: 'manual' | 'feed'; priceId?: string | null }

export type Decimal = string

export type DecisionAsSeenInput = { reason?: string; status?: 'pending' | 'approved' | 'rejected' }

export type DeclarationInput = { acceptTerms: boolean; termsVersion?: number; risksVersion?: number; country?: CountryCode; ageConfirmed?: boolean }

export type DocumentInput = { title: { en?: string; ru?: string; es?: string; ar?: string }; fileName: string; uploadName: string }

export type DocumentMoveInput = { from: number; to: number }

export type DocumentReplacementInput = { uploadName: string; fileName: string; revision: number }

export type EmailAddressInput = string

export type ErrorBody = { error: { code: 'malformed_request' | 'invalid_input' | 'not_found' | 'method_not_allowed' | 'too_large' | 'unsupported_media_type' | 'too_many_requests' | 'internal' | 'unavailable' | 'cross_site_request' | 'not_signed_in' | 'session_ended' | 'not_for_your_role' | 'step_up_required' | 'second_factor_required' | 'second_factor_missing' | 'second_factor_wrong' | 'passkey_refused' | 'login_failed' | 'registration_failed' | 'password_wrong' | 'password_too_common' | 'link_expired' | 'events_gone' | 'last_owner' | 'login_taken' | 'channels_full' | 'own_email_missing' | 'email_taken' | 'nickname_taken' | 'account_has_pending' | 'referral_closed' | 'conflict' | 'idempotency_key_reused' | 'idempotency_in_progress' | 'sale_not_ready' | 'sale_paused' | 'currency_paused' | 'currency_off' | 'currency_unknown' | 'rate_stale' | 'address_missing' | 'stage_not_started' | 'stage_closed' | 'cap_reached' | 'soft_cap_missed' | 'supply_reached' | 'amount_invalid' | 'amount_below_minimum' | 'amount_above_maximum' | 'quote_unknown' | 'quote_expired' | 'quote_used' | 'terms_not_accepted' | 'terms_changed' | 'country_refused' | 'declaration_missing' | 'phone_required' | 'too_many_open_orders' | 'place_not_held' | 'order_unknown' | 'order_not_cancellable' | 'order_changed' | 'order_state' | 'order_not_declared' | 'order_not_hidable' | 'transaction_id_taken' | 'transaction_id_not_needed' | 'tokens_claimed' | 'two_owners_needed' | 'operator_email_needed' | 'second_operator_required' | 'currency_exists' | 'currency_watched' | 'currency_in_use' | 'token_contract_missing' | 'address_invalid' | 'delivery_chain_missing' | 'delivery_network_other' | 'delivery_address_ours' | 'delivery_address_same' | 'delivery_text_expired' | 'smart_account_missing' | 'permit_wrong' | 'signature_wrong' | 'tokens_allocated' | 'delivery_token_missing' | 'giveaway_unknown' | 'giveaway_published' | 'giveaway_incomplete' | 'giveaway_times' | 'giveaway_running' | 'giveaway_rules_other' | 'giveaway_not_open' | 'giveaway_unconfirmed' | 'comments_off' | 'comment_unconfirmed' | 'followers_off' | 'follow_address' | 'giveaway_country' | 'giveaway_entered' | 'giveaway_not_won' | 'giveaway_not_confirmed' | 'round_unknown' | 'round_open' | 'round_state' | 'round_network' | 'round_too_early' | 'round_cut' | 'escrow_missing' | 'escrow_needs_wallet' | 'currency_has_orders' | 'currency_in_escrow' | 'escrow_payer_missing' | 'escrow_not_held' | 'order_not_escrowed' | 'escrow_full' | 'order_in_escrow' | 'order_signed' | 'escrow_unknown' | 'escrow_state' | 'escrow_open' | 'escrow_soft_cap' | 'escrow_times' | 'escrow_currency' | 'escrow_token_unknown' | 'escrow_not_made' | 'escrow_not_open' | 'escrow_other_key' | 'escrow_not_locked' | 'node_silent' | 'node_other_network' | 'node_address_refused' | 'node_in_both_places' | 'node_of_environment' | 'node_unknown' | 'rate_source_address_refused' | 'rate_source_silent' | 'rate_source_unknown' | 'rate_source_of_environment' | 'rate_source_twice' | 'rate_sources_full' | 'nodes_disagree' | 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | 'round_empty' | 'soft_cap_open' | 'refund_address_ours' | 'private_key_refused' | 'rates_unavailable' | 'setting_locked' | 'user_unknown' | 'grant_unknown' | 'already_reversed' | 'stages_overlap' | 'stage_in_use' | 'reason_required' | 'upload_type_refused' | 'uploads_full' | 'upload_unreadable' | 'upload_unknown' | 'text_required' | 'key_exists' | 'location_refused' | 'action_decided' | 'action_own' | 'action_related' | 'action_expired' | 'webhook_url_refused' | 'push_address_refused' | 'push_devices_full' | 'busy_exporting' | 'account_key_invalid' | 'account_key_network' | 'wallet_unknown' | 'wallet_not_checked' | 'wallet_addresses_differ' | 'chain_unknown' | 'chain_not_followed' | 'token_decimals' | 'payment_unknown' | 'payment_state' | 'refund_unknown' | 'refund_state' | 'refund_address_fixed' | 'refund_prepared' | 'refund_file_unknown' | 'refund_too_small' | 'refund_funds_missing'; message: string; details?: Record<string, unknown>; issues?: Array<{ path: string; code: 'required' | 'wrong_type' | 'wrong_format' | 'not_an_option' | 'unknown_field' | 'too_short' | 'too_long' | 'too_small' | 'too_large' | 'too_few' | 'too_many' | 'invalid' | 'name_missing' | 'email_missing' | 'email_format' | 'phone_format' | 'login_missing' | 'password_missing' | 'passwords_differ' | 'code_format' | 'proof_missing' | 'nickname_format' | 'text_missing' | 'faq_lasting' | 'faq_live' | 'moment_past' | 'closes_too_early' | 'label_missing' | 'control_characters' | 'country_format' | 'number_format' | 'decimal_format' | 'percentage_format' | 'not_positive' | 'transaction_id_format' | 'signature_format' | 'key_format' | 'currency_short' | 'full_name_short' | 'address_short' | 'rate_not_positive' | 'api_key_missing' | 'location_missing' | 'shares_total' | 'share_unknown' | 'share_taken' | 'soft_cap_above' | 'minimum_above' | 'default_outside' | 'name_taken' | 'level_order' | 'level_bonus' | 'end_before_start' | 'color_format' | 'ink_contrast' | 'image_missing' | 'https_format' | 'origin_format' | 'mail_variable_unknown' | 'mail_braces' | 'mail_part_missing' | 'mail_part_alone' | 'mail_link' | 'last_rule_open' | 'rule_order' | 'bonus_differs' | 'email_differs' | 'amounts_differ' | 'address_differs' | 'amount_differs'; message: string }>; requestId: string } }

export type EvmWalletChangeInput = { address: string; replaces?: Record<string, string> }

export type FailedAttempt = { reason: 'password' | 'code' | 'used_code' | 'step_up'; network: string; attempts: number; firstAt: Instant; lastAt: Instant }

export type Grant = { id: string; userId: number; email: string; amount: Decimal; reason: string; at: Instant; operator: string | null; reversedAt: Instant | null }

export type GrantInput = { email: string; amount: AmountInput; reason?: string }

export type HoldingProof = { day: string | null; file: string | null; vkey: string | null; witnesses: Array<string> }

export type Holdings = { balanceTokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; depositsUsd: Decimal; usdtEquivalent: Decimal | null; valueAtSalePriceUsd: Decimal | null; levelKey: string; bonusPercent: Decimal; nextLevelKey: string | null; nextThreshold: Decimal | null; progressPercent: Decimal }

export type Instant = string

export type InvitationInput = { login: OperatorLogin; role: 'owner' | 'finance' | 'content' | 'support'; email?: EmailAddressInput }

export type InvitationUseInput = { token: LinkToken; password: NewPassword; confirmPassword?: string; email?: EmailAddressInput; language?: Language }

export type KnownPassword = string

export type Language = 'en' | 'ru' | 'es'

export type LeaderboardRow = { rank: number; player: string; depositsUsd: Decimal; levelKey: string; own: boolean }

export type LedgerEntry = { id: string; posting: string; kind: string; orderId: number | null; account: string; asset: string; amount: Decimal; at: Instant }

export type LegalText = { kind: 'terms' | 'risks' | 'privacy'; version: number; body: LocalText; publishedAt: Instant | null; latestVersion: number }

export type LevelSettings = { key: string; name: string | { en: string; ru: string; es?: string; ar?: string }; threshold: TokenAmount; bonusPercent: string; description: LocalText; perks: Array<{ key: string; text: LocalText; link: string | null; promisedFor: string | null; firstPromisedFor: string | null; proof: string | null; keptAt: string | null }> }

export type LevelSettingsInput = { key: string; name: string | { en?: string; ru?: string; es?: string; ar?: string }; threshold: TokenAmount; bonusPercent: string; description: LocalTextInput; perks: Array<{ key: string; text: LocalTextInput; link?: string | null; promisedFor?: string | null; firstPromisedFor?: string | null; proof?: string | null; keptAt?: string | null }> }

export type LinkToken = string

export type LocalText = { en: string; ru: string; es?: string; ar?: string }

export type LocalTextInput = { en?: string; ru?: string; es?: string; ar?: string }

export type LoginInput = { email: string; password: KnownPassword; code?: SecondFactorCode; as?: SessionAs }

export type NewPassword = string

export type Nickname = string

export type NumberInPathInput = string

export type Operator = { id: string; reference: string; login: string; role: 'owner' | 'finance' | 'content' | 'support'; email: string | null; hasPassword: boolean; hasSecondFactor: boolean; createdAt: Instant; lastLoginAt: Instant | null; disabledAt: Instant | null; revision: number }

export type OperatorAnnouncement = { id: number; title: LocalText; body: LocalText; image: AnnouncementImage | null; pinned: boolean; publishedAt: Instant | null; editedAt: Instant | null; views: number; reactions: Record<string, number>; imageName: string | null; state: 'draft' | 'scheduled' | 'published'; createdAt: Instant; updatedAt: Instant; author: string | null; revision: number; viewsToday: number }

export type OperatorCampaign = { settings: CampaignSettings; revision: number; priceUsd: Decimal | null; stages: Array<OperatorStage>; pausedAt: Instant | null; pauseReason: { en: string; ru: string; es?: string; ar?: string } | null; locked: boolean; missing: Array<string>; advised: Array<string> }

export type OperatorChain = { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; family: 'bitcoin' | 'evm'; configured: boolean; nodes: Array<{ place: number; kind: 'core' | 'esplora' | 'evm'; host: string; source: 'environment' | 'page'; setAt: Instant | null; setBy: string | null }>; height: number | null; nodeHeight: number | null; lagBlocks: number | null; finalizedHeight: number | null; polledAt: Instant | null; leader: string | null; epoch: string; lastError: string | null; lastErrorAt: Instant | null; failingSince: Instant | null; stopped: boolean; openAddresses: number; confirmationRules: Array<{ belowUsd: Decimal | null; confirmations: number; finalized: boolean }>; refundSenders: Array<string>; revision: number }

export type OperatorCurrency = { id: number; code: string; fullName: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; address: string; erc20: boolean; tokenContract: string | null; rate: Decimal; rateSource: 'manual' | 'feed'; rateAt: Instant; priceId: string | null; watched: boolean; inEscrow: boolean; switchedOffAt: Instant | null; pausedAt: Instant | null; pauseReason: { en: string; ru: string; es?: string; ar?: string } | null; unavailable: 'paused' | 'rate_stale' | 'address_missing' | null; rateProblem?: 'no_source' | 'too_few' | 'disagree' | 'no_price' | null; openOrders: number; revision: number }

export type OperatorLogin = string

export type OperatorLoginInput = { login: string; password: KnownPassword; code?: SecondFactorCode; as?: 'cookie' | 'token' }

export type OperatorMe = { reference: string; login: string; role: 'owner' | 'finance' | 'content' | 'support'; rights: Array<'users:read' | 'orders:read' | 'ledger:read' | 'notes:write' | 'orders:decide' | 'grants:write' | 'refunds:write' | 'delivery:write' | 'currencies:write' | 'campaign:write' | 'content:write' | 'analytics:write' | 'webhooks:write' | 'api-keys:write' | 'operators:write' | 'settings:write' | 'events:read' | 'audit:read' | 'audit:read-all'>; language: 'en' | 'ru' | 'es'; hasSecondFactor: boolean; lacksSecondFactor: boolean; authenticatedAt: Instant }

export type OperatorOrder = { id: number; token: string; status: 'pending' | 'approved' | 'rejected'; detail: 'awaiting_payment' | 'seen' | 'confirming' | 'credited' | 'expired' | 'cancelled' | 'underpaid' | 'overpaid' | 'late' | 'under_review' | 'refund_due' | 'refunded' | 'approved_by_operator' | 'rejected_by_operator' | 'reversed'; hidden: boolean; held: boolean; watched: boolean; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; currency: string; cryptoAmount: Decimal; address: string; email: string; userId: number; userReference: string; baseTokens: Decimal; bonusTokens: Decimal; receiveTokens: Decimal; usd: Decimal; stageId: number; transactionId: string | null; paidBy: string | null; country: string | null; approvedVia: 'chain' | 'operator' | null; createdAt: Instant; updatedAt: Instant; expiresAt: Instant; approvedAt: Instant | null; actions: Array<'approve' | 'reject' | 'cancel' | 'expire' | 'hide' | 'enter_transaction_id' | 'choose_late' | 'claim_refund'>; withheld: 'order_signed' | 'order_in_escrow' | 'order_not_declared' | 'paid_back' | 'soft_cap_missed' | null }

export type OperatorOrderPage = { id: number; token: string; status: 'pending' | 'approved' | 'rejected'; detail: 'awaiting_payment' | 'seen' | 'confirming' | 'credited' | 'expired' | 'cancelled' | 'underpaid' | 'overpaid' | 'late' | 'under_review' | 'refund_due' | 'refunded' | 'approved_by_operator' | 'rejected_by_operator' | 'reversed'; hidden: boolean; held: boolean; watched: boolean; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; currency: string; cryptoAmount: Decimal; address: string; email: string; userId: number; userReference: string; baseTokens: Decimal; bonusTokens: Decimal; receiveTokens: Decimal; usd: Decimal; stageId: number; transactionId: string | null; paidBy: string | null; country: string | null; approvedVia: 'chain' | 'operator' | null; createdAt: Instant; updatedAt: Instant; expiresAt: Instant; approvedAt: Instant | null; actions: Array<'approve' | 'reject' | 'cancel' | 'expire' | 'hide' | 'enter_transaction_id' | 'choose_late' | 'claim_refund'>; withheld: 'order_signed' | 'order_in_escrow' | 'order_not_declared' | 'paid_back' | 'soft_cap_missed' | null; bonusPercent: Decimal; priceUsd: Decimal; rate: Decimal; sameTransaction: Array<number>; declarations: Record<string, unknown>; events: Array<OrderEvent>; payments: Array<OrderPayment>; entries: Array<{ posting: string; kind: string; account: string; asset: string; amount: Decimal; at: Instant }> }

export type OperatorPasswordInput = { name: string; oldPassword: string; newPassword: NewPassword; confirmPassword?: string }

export type OperatorPayment = { id: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; transactionId: string; address: string; asset: string; currency: string | null; amount: Decimal; state: 'seen' | 'confirming' | 'credited' | 'final' | 'replaced' | 'orphaned' | 'failed' | 'wrong_asset' | 'unmatched' | 'returned'; confirmations: number; confirmationsNeeded: number; lacks: 'confirmations' | 'final_block' | 'second_node' | null; toDecide: boolean; blockHeight: number | null; replacedBy: string | null; orderId: number | null; orderToken: string | null; userReference: string | null; credited: Decimal; owed: Decimal; seenAt: Instant; writtenOff: { at: Instant; reason: string } | null; explorerUrl: string | null }

export type OperatorRefund = { id: string; currency: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; amount: Decimal; usd: Decimal; reason: string; state: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'; owedAt: Instant; address: string | null; changeableUntil: Instant | null; transactionId: string | null; confirmations: number; paidAt: Instant | null; paidVia: 'chain' | 'operator' | null; explorerUrl: string | null; orderId: number | null; userReference: string; paymentId: string | null; preparedAt: Instant | null; preparedBy: string | null; fileId: string | null; otherTransfers: Array<{ transactionId: string; amount: Decimal; isOurs: boolean; blockHeight: number | null; explorerUrl: string | null }> }

export type OperatorSignedIn = { operator: OperatorMe; token?: string; expiresAt: Instant }

export type OperatorStage = { id: number; name: string | { en: string; ru: string; es?: string; ar?: string }; goalUsd: Decimal; priceUsd: Decimal; startsAt: Instant; endsAt: Instant; firstEndsAt: Instant | null; state: 'upcoming' | 'open' | 'paused' | 'goal_reached' | 'ended'; raisedUsd: Decimal; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal; progressPercent: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; endMoved: boolean }

export type OperatorUser = { id: number; reference: string; name: string; email: string; phone: string | null; balanceTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; purchasedTokens: Decimal; depositsUsd: Decimal; levelKey: string; registeredAt: Instant }

export type OperatorWallet = { id: number; name: string; family: 'bitcoin' | 'litecoin' | 'dogecoin' | 'evm'; script: 'p2wpkh' | 'p2sh-p2wpkh' | 'p2pkh' | 'evm'; net: 'main' | 'test' | 'regtest'; accountKey: string; nextIndex: number; highestIndexUsed: number | null; highestIndexPaid: number | null; gapLimit: number; checkedAt: Instant | null; firstAddresses: Array<string>; currencies: Array<string> }

export type OrderCounts = { waiting: { count: number; isMore: boolean }; with_transaction_id: { count: number; isMore: boolean }; seen: { count: number; isMore: boolean }; odd: { count: number; isMore: boolean }; approved: { count: number; isMore: boolean }; all: { count: number; isMore: boolean } }

export type OrderEscrow = { contract: string; chainId: number; payer: string; closesAt: Instant; deliverBy: Instant; locksFirst: boolean }

export type OrderEvent = { at: Instant; kind: string; actor: string; details: Record<string, unknown> }

export type OrderInput = { acceptTerms: boolean; termsVersion?: number; risksVersion?: number; country?: CountryCode; ageConfirmed?: boolean; quoteId: string }

export type OrderPayment = { id: string; transactionId: string; amount: Decimal; currency: string | null; state: string; confirmations: number; confirmationsNeeded: number; seenAt: Instant; explorerUrl: string | null }

export type OrderProof = { proof: string | null; vkey: string | null; witnesses: Array<string> }

export type OrderRate = { currency: string; rate: Decimal; priceUsd: Decimal; source: 'manual' | 'feed'; fromAt: Instant | null; reading: { priceUsd: Decimal | null; readAt: Instant; sources: Array<{ source: string; priceUsd: Decimal | null; at: Instant | null; used: boolean; problem: string | null }> } | null }

export type OrderRow = { number: number; token: string; status: 'pending' | 'approved' | 'rejected'; detail: 'awaiting_payment' | 'seen' | 'confirming' | 'credited' | 'expired' | 'cancelled' | 'underpaid' | 'overpaid' | 'late' | 'under_review' | 'refund_due' | 'refunded' | 'approved_by_operator' | 'rejected_by_operator' | 'reversed'; currency: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; watched: boolean; address: string; cryptoAmount: Decimal; baseTokens: Decimal; bonusTokens: Decimal; bonusPercent: Decimal; receiveTokens: Decimal; usd: Decimal; priceUsd: Decimal; rate: Decimal; transactionId: string | null; held: boolean; withdrawnByOperator: boolean; approvedVia: 'chain' | 'operator' | null; acceptedTexts: { terms: number; risks: number } | null; createdAt: Instant; updatedAt: Instant; expiresAt: Instant; lateUntil: Instant | null; restUntil: Instant | null; declareUntil: Instant | null; approvedAt: Instant | null; actions: Array<'approve' | 'reject' | 'cancel' | 'expire' | 'hide' | 'enter_transaction_id' | 'choose_late' | 'claim_refund'> }

export type Overview = { orders: { waiting: number; waitingWithPayment: number; oldestWaitingAt: Instant | null; waitingAges: { hour: number; day: number; older: number }; received: Array<{ currency: string; amount: Decimal; usd: Decimal; orders: number }>; raisedUsd: Decimal; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal; days: Array<OverviewDay>; events: Array<{ orderId: number; kind: string; actor: string; at: Instant }> } | null; users: { total: number; today: number } | null; paused: { at: Instant; reason: { en: string; ru: string; es?: string; ar?: string } | null } | null; attention: Array<Attention>; backupDrill: { workedAt: Instant; takenAt: Instant } | null; retentionDoneAt: Instant | null; computedAt: Instant }

export type OverviewDay = { day: string; raisedUsd: Decimal; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal; purchasedTokens: Decimal; orders: number; registrations: number }

export type OverviewRange = { from: string; to: string; raisedBeforeUsd: Decimal; raisedBeforeOnChainUsd: Decimal; raisedBeforeByOperatorUsd: Decimal; countedSince: string | null; received: Array<{ currency: string; amount: Decimal; usd: Decimal; orders: number }>; days: Array<{ day: string; pageViews: number; registrations: number; quotes: number; orders: number; paidOrders: number; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal }> }

export type Passkey = { id: string; name: string; createdAt: Instant; lastUsedAt: Instant | null }

export type PasskeyAnswer = Record<string, unknown>

export type PasskeyName = string

export type PasskeyOptions = Record<string, unknown>

export type PasswordInput = { currentPassword: KnownPassword; newPassword: NewPassword; confirmPassword?: string }

export type PendingAction = { id: string; kind: 'currency.add' | 'currency.update' | 'currency.evm-wallet' | 'currency.escrow' | 'rate-source.set' | 'rate-source.remove' | 'rate-source.leave-out' | 'campaign.update' | 'campaign.one-operator' | 'stage.add' | 'stage.update' | 'price.change' | 'order.approve' | 'order.reject' | 'currency.wallet' | 'wallet.add' | 'chain.confirmations' | 'chain.resume' | 'chain.node' | 'chain.node-remove' | 'chain.refund-senders' | 'payment.attach' | 'payment.refund' | 'payment.write-off' | 'refund.sent' | 'refund.paid' | 'refund.write-off' | 'grant.add' | 'grant.reverse' | 'round.announce' | 'round.freeze' | 'round.go-live' | 'escrow.announce' | 'escrow.enter' | 'giveaway.publish' | 'mail.publish' | 'operator.invite' | 'operator.change' | 'operator.renew-link'; subjectType: string; subjectId: string; summary: Record<string, string>; state: 'waiting' | 'confirmed' | 'refused' | 'expired'; requestedBy: { id: string; login: string }; requestedAt: Instant; expiresAt: Instant; decidedBy: { id: string; login: string } | null; decidedAt: Instant | null; mayConfirm: boolean; mayRefuse: boolean }

export type PersonName = string

export type PhoneNumber = string

export type PriceChange = { priceUsd: Decimal; previousUsd: Decimal | null; at: Instant; reason: string }

export type PriceInput = { priceUsd: string; previousUsd?: Decimal | null }

export type PriceUsd = string

export type Profile = { reference: string; name: string; email: string; phone: string | null; language: Language; isConfirmed: boolean; pendingEmail: string | null; showsOnLeaderboard: boolean; nickname: string | null; isDemo: boolean; registeredAt: Instant }

export type ProfileInput = { name?: PersonName; email?: EmailAddressInput; phone?: PhoneNumber | null; language?: Language; showsOnLeaderboard?: boolean; nickname?: Nickname | null; currentPassword?: KnownPassword }

export type PublicCampaign = { settings: CampaignSettings; demo: boolean; priceUsd: Decimal | null; pausedAt: Instant | null; pauseReason: { en: string; ru: string; es?: string; ar?: string } | null; softCapMissed: { at: Instant; raisedUsd: Decimal; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal } | null; stage: PublicStage | null; stages: Array<PublicStage>; raised: { usd: Decimal; onChainUsd: Decimal; byOperatorUsd: Decimal }; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; refundsOwedUsd: Decimal; approvedOrders: { onChain: number; byOperator: number }; leftTokens: Decimal; days: Array<RaisedDay>; legalVersions: { terms: number; risks: number; privacy: number }; journalKey: string | null; serverTime: Instant; computedAt: Instant }

export type PublicCurrency = { id: number; code: string; fullName: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; rate: Decimal; rateSource: 'manual' | 'feed'; rateAt: Instant; watched: boolean; inEscrow: boolean; address: string; unavailable: 'paused' | 'rate_stale' | 'address_missing' | null; rateProblem?: 'no_source' | 'too_few' | 'disagree' | 'no_price' | null; pauseReason: { en: string; ru: string; es?: string; ar?: string } | null }

export type PublicDocument = { id: number; title: LocalText; fileName: string; url: string; sizeBytes: number; sha256: string; publishedAt: Instant; revision: number; earlier: Array<{ fileName: string; url: string; sizeBytes: number; sha256: string; publishedAt: Instant; replacedAt: Instant }> }

export type PublicStage = { id: number; name: string | { en: string; ru: string; es?: string; ar?: string }; goalUsd: Decimal; priceUsd: Decimal; startsAt: Instant; endsAt: Instant; firstEndsAt: Instant | null; state: 'upcoming' | 'open' | 'paused' | 'goal_reached' | 'ended'; raisedUsd: Decimal; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal; progressPercent: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal }

export type QuoteAmounts = { currency: string; baseTokens: Decimal; bonusTokens: Decimal; bonusPercent: Decimal; levelKey: string; receiveTokens: Decimal; cryptoAmount: Decimal; usd: Decimal; priceUsd: Decimal; rate: Decimal; notHeld: 'stage' | 'buyer' | 'unconfirmed' | 'payment' | null }

export type QuoteInput = { currency: string; amount: AmountInput; unit: 'token' | 'crypto' }

export type RaisedDay = { day: string; raisedUsd: Decimal; raisedOnChainUsd: Decimal; raisedByOperatorUsd: Decimal; purchasedTokens: Decimal }

export type ReferralSettings = { percent: string; mostTokensEach: TokenAmount; mostTokens: TokenAmount; countriesExcluded: Array<CountryCode> }

export type Refund = { id: string; currency: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; amount: Decimal; usd: Decimal; reason: string; state: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'; owedAt: Instant; address: string | null; changeableUntil: Instant | null; transactionId: string | null; confirmations: number; paidAt: Instant | null; paidVia: 'chain' | 'operator' | null; explorerUrl: string | null }

export type RefundFile = { id: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; format: 'psbt' | 'csv'; fileName: string; preparedBy: string | null; preparedAt: Instant; refundIds: Array<string> }

export type RefundsOwed = { owedUsd: Decimal; count: number; oldestOwedAt: Instant | null; paidCount: number; currencies: Array<{ currency: string; amount: Decimal; usd: Decimal; count: number; oldestOwedAt: Instant }> }

export type RegisterInput = { name: PersonName; email: EmailAddressInput; phone?: PhoneNumber | null; password: NewPassword; confirmPassword?: string; language?: Language; as?: SessionAs }

export type ResetInput = { token: LinkToken; password: NewPassword; confirmPassword?: string }

export type ResetRequestInput = { email: EmailAddressInput }

export type SaleEvent = { id: string; number: number; type: 'order.created' | 'order.approved' | 'order.rejected' | 'order.expired' | 'order.cancelled' | 'grant.added' | 'grant.reversed' | 'payment.to_decide' | 'refund.owed' | 'refund.sent' | 'refund.paid' | 'refund.written_off' | 'campaign.changed' | 'webhook.test'; timestamp: Instant; data: Record<string, unknown> }

export type SecondFactor = { hasTotp: boolean; recoveryCodesLeft: number; passkeys: Array<Passkey> }

export type SecondFactorCode = string

export type Session = { id: string; kind: 'browser' | 'token'; device: string; network: string; createdAt: Instant; lastSeenAt: Instant; expiresAt: Instant; isCurrent: boolean }

export type SessionAs = 'cookie' | 'token'

export type Sessions = { items: Array<Session>; total: number }

export type SettingsChangeInput = { name: string; symbol: string; tagline: { en?: string; ru?: string; es?: string; ar?: string }; purpose?: { en?: string; ru?: string; es?: string; ar?: string }; seller: { name: string; address: string; contact: string; country: string }; totalSupply: TokenAmount; hardCapUsd: UsdAmount; softCapUsd: UsdAmount; softCapPolicy: 'refund' | 'none'; shares: Array<ShareSettingsInput>; soldShare: string; bonusShare: string; buyers: { countriesRefused: Array<CountryCode>; minimumAge: number; phone: 'required' | 'optional' | 'not_asked' }; operatorUtcOffsetMinutes: number; orderMinimumTokens: TokenAmount; orderMaximumTokens: TokenAmount; orderDefaultTokens: TokenAmount; listingDate: string | null; levels: Array<LevelSettingsInput>; delivery: { network: string; chain?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; tokenContract: string | null; date: string | null; vesting: { en?: string; ru?: string; es?: string; ar?: string } }; brand: { accent: string | null; ink?: string | null; paper?: string | null; now?: string | null; logoUploadId: string | null }; quoteMinutes: number; expiryMinutes: { watched: number; fixed: number }; feedRateMaxMinutes: number; secondOperator: boolean; retention?: { unusedQuotes?: number; declarations?: number; deletedAccounts?: number; endedSessions?: number; loginNetworks?: number; failedAttempts?: number; oneTimeLinks?: number; failedJobs?: number; webhookDeliveries?: number; decidedActs?: number; unusedUploads?: number }; referral?: { percent: string; mostTokensEach: TokenAmount; mostTokens: TokenAmount; countriesExcluded: Array<CountryCode> } | null; faq?: Array<{ key: string; question: { en?: string; ru?: string; es?: string; ar?: string }; answer: { en?: string; ru?: string; es?: string; ar?: string } }>; comments?: boolean; followers?: boolean; languages?: Array<'en' | 'ru' | 'es' | 'ar'>; frameOrigins?: Array<string>; exchangeVideoUrl: string | null; videoOrigins?: Array<string>; sourceUrl?: string | null }

export type SettlementRules = { toleranceShare: Decimal; toleranceUsd: Decimal; lockedShare: Decimal; restHours: number; lateHours: number; chooseDays: number; confirmWithinHours: number; declareDays: number; unconfirmedShare: Decimal; unpaidShare: Decimal; chains: Array<{ network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; confirmations: Array<{ belowUsd: Decimal | null; confirmations: number; finalized: boolean }> }> }

export type ShareSettings = { key: string; name: LocalText; percent: string }

export type ShareSettingsInput = { key: string; name: LocalTextInput; percent: string }

export type SignedIn = { user: Profile; token?: string; expiresAt: Instant }

export type StageSettingsInput = { name: string | { en?: string; ru?: string; es?: string; ar?: string }; goalUsd: UsdAmount; priceUsd: PriceUsd; startsAt: string; endsAt: string }

export type StepUpInput = { password?: KnownPassword; code?: SecondFactorCode; passkey?: PasskeyAnswer }

export type StrengthInput = { password: NewPassword; hints?: Array<string> }

export type TokenAmount = string

export type Upload = { name: string; url: string; mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'application/pdf'; sizeBytes: number; sha256: string; width: number | null; height: number | null }

export type UsdAmount = string

export type UserNote = { id: string; text: string; operator: string; orderId: number | null; at: Instant }

export type UserNoteInput = { text: string; orderId?: number }

export type Webhook = { id: number; url: string; events: Array<'order.created' | 'order.approved' | 'order.rejected' | 'order.expired' | 'order.cancelled' | 'grant.added' | 'grant.reversed' | 'payment.to_decide' | 'refund.owed' | 'refund.sent' | 'refund.paid' | 'refund.written_off' | 'campaign.changed' | 'webhook.test'>; description: string; disabledAt: Instant | null; createdAt: Instant; revision: number; lastDelivery: { state: 'pending' | 'delivered' | 'failed'; at: Instant } | null }

export type WebhookDelivery = { id: string; messageId: string; event: 'order.created' | 'order.approved' | 'order.rejected' | 'order.expired' | 'order.cancelled' | 'grant.added' | 'grant.reversed' | 'payment.to_decide' | 'refund.owed' | 'refund.sent' | 'refund.paid' | 'refund.written_off' | 'campaign.changed' | 'webhook.test'; payload: unknown; state: 'pending' | 'delivered' | 'failed'; attempts: Array<{ at: Instant; status: number | null; error: string | null; durationMs: number; response: string | null }>; nextAttemptAt: Instant | null; createdAt: Instant; deliveredAt: Instant | null }

export type WebhookInput = { url: string; events: Array<'order.created' | 'order.approved' | 'order.rejected' | 'order.expired' | 'order.cancelled' | 'grant.added' | 'grant.reversed' | 'payment.to_decide' | 'refund.owed' | 'refund.sent' | 'refund.paid' | 'refund.written_off' | 'campaign.changed' | 'webhook.test'>; description?: string }

export interface Routes {
  /** The own profile. */
  'GET /account': { reply: Profile }
  /** Changes the own profile; what is not given stays. */
  'PATCH /account': { body: ProfileInput; reply: Profile }
  /** Makes an account and signs it in. */
  'POST /account': { body: RegisterInput; reply: SignedIn }
  /** Mails the link that confirms the address again. */
  'POST /account/confirmations': { reply: undefined }
  /** Confirms the address, or moves the account to a new one, by a mailed link. */
  'POST /account/confirmations/use': { body: { token: LinkToken }; reply: undefined }
  /** Makes the account anonymous; refused while anything is pending or owed. */
  'POST /account/deletion': { body: { currentPassword?: KnownPassword; givesUpTokens?: boolean }; reply: undefined }
  /** Everything kept about this account, as a JSON file. */
  'GET /account/export': { reply: Record<string, unknown> }
  /** Attempts at this account that failed, as long as they are kept, newest first, at most 50. */
  'GET /account/failed-attempts': { reply: { items: Array<FailedAttempt> } }
  /** Keeps a new passkey; answers recovery codes where there are none yet. */
  'POST /account/passkeys': { body: { name: PasskeyName; answer: PasskeyAnswer }; reply: { passkey: Passkey; recoveryCodes: Array<string> } }
  /** Removes a passkey. */
  'DELETE /account/passkeys/{id}': { path: { id: string | number }; reply: undefined }
  /** A challenge for a new passkey. */
  'POST /account/passkeys/options': { reply: PasskeyOptions }
  /** Changes the password and ends the other sessions. */
  'POST /account/password': { body: PasswordInput; reply: undefined }
  /** Mails a link for a new password; answers the same whether there is such an account or not. */
  'POST /account/password-resets': { body: ResetRequestInput; reply: undefined }
  /** Sets a new password by a mailed link and ends every session. */
  'POST /account/password-resets/use': { body: ResetInput; reply: undefined }
  /** Browsers in which the buyer asked for notices. */
  'GET /account/push-devices': { reply: { items: Array<{ id: number; mark: string; device: string; tells: Array<'orders' | 'news'>; addedAt: Instant; lastSentAt: Instant | null }> } }
  /** Sends notices to this browser from now on, for as long as the session lasts; a repeat chooses anew what of. */
  'PUT /account/push-devices': { body: { endpoint: string; p256dh: string; auth: string; tells: Array<'orders' | 'news'> }; reply: { id: number; mark: string; device: string; tells: Array<'orders' | 'news'>; addedAt: Instant; lastSentAt: Instant | null } }
  /** Sends a browser nothing more. */
  'DELETE /account/push-devices/{id}': { path: { id: string | number }; reply: undefined }
  /** Which second factors are on. */
  'GET /account/second-factor': { reply: SecondFactor }
  /** Ten new recovery codes; the old ones end. */
  'POST /account/second-factor/recovery-codes': { reply: { recoveryCodes: Array<string> } }
  /** Switches the authenticator app off. */
  'DELETE /account/second-factor/totp': { reply: undefined }
  /** A secret for an authenticator app; guards nothing until its first code. */
  'POST /account/second-factor/totp': { reply: { secret: string; uri: string } }
  /** Switches the authenticator app on; answers recovery codes where there are none yet. */
  'POST /account/second-factor/totp/confirm': { body: { code: SecondFactorCode }; reply: { recoveryCodes: Array<string> } }
  /** Ends all sessions but this one. */
  'DELETE /account/sessions': { reply: { ended: number } }
  /** Where this account is signed in. */
  'GET /account/sessions': { reply: Sessions }
  /** Ends one session. */
  'DELETE /account/sessions/{id}': { path: { id: string | number }; reply: undefined }
  /** Keys that are used on one page, after the visitor agreed; none on order and operator pages. */
  'GET /analytics': { query: { path: string }; reply: { items: Array<{ provider: 'plausible' | 'ga4' | 'meta' | 'other'; key: string; location: string }> } }
  /** Published announcements, newest first; the pinned one comes apart, with the first page, unless words are looked for. */
  'GET /announcements': { query?: { after?: string; limit?: number; words?: string; kept?: string }; reply: { pinned: Announcement | null; items: Array<Announcement>; next: string | null } }
  /** One published announcement, for a shared link. */
  'GET /announcements/{id}': { path: { id: string | number }; reply: Announcement }
  /** Takes the buyer’s bookmark away. */
  'DELETE /announcements/{id}/bookmark': { path: { id: string | number }; reply: { id: number; isKept: boolean } }
  /** Bookmarks an announcement for the buyer alone; a repeat changes nothing. */
  'PUT /announcements/{id}/bookmark': { path: { id: string | number }; reply: { id: number; isKept: boolean } }
  /** Comments below an announcement, newest first; none while they are switched off. */
  'GET /announcements/{id}/comments': { path: { id: string | number }; query?: { before?: number; limit?: number }; reply: { isOn: boolean; items: Array<{ id: number; body: string | null; name: string | null; at: Instant; hidden: { at: Instant; reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful' } | null; isOwn: boolean; isReported: boolean }>; next: number | null } }
  /** Comments on an announcement in plain text; the same words again are the same comment. */
  'POST /announcements/{id}/comments': { path: { id: string | number }; body: { body: string; showsName: boolean }; reply: { id: number; body: string | null; name: string | null; at: Instant; hidden: { at: Instant; reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful' } | null; isOwn: boolean; isReported: boolean } }
  /** Takes the buyer’s reaction back. */
  'DELETE /announcements/{id}/reactions/{kind}': { path: { id: string | number; kind: 'heart' | 'fire' | 'laugh' | 'wow' }; reply: { id: number; reactions: Record<string, number>; ownReactions: Array<'heart' | 'fire' | 'laugh' | 'wow'> } }
  /** Reacts, once per buyer and kind; a repeat changes nothing. */
  'PUT /announcements/{id}/reactions/{kind}': { path: { id: string | number; kind: 'heart' | 'fire' | 'laugh' | 'wow' }; reply: { id: number; reactions: Record<string, number>; ownReactions: Array<'heart' | 'fire' | 'laugh' | 'wow'> } }
  /** The campaign: its settings and every public figure, from one reading of the ledger. */
  'GET /campaign': { reply: PublicCampaign }
  /** Every change of a setting that buyers rely on, dated, newest first. */
  'GET /campaign/changes': { query?: { after?: string; limit?: number }; reply: { items: Array<CampaignChange>; next: string | null; total?: number } }
  /** Every value that the main currency has had, newest first. */
  'GET /campaign/prices': { query?: { after?: string; limit?: number }; reply: { items: Array<PriceChange>; next: string | null; total?: number } }
  /** Takes an own comment back, for good. */
  'DELETE /comments/{id}': { path: { id: string | number }; reply: { id: number } }
  /** Reports a comment to the operators, once a buyer; a repeat changes nothing. */
  'POST /comments/{id}/reports': { path: { id: string | number }; body: { reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful' }; reply: { id: number } }
  /** What is accepted now, in the operator’s order. */
  'GET /currencies': { reply: { items: Array<PublicCurrency> } }
  /** Where the own tokens go, and what waits to become that. */
  'GET /delivery-address': { reply: { chain: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; isFollowed: boolean } | null; current: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; since: Instant } | null; waiting: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; countsFrom: Instant } | null; unconfirmed: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant } | null; elsewhere: { address: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null } | null; nextFreezeFrom: Instant | null; rounds: Array<{ number: number; frozenAt: Instant; address: string; tokens: Decimal }>; changeHours: number } }
  /** Names a typed address, which counts once the mailed link is used. */
  'POST /delivery-address': { body: { address: string }; reply: { chain: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; isFollowed: boolean } | null; current: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; since: Instant } | null; waiting: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; countsFrom: Instant } | null; unconfirmed: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant } | null; elsewhere: { address: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null } | null; nextFreezeFrom: Instant | null; rounds: Array<{ number: number; frozenAt: Instant; address: string; tokens: Decimal }>; changeHours: number } }
  /** Takes back an address that does not count yet. */
  'DELETE /delivery-address/change': { reply: { chain: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; isFollowed: boolean } | null; current: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; since: Instant } | null; waiting: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; countsFrom: Instant } | null; unconfirmed: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant } | null; elsewhere: { address: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null } | null; nextFreezeFrom: Instant | null; rounds: Array<{ number: number; frozenAt: Instant; address: string; tokens: Decimal }>; changeHours: number } }
  /** Confirms a typed address by the mailed link. */
  'POST /delivery-address/confirmations': { body: { token: LinkToken }; reply: { address: string; countsFrom: Instant } }
  /** Names the address that signed the text, or whose contract accepts the signature (EIP-1271). */
  'POST /delivery-address/signatures': { body: { nonce: string; signature: string }; reply: { chain: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; isFollowed: boolean } | null; current: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; since: Instant } | null; waiting: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant; countsFrom: Instant } | null; unconfirmed: { address: string; proof: 'signature' | 'contract' | 'typed'; lacksCode: boolean; namedAt: Instant } | null; elsewhere: { address: string; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null } | null; nextFreezeFrom: Instant | null; rounds: Array<{ number: number; frozenAt: Instant; address: string; tokens: Decimal }>; changeHours: number } }
  /** A text (EIP-4361) that proves an address once its wallet has signed it. */
  'POST /delivery-address/texts': { body: { address: string }; reply: { nonce: string; message: string; expiresAt: Instant } }
  /** Own tokens of live rounds: what is unlocked and claimed on chain, and the transaction that claims the rest. */
  'GET /delivery-claims': { reply: { items: Array<{ round: number; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; distributor: string; token: string; account: string; tokens: Decimal; startsAt: Instant; startBps: number; cliffEndsAt: Instant; endsAt: Instant; chain: { height: number; minedAt: Instant; unlocked: Decimal; claimed: Decimal; claimedNow: Decimal; due: Decimal } | null; call: { to: string; value: "0"; data: string } }> } }
  /** What was sold, given as bonus and granted, and by which contract it is owed, each by what its chain shows. */
  'GET /delivery-equation': { reply: { holds: boolean | null; items: Array<{ kind: 'distributor' | 'escrow' | 'held' | 'ledger'; name: string | { en: string; ru: string; es?: string; ar?: string } | null; purchased: Decimal; bonus: Decimal; granted: Decimal; tokens: Decimal; shown: Decimal | null; waiting: Decimal | null; height: number | null; minedAt: Instant | null; lookedAt: Instant | null; unknown: 'stale' | 'nodes_disagree' | null; holds: boolean | null }>; sql: string } }
  /** Own orders that were paid into escrows, and the transaction that claims or refunds each. */
  'GET /delivery-escrow-orders': { reply: { items: Array<{ stage: string | { en: string; ru: string; es?: string; ar?: string }; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; escrow: string; token: string; orderId: string; payer: string; beneficiary: string; currency: string; paid: Decimal; tokens: Decimal; deliverBy: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; chain: { height: number; minedAt: Instant; round: 'open' | 'closed' | 'delivered' | 'refunding'; order: 'none' | 'paid' | 'cancelled' | 'refunded'; orderInFinal: 'none' | 'paid' | 'cancelled' | 'refunded'; deliveredAt: Instant | null; unlocked: Decimal; claimed: Decimal; claimedNow: Decimal; due: Decimal } | null; call: { to: string; value: "0"; data: string; what: 'claim' | 'refund' } | null }> } }
  /** Every escrow in force, with what its chain shows in a final block. */
  'GET /delivery-escrows': { reply: { items: Array<{ stage: string | { en: string; ru: string; es?: string; ar?: string }; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; token: string; treasury: string; capTokens: Decimal; closesAt: Instant; deliverBy: Instant; anyoneFrom: Instant; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; state: 'open' | 'closed' | 'delivered' | 'refunding' | null; locked: boolean; deliveredAt: Instant | null; owed: Decimal; promised: Decimal; claimed: Decimal; held: Decimal; leftover: Decimal; money: Array<{ asset: string; currency: string; paid: Decimal; held: Decimal }>; orders: Array<{ state: 'escrowed' | 'delivered' | 'overdue' | 'cancelled' | 'refunded'; count: number; tokens: Decimal; money: Array<{ currency: string; amount: Decimal }> }>; fault: 'other_code' | 'owes_strangers' | 'owes_less' | 'short' | null; failure: string | null; failingSince: Instant | null } | null; deliver: { to: string; value: "0"; data: string } | null; sellerDelivers: Array<{ to: string; value: "0"; data: string; what: 'approve' | 'deliver' }> }> } }
  /** Every delivery round, the newest first. */
  'GET /delivery-rounds': { reply: { items: Array<{ number: number; state: 'announced' | 'cancelled' | 'frozen' | 'live'; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; cutAt: Instant; freezeFrom: Instant; startsAt: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string; announcedAt: Instant; file: { frozenAt: Instant; rows: number; tokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; root: string; sha256: string } | null; distributor: { address: string; chainId: number; codeHash: string; height: number; blockHash: string; secondNode: boolean; liveAt: Instant } | null; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; held: Decimal; claimed: Decimal; leftoverFrom: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | null; failure: string | null; failingSince: Instant | null } | null }> } }
  /** The rows of an address in a frozen round, each with its Merkle proof. */
  'GET /delivery-rounds/{number}/proofs': { path: { number: string | number }; query: { address: string }; reply: { items: Array<{ place: number; account: string; tokens: string; proof: Array<string> }> } }
  /** Documents that the operator published, in the operator’s order; a new one is the first. */
  'GET /documents': { reply: { items: Array<PublicDocument> } }
  /** What happened after the event of this number, in order, whether or not a webhook was told; without `after` from the oldest that is kept. */
  'GET /events': { query?: { after?: string; limit?: number }; reply: { items: Array<SaleEvent>; last: number } }
  /** Orders whose buyers said that whoever has this key may follow them, newest first, at most 20, for 30 days. */
  'POST /framed-orders': { body: { key: string }; reply: { orders: Array<{ number: number; status: 'pending' | 'approved' | 'rejected'; detail: 'awaiting_payment' | 'seen' | 'confirming' | 'credited' | 'expired' | 'cancelled' | 'underpaid' | 'overpaid' | 'late' | 'under_review' | 'refund_due' | 'refunded' | 'approved_by_operator' | 'rejected_by_operator' | 'reversed'; tokens: Decimal; currency: string; amount: Decimal }> } }
  /** Every published giveaway, the newest first. */
  'GET /giveaways': { reply: { items: Array<{ id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> }> } }
  /** Confirms a prize in the days that the rules give. */
  'POST /giveaways/{id}/confirmation': { path: { id: string | number }; reply: { giveaway: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> }; receipt: { giveaway: number; enteredAt: Instant; reference: string; nonce: string; commitment: string } | null; win: { place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null } | null } }
  /** Enters, once a person; nothing has to be bought. */
  'POST /giveaways/{id}/entry': { path: { id: string | number }; body: { country: CountryCode; ageConfirmed: true; rulesSha256: string }; reply: { giveaway: number; enteredAt: Instant; reference: string; nonce: string; commitment: string } }
  /** Every published giveaway with the own entry and prize. */
  'GET /giveaways/own': { reply: { items: Array<{ giveaway: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> }; receipt: { giveaway: number; enteredAt: Instant; reference: string; nonce: string; commitment: string } | null; win: { place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null } | null }> } }
  /** The buyer’s balance, bonus, deposits and level. */
  'GET /holdings': { reply: Holdings }
  /** What proves that the buyer’s tokens are in the sum of all that the journal says once a day. */
  'GET /holdings/proof': { reply: HoldingProof }
  /** Top 100 buyers by approved deposits among those who chose to appear; own row when not among them. */
  'GET /leaderboard': { reply: { items: Array<LeaderboardRow>; own: LeaderboardRow | null; computedAt: Instant } }
  /** A legal text: the version in force, or an older one. */
  'GET /legal/{kind}': { path: { kind: 'terms' | 'risks' | 'privacy' }; query?: { version?: number }; reply: LegalText }
  /** The buyer’s own orders that are not over, newest first: neither credited, cancelled, rejected, paid back nor withdrawn. One that nobody paid is among them for 7 days after its end. */
  'GET /open-orders': { reply: { items: Array<OrderRow> } }
  /** All analytics keys, oldest first; secondary ones masked. */
  'GET /operator/analytics': { reply: { items: Array<AnalyticsKey> } }
  /** Adds a key for one location. */
  'POST /operator/analytics': { body: AnalyticsKeyInput; reply: AnalyticsKey }
  /** Deletes a key. */
  'DELETE /operator/analytics/{id}': { path: { id: string | number }; reply: { id: number } }
  /** Changes a key if nobody changed it since `revision`. */
  'PUT /operator/analytics/{id}': { path: { id: string | number }; body: { apiKey: string; apiKeySecondary?: string | null; location: string; provider?: 'plausible' | 'ga4' | 'meta' | 'other'; revision: number }; reply: AnalyticsKey }
  /** Every announcement, drafts and scheduled ones included, newest first. */
  'GET /operator/announcements': { query?: { after?: string; limit?: number; words?: string }; reply: { items: Array<OperatorAnnouncement>; next: string | null } }
  /** Adds an announcement; pinning it unpins the one that was. */
  'POST /operator/announcements': { body: AnnouncementInput; reply: OperatorAnnouncement }
  /** Deletes an announcement with its reactions. */
  'DELETE /operator/announcements/{id}': { path: { id: string | number }; reply: { id: number } }
  /** One announcement for its form. */
  'GET /operator/announcements/{id}': { path: { id: string | number }; reply: OperatorAnnouncement }
  /** Changes an announcement if nobody changed it since `revision`. */
  'PUT /operator/announcements/{id}': { path: { id: string | number }; body: { title: { en: string; ru: string; es?: string; ar?: string }; body: { en: string; ru: string; es?: string; ar?: string }; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null; pinned: boolean; publishedAt: string | null; revision: number }; reply: OperatorAnnouncement }
  /** API keys, newest first; the keys themselves are stored as hashes. */
  'GET /operator/api-keys': { query?: { after?: string; limit?: number }; reply: { items: Array<ApiKey>; next: string | null; total?: number } }
  /** Makes an API key that acts for the operator who makes it, within its scopes, for a year at most. Shown once. */
  'POST /operator/api-keys': { body: { name: string; scopes: Array<'users:read' | 'orders:read' | 'ledger:read' | 'orders:decide' | 'content:write' | 'audit:read' | 'events:read'>; expiresInDays?: number }; reply: { id: number; name: string; hint: string; scopes: Array<'users:read' | 'orders:read' | 'ledger:read' | 'orders:decide' | 'content:write' | 'audit:read' | 'events:read'>; operator: string; createdAt: Instant; lastUsedAt: Instant | null; expiresAt: Instant | null; revokedAt: Instant | null; key: string } }
  /** Revokes a key at once; it stays listed. */
  'DELETE /operator/api-keys/{id}': { path: { id: string | number }; reply: ApiKey }
  /** Lets a key that is in use end so many days from now. Its operator is mailed a week before a key ends. */
  'POST /operator/api-keys/{id}/renewal': { path: { id: string | number }; body: { expiresInDays?: number }; reply: ApiKey }
  /** The audit log, newest first. Finance sees its own entries and those about money. */
  'GET /operator/audit': { query?: { operator?: string; action?: string; subjectType?: string; subjectId?: string; from?: string; until?: string; after?: string; limit?: number }; reply: { items: Array<AuditEntry>; next: string | null; total?: number } }
  /** Operators and actions that occur in the log, for its filters. */
  'GET /operator/audit/choices': { reply: { operators: Array<{ id: string; login: string }>; actions: Array<string> } }
  /** Settings, stages and what is still missing before the sale can open. */
  'GET /operator/campaign': { reply: OperatorCampaign }
  /** Replaces the settings if nobody changed them since `revision`; a field that may be left out stays as it is. */
  'PUT /operator/campaign': { body: { revision: number; settings: SettingsChangeInput }; reply: OperatorCampaign }
  /** How many rows some periods of keeping would make too old now; each of those that are named, in days. */
  'GET /operator/campaign/older': { query?: { unusedQuotes?: number; declarations?: number; deletedAccounts?: number; endedSessions?: number; loginNetworks?: number; failedAttempts?: number; oneTimeLinks?: number; failedJobs?: number; webhookDeliveries?: number; decidedActs?: number; unusedUploads?: number }; reply: { items: Array<{ period: 'unusedQuotes' | 'declarations' | 'deletedAccounts' | 'endedSessions' | 'loginNetworks' | 'failedAttempts' | 'oneTimeLinks' | 'failedJobs' | 'webhookDeliveries' | 'decidedActs' | 'unusedUploads'; rows: number }> } }
  /** Checks a draft of the settings by their schema and answers what they would be; a field that may be left out stays as it is. Nothing changes. */
  'POST /operator/campaign/preview': { body: { settings: SettingsChangeInput }; reply: { settings: CampaignSettings } }
  /** Each chain that is followed: height, lag, last error, who follows it. */
  'GET /operator/chains': { reply: { items: Array<OperatorChain> } }
  /** How many confirmations an order of which size waits for; payments seen from then on follow it. */
  'PUT /operator/chains/{network}/confirmations': { path: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' }; body: { rules: Array<{ belowUsd: string | null; confirmations: number; finalized?: boolean }>; revision?: number }; reply: OperatorChain }
  /** Names the node that a chain is read from, or the second one. It is asked first. What the environment names can’t be replaced. */
  'PUT /operator/chains/{network}/nodes/{place}': { path: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; place: string | number }; body: { kind: 'core' | 'esplora' | 'evm'; url: string; revision: number | null }; reply: OperatorChain }
  /** What a node answers: its newest block, how old that is, how far it is behind. Without a `node` it is the one of this place. */
  'POST /operator/chains/{network}/nodes/{place}/ask': { path: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; place: string | number }; body: { node: { kind: 'core' | 'esplora' | 'evm'; url: string; revision: number | null } | null }; reply: { height: number; minedAt: Instant | null; behindBlocks: number | null } }
  /** Takes a node away that a page named. Without its first node a chain is no longer followed. */
  'POST /operator/chains/{network}/nodes/{place}/remove': { path: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; place: string | number }; body: { revision: number | null }; reply: OperatorChain }
  /** The addresses of an EVM chain that refunds are paid from; a matching transfer of theirs pays a refund. */
  'PUT /operator/chains/{network}/refund-senders': { path: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' }; body: { addresses: Array<string>; revision?: number }; reply: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; refundSenders: Array<string> } }
  /** Lets a chain that stopped at a broken invariant go on, after somebody looked. */
  'POST /operator/chains/{network}/resume': { path: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' }; reply: OperatorChain }
  /** Where the operator who asks is told of what happens. */
  'GET /operator/channels': { reply: { items: Array<{ id: number; kind: 'mail' | 'telegram' | 'webhook' | 'push'; label: string; notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'>; provenAt: Instant | null; lastSentAt: Instant | null; lastError: string | null; stoppedAt: Instant | null }> } }
  /** Adds a channel and sends it a code; nothing else is sent before the code came back. */
  'POST /operator/channels': { body: { target: unknown; notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'> }; reply: { id: number; kind: 'mail' | 'telegram' | 'webhook' | 'push'; label: string; notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'>; provenAt: Instant | null; lastSentAt: Instant | null; lastError: string | null; stoppedAt: Instant | null } }
  /** Removes a channel. */
  'DELETE /operator/channels/{id}': { path: { id: string | number }; reply: { id: number } }
  /** Chooses what a channel is told of. */
  'PUT /operator/channels/{id}': { path: { id: string | number }; body: { notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'> }; reply: { id: number; kind: 'mail' | 'telegram' | 'webhook' | 'push'; label: string; notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'>; provenAt: Instant | null; lastSentAt: Instant | null; lastError: string | null; stoppedAt: Instant | null } }
  /** Sends a channel a new code, good for 15 minutes. */
  'POST /operator/channels/{id}/code': { path: { id: string | number }; reply: { id: number; kind: 'mail' | 'telegram' | 'webhook' | 'push'; label: string; notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'>; provenAt: Instant | null; lastSentAt: Instant | null; lastError: string | null; stoppedAt: Instant | null } }
  /** Says the code that came; five tries a code, of which wrong ones are answered with `isProven: false`. */
  'POST /operator/channels/{id}/proof': { path: { id: string | number }; body: { code: string }; reply: { id: number; kind: 'mail' | 'telegram' | 'webhook' | 'push'; label: string; notices: Array<'order_created' | 'order_approved' | 'payment_to_decide' | 'refund_owed' | 'refund_claimed' | 'action_waiting' | 'currency_changed' | 'campaign_changed'>; provenAt: Instant | null; lastSentAt: Instant | null; lastError: string | null; stoppedAt: Instant | null; isProven: boolean } }
  /** Comments for the operators: those with open reports, those hidden, or all; newest first. */
  'GET /operator/comments': { query?: { view?: 'reported' | 'hidden' | 'all'; after?: number; limit?: number }; reply: { items: Array<{ id: number; body: string; name: string | null; at: Instant; announcement: { id: number; title: LocalText }; userId: number; hidden: { at: Instant; reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; by: string } | null; reports: Array<{ reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; count: number }> }>; next: string | null } }
  /** Hides a comment; its reason stands in its place. Settles its reports. */
  'POST /operator/comments/{id}/hide': { path: { id: string | number }; body: { reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful' }; reply: { id: number; body: string; name: string | null; at: Instant; announcement: { id: number; title: LocalText }; userId: number; hidden: { at: Instant; reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; by: string } | null; reports: Array<{ reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; count: number }> } }
  /** Leaves a reported comment where it is, and settles its reports. */
  'POST /operator/comments/{id}/keep': { path: { id: string | number }; reply: { id: number; body: string; name: string | null; at: Instant; announcement: { id: number; title: LocalText }; userId: number; hidden: { at: Instant; reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; by: string } | null; reports: Array<{ reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; count: number }> } }
  /** Shows a hidden comment again. */
  'POST /operator/comments/{id}/unhide': { path: { id: string | number }; reply: { id: number; body: string; name: string | null; at: Instant; announcement: { id: number; title: LocalText }; userId: number; hidden: { at: Instant; reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; by: string } | null; reports: Array<{ reason: 'spam' | 'fraud' | 'insult' | 'personal' | 'off_topic' | 'unlawful'; count: number }> } }
  /** Every currency, those switched off included. */
  'GET /operator/currencies': { reply: { items: Array<OperatorCurrency> } }
  /** Adds a currency. Its code is stored in upper case and never changes. */
  'POST /operator/currencies': { body: CurrencyInput; reply: OperatorCurrency }
  /** The same for several currencies: all or nothing. A refusal names its currency (details.currency). */
  'PUT /operator/currencies': { body: { currencies: Array<{ code: string; revision?: number; fullName?: string; rate?: string; address?: string; network?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; erc20?: boolean; tokenContract?: string | null; rateSource?: 'manual' | 'feed'; priceId?: string | null }> }; reply: { items: Array<OperatorCurrency> } }
  /** Deletes a currency, if nobody changed it since `revision`; one that orders use is switched off instead. */
  'DELETE /operator/currencies/{code}': { path: { code: string | number }; query?: { revision?: number }; reply: { outcome: 'deleted' | 'switched_off' } }
  /** Changes name, rate, address, network or rate source, if nobody changed them since `revision`. */
  'PUT /operator/currencies/{code}': { path: { code: string | number }; body: { revision?: number; fullName?: string; rate?: string; address?: string; network?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; erc20?: boolean; tokenContract?: string | null; rateSource?: 'manual' | 'feed'; priceId?: string | null }; reply: OperatorCurrency }
  /** Switches a currency to the escrow of its stage, or back; only before its first order. */
  'PUT /operator/currencies/{code}/escrow': { path: { code: string | number }; body: { inEscrow: boolean }; reply: OperatorCurrency }
  /** Pauses one currency with a public reason, or resumes it, if nobody did either meanwhile. */
  'PUT /operator/currencies/{code}/pause': { path: { code: string | number }; body: { paused: boolean; previousPausedAt?: Instant | null; reason?: { en: string; ru: string; es?: string; ar?: string } }; reply: OperatorCurrency }
  /** Puts a currency that was switched off back on the public list. */
  'POST /operator/currencies/{code}/switch-on': { path: { code: string | number }; reply: OperatorCurrency }
  /** Gives each order of a currency its own address of a wallet, or (null) goes back to the fixed address. */
  'PUT /operator/currencies/{code}/wallet': { path: { code: string | number }; body: { walletId: number | null; revision?: number }; reply: { code: string; watched: boolean; walletId: number | null } }
  /** One address for all ERC-20 currencies, if they are still paid to what `replaces` says. */
  'PUT /operator/currencies/evm-wallet': { body: EvmWalletChangeInput; reply: { address: string; codes: Array<string> } }
  /** Reads dollar prices and sets every rate; names the coins that the answer lacked. */
  'POST /operator/currencies/refresh-rates': { reply: { updated: Array<string>; missing: Array<string> } }
  /** Every delivery round, and what the announced one would hold now. */
  'GET /operator/delivery-rounds': { reply: { items: Array<{ number: number; state: 'announced' | 'cancelled' | 'frozen' | 'live'; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; cutAt: Instant; freezeFrom: Instant; startsAt: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string; announcedAt: Instant; file: { frozenAt: Instant; rows: number; tokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; root: string; sha256: string } | null; distributor: { address: string; chainId: number; codeHash: string; height: number; blockHash: string; secondNode: boolean; liveAt: Instant } | null; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; held: Decimal; claimed: Decimal; leftoverFrom: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | null; failure: string | null; failingSince: Instant | null } | null }>; next: { frozenFrom: Instant | null; buyers: number; tokens: Decimal; lacking: number; told: number } | null } }
  /** Announces the next round: whoever lacks an address is told by mail. */
  'POST /operator/delivery-rounds': { body: { cutAt: string; freezeFrom: string; startsAt: string; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string }; reply: { number: number; state: 'announced' | 'cancelled' | 'frozen' | 'live'; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; cutAt: Instant; freezeFrom: Instant; startsAt: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string; announcedAt: Instant; file: { frozenAt: Instant; rows: number; tokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; root: string; sha256: string } | null; distributor: { address: string; chainId: number; codeHash: string; height: number; blockHash: string; secondNode: boolean; liveAt: Instant } | null; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; held: Decimal; claimed: Decimal; leftoverFrom: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | null; failure: string | null; failingSince: Instant | null } | null } }
  /** Takes an announced round back. */
  'POST /operator/delivery-rounds/{number}/cancel': { path: { number: string | number }; reply: { number: number; state: 'announced' | 'cancelled' | 'frozen' | 'live'; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; cutAt: Instant; freezeFrom: Instant; startsAt: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string; announcedAt: Instant; file: { frozenAt: Instant; rows: number; tokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; root: string; sha256: string } | null; distributor: { address: string; chainId: number; codeHash: string; height: number; blockHash: string; secondNode: boolean; liveAt: Instant } | null; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; held: Decimal; claimed: Decimal; leftoverFrom: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | null; failure: string | null; failingSince: Instant | null } | null } }
  /** What its chain shows of a frozen round’s distributor, and the transactions that are left to be signed. */
  'GET /operator/delivery-rounds/{number}/distributor': { path: { number: string | number }; query?: { address?: string }; reply: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; expected: string; isFactoryToken: boolean; calls: Array<{ what: 'factory' | 'make' | 'approve' | 'fund'; to: string; value: "0"; data: string }>; lacksDeployer: boolean; latest: { height: number; hash: string; minedAt: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | null; message: string | null; balance: Decimal }; final: { height: number; hash: string; minedAt: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | null; message: string | null; balance: Decimal } } }
  /** Freezes a round: moves what its buyers hold from held to allocated and publishes the list. */
  'POST /operator/delivery-rounds/{number}/freeze': { path: { number: string | number }; reply: { number: number; state: 'announced' | 'cancelled' | 'frozen' | 'live'; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; cutAt: Instant; freezeFrom: Instant; startsAt: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string; announcedAt: Instant; file: { frozenAt: Instant; rows: number; tokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; root: string; sha256: string } | null; distributor: { address: string; chainId: number; codeHash: string; height: number; blockHash: string; secondNode: boolean; liveAt: Instant } | null; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; held: Decimal; claimed: Decimal; leftoverFrom: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | null; failure: string | null; failingSince: Instant | null } | null } }
  /** Makes a frozen round live, once a final block shows its distributor as published and with all tokens in it. */
  'POST /operator/delivery-rounds/{number}/live': { path: { number: string | number }; body: { address: string }; reply: { number: number; state: 'announced' | 'cancelled' | 'frozen' | 'live'; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' | null; cutAt: Instant; freezeFrom: Instant; startsAt: Instant; startBps: number; cliffSeconds: number; linearSeconds: number; leftoverTo: string; announcedAt: Instant; file: { frozenAt: Instant; rows: number; tokens: Decimal; purchasedTokens: Decimal; bonusTokens: Decimal; grantedTokens: Decimal; root: string; sha256: string } | null; distributor: { address: string; chainId: number; codeHash: string; height: number; blockHash: string; secondNode: boolean; liveAt: Instant } | null; look: { height: number; blockHash: string; minedAt: Instant; lookedAt: Instant; held: Decimal; claimed: Decimal; leftoverFrom: Instant; fault: 'distributor_missing' | 'distributor_other_code' | 'distributor_other_token' | 'distributor_other_root' | 'distributor_other_terms' | 'distributor_other_maker' | 'distributor_not_funded' | 'distributor_short' | 'distributor_reorganised' | null; failure: string | null; failingSince: Instant | null } | null } }
  /** Publishes an uploaded PDF. */
  'POST /operator/documents': { body: DocumentInput; reply: PublicDocument }
  /** Takes a document and its files away, those of its earlier versions too. */
  'DELETE /operator/documents/{id}': { path: { id: string | number }; reply: { id: number } }
  /** Changes title and file name of a document if nobody changed them since `revision`; the file stays. */
  'PUT /operator/documents/{id}': { path: { id: string | number }; body: { title: { en: string; ru: string; es?: string; ar?: string }; fileName: string; revision: number }; reply: PublicDocument }
  /** Moves a document to another place in the list, if it still stands where it was seen. */
  'POST /operator/documents/{id}/move': { path: { id: string | number }; body: DocumentMoveInput; reply: { items: Array<PublicDocument> } }
  /** Publishes a newer file of a document, if nobody changed the document since `revision`; the file before stays reachable. */
  'POST /operator/documents/{id}/versions': { path: { id: string | number }; body: DocumentReplacementInput; reply: PublicDocument }
  /** Every escrow of a stage, the newest first, and the key that signs their quotes. */
  'GET /operator/escrows': { reply: { items: Array<{ number: number; state: 'announced' | 'withdrawn' | 'in_force'; stageId: number; stage: string | { en: string; ru: string; es?: string; ar?: string }; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; token: string; seller: string; treasury: string; quoteKey: string; capTokens: Decimal; closesAt: Instant; deliverBy: Instant; reviewSeconds: number; locksFirst: boolean; startBps: number; cliffSeconds: number; linearSeconds: number; assets: Array<string>; currencies: Array<string>; announcedAt: Instant; inForceAt: Instant | null }>; quoteKey: string | null } }
  /** Fixes the terms of a stage’s escrow, from which its address follows. */
  'POST /operator/escrows': { body: { stageId: number; seller: string; treasury: string; capTokens: AmountInput; closesAt: string; deliverBy: string; reviewSeconds: number; locksFirst: boolean; startBps: number; cliffSeconds: number; linearSeconds: number; currencies: Array<string> }; reply: { number: number; state: 'announced' | 'withdrawn' | 'in_force'; stageId: number; stage: string | { en: string; ru: string; es?: string; ar?: string }; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; token: string; seller: string; treasury: string; quoteKey: string; capTokens: Decimal; closesAt: Instant; deliverBy: Instant; reviewSeconds: number; locksFirst: boolean; startBps: number; cliffSeconds: number; linearSeconds: number; assets: Array<string>; currencies: Array<string>; announcedAt: Instant; inForceAt: Instant | null } }
  /** What its chain shows of an escrow, and the transactions that are left to be signed. */
  'GET /operator/escrows/{number}/contract': { path: { number: string | number }; reply: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; lacksDeployer: boolean; calls: Array<{ what: 'factory' | 'make' | 'set-key' | 'approve' | 'lock'; to: string; value: "0"; data: string }>; latest: { height: number; hash: string; minedAt: Instant; fault: 'escrow_token_unknown' | 'escrow_not_made' | 'escrow_not_open' | 'escrow_other_key' | 'escrow_not_locked' | null; message: string | null; isLocked: boolean; balance: Decimal }; final: { height: number; hash: string; minedAt: Instant; fault: 'escrow_token_unknown' | 'escrow_not_made' | 'escrow_not_open' | 'escrow_other_key' | 'escrow_not_locked' | null; message: string | null; isLocked: boolean; balance: Decimal } } }
  /** Puts an escrow in force by what a final block shows of it. */
  'POST /operator/escrows/{number}/force': { path: { number: string | number }; reply: { number: number; state: 'announced' | 'withdrawn' | 'in_force'; stageId: number; stage: string | { en: string; ru: string; es?: string; ar?: string }; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; token: string; seller: string; treasury: string; quoteKey: string; capTokens: Decimal; closesAt: Instant; deliverBy: Instant; reviewSeconds: number; locksFirst: boolean; startBps: number; cliffSeconds: number; linearSeconds: number; assets: Array<string>; currencies: Array<string>; announcedAt: Instant; inForceAt: Instant | null } }
  /** Takes the announced terms of an escrow back. */
  'POST /operator/escrows/{number}/withdraw': { path: { number: string | number }; reply: { number: number; state: 'announced' | 'withdrawn' | 'in_force'; stageId: number; stage: string | { en: string; ru: string; es?: string; ar?: string }; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; address: string; token: string; seller: string; treasury: string; quoteKey: string; capTokens: Decimal; closesAt: Instant; deliverBy: Instant; reviewSeconds: number; locksFirst: boolean; startBps: number; cliffSeconds: number; linearSeconds: number; assets: Array<string>; currencies: Array<string>; announcedAt: Instant; inForceAt: Instant | null } }
  /** Replaces the key that signs quotes, at once. */
  'POST /operator/escrows/quote-key': { reply: { address: string } }
  /** Attempts at this account that failed, as long as they are kept, newest first, at most 50. */
  'GET /operator/failed-attempts': { reply: { items: Array<FailedAttempt> } }
  /** How many addresses get announcements by mail, and how many have not confirmed that yet. */
  'GET /operator/followers': { reply: { isOn: boolean; confirmed: number; waiting: number } }
  /** Every giveaway, drafts included, the newest first. */
  'GET /operator/giveaways': { query?: { after?: string; limit?: number }; reply: { items: Array<{ id: number; revision: number; draft: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number }; pictures: Record<string, string>; published: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> } | null; winners: Array<{ place: number; userId: string }> }>; next: string | null; total?: number } }
  /** Begins a giveaway as a draft. */
  'POST /operator/giveaways': { body: { title: { en?: string; ru?: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en?: string; ru?: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en?: string; ru?: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en?: string; ru?: string; es?: string; ar?: string }; privacyText: { en?: string; ru?: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number }; reply: { id: number; revision: number; draft: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number }; pictures: Record<string, string>; published: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> } | null; winners: Array<{ place: number; userId: string }> } }
  /** Deletes a draft. */
  'DELETE /operator/giveaways/{id}': { path: { id: string | number }; reply: { id: number } }
  /** Changes a draft if nobody changed it since `revision`. */
  'PUT /operator/giveaways/{id}': { path: { id: string | number }; body: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en?: string; ru?: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en?: string; ru?: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; revision: number }; reply: { id: number; revision: number; draft: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number }; pictures: Record<string, string>; published: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> } | null; winners: Array<{ place: number; userId: string }> } }
  /** Publishes a giveaway, whose rules nobody can change from then on. */
  'POST /operator/giveaways/{id}/publication': { path: { id: string | number }; body: { revision: number }; reply: { id: number; revision: number; draft: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number }; pictures: Record<string, string>; published: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> } | null; winners: Array<{ place: number; userId: string }> } }
  /** Says that a winner has the prize, with what shows it. */
  'POST /operator/giveaways/{id}/winners/{place}/hand-over': { path: { id: string | number; place: string | number }; body: { evidence: string }; reply: { id: number; revision: number; draft: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number }; pictures: Record<string, string>; published: { id: number; state: 'announced' | 'open' | 'closed' | 'fixed' | 'drawn' | 'failed'; rules: { title: { en: string; ru: string; es?: string; ar?: string }; sponsor: string; contact: string; prizes: Array<{ name: { en: string; ru: string; es?: string; ar?: string }; valueUsd: UsdAmount; count: number; image: { name: string; alt: { en: string; ru: string; es?: string; ar?: string } } | null }>; declaresImageRights: boolean; rulesText: { en: string; ru: string; es?: string; ar?: string }; privacyText: { en: string; ru: string; es?: string; ar?: string }; countries: Array<CountryCode>; minimumAge: number; opensAt: string; closesAt: string; alternates: number; confirmDays: number; handOverDays: number; drawHours: number; beacon: { chain: string; publicKey: string; genesis: number; period: number }; round: number }; rulesSha256: string; publishedAt: Instant; drawAt: Instant; entries: number; entriesOfBuyers: number; list: { fixedAt: Instant; root: string } | null; drawnAt: Instant | null; winners: Array<{ place: number; prize: number; commitment: string; shownAs: string; state: 'told' | 'confirmed' | 'lapsed' | 'handed_over'; confirmBy: Instant; handOverBy: Instant | null; handedOverAt: Instant | null; evidence: string | null }>; prizesWithoutWinner: Array<number>; overdue: Array<'draw' | 'hand_over'> } | null; winners: Array<{ place: number; userId: string }> } }
  /** Grants tokens from the bonus share; 0 writes nothing. */
  'POST /operator/grants': { body: GrantInput; reply: { grant: Grant | null; balanceTokens: Decimal } }
  /** Takes a grant back by entries of its own; never below 0. */
  'POST /operator/grants/{id}/reverse': { path: { id: string | number }; reply: Grant }
  /** Sets the password by a one-time link. */
  'POST /operator/invitations/use': { body: InvitationUseInput; reply: { login: string } }
  /** Every version of a legal text, newest first. */
  'GET /operator/legal/{kind}': { path: { kind: 'terms' | 'risks' | 'privacy' }; reply: { items: Array<{ version: number; body: LocalText; publishedAt: Instant; operator: string | null; acceptedByOrders: number | null }> } }
  /** Publishes the next version if `basedOn` is still the version in force. Orders from then on accept it. */
  'POST /operator/legal/{kind}': { path: { kind: 'terms' | 'risks' | 'privacy' }; body: { basedOn: number; body: LocalTextInput }; reply: LegalText }
  /** Mails that were tried, newest first, with what went wrong. */
  'GET /operator/mail-deliveries': { query?: { after?: string; limit?: number; state?: 'sent' | 'failing' | 'given_up' }; reply: { items: Array<{ id: string; kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es'; textVersion: number; to: string; state: 'sent' | 'failing' | 'given_up'; tries: number; error: string | null; firstTriedAt: Instant; lastTriedAt: Instant }>; next: string | null; total?: number } }
  /** Every mail in every language, and whose words are in force. */
  'GET /operator/mails': { reply: { items: Array<{ kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es'; version: number; isEdited: boolean; publishedAt: Instant | null; operator: string | null }> } }
  /** One mail: its words, the product’s, what has to stay in them, and every version. */
  'GET /operator/mails/{kind}/{language}': { path: { kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es' }; reply: { kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es'; version: number; isEdited: boolean; publishedAt: Instant | null; operator: string | null; words: { subject: string; body: string }; product: { subject: string; body: string }; variables: Array<string>; required: Array<string>; musts: Array<string>; versions: Array<{ version: number; words: { subject: string; body: string } | null; publishedAt: Instant; operator: string | null }> } }
  /** Puts an operator’s words in force, or the product’s again (`words: null`). */
  'POST /operator/mails/{kind}/{language}': { path: { kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es' }; body: { basedOn: number; words: { subject: string; body: string } | null }; reply: { kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es'; version: number; isEdited: boolean; publishedAt: Instant | null; operator: string | null; words: { subject: string; body: string }; product: { subject: string; body: string }; variables: Array<string>; required: Array<string>; musts: Array<string>; versions: Array<{ version: number; words: { subject: string; body: string } | null; publishedAt: Instant; operator: string | null }> } }
  /** How a mail with these words looks, filled with examples; nothing is kept or sent. */
  'POST /operator/mails/{kind}/{language}/preview': { path: { kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es' }; body: { subject: string; body: string }; reply: { subject: string; html: string; text: string } }
  /** Sends a mail with these words, filled with examples, to the operator who asks. */
  'POST /operator/mails/{kind}/{language}/test': { path: { kind: 'confirm_email' | 'change_email' | 'email_changing' | 'reset_password' | 'password_changed' | 'new_sign_in' | 'failed_attempts' | 'code_used_again' | 'second_factor_changed' | 'order_created' | 'order_approved' | 'order_rejected' | 'order_reversed' | 'order_underpaid' | 'order_late' | 'order_expired' | 'wallet_changed' | 'refund_due' | 'refund_claimed' | 'refund_paid' | 'delivery_address_typed' | 'delivery_address_named' | 'delivery_change_withdrawn' | 'round_announced' | 'giveaway_won' | 'follow_confirm' | 'announcement' | 'operator_invitation' | 'operator_link' | 'operator_password_changed' | 'api_key_ends' | 'owner_notice' | 'operator_notice'; language: 'en' | 'ru' | 'es' }; body: { subject: string; body: string }; reply: { to: string } }
  /** Every operator, with role and second factor. */
  'GET /operator/operators': { reply: { items: Array<Operator> } }
  /** Adds an operator; answers a one-time link (24 h) to set the password, shown once. */
  'POST /operator/operators': { body: InvitationInput; reply: { operator: Operator; link: string } }
  /** Changes role, address or access if nobody changed them since `revision`. */
  'PATCH /operator/operators/{id}': { path: { id: string | number }; body: { revision: number; role?: 'owner' | 'finance' | 'content' | 'support'; isDisabled?: boolean; email?: EmailAddressInput | null }; reply: Operator }
  /** A new one-time link for somebody locked out; their sessions end. */
  'POST /operator/operators/{id}/invitation': { path: { id: string | number }; body: { removesSecondFactor?: boolean }; reply: { operator: Operator; link: string } }
  /** How many orders each tab of the queue holds, counted up to 1,000. */
  'GET /operator/order-counts': { reply: OrderCounts }
  /** Orders by page, filter and search (exact id, token, transaction id; prefix of e-mail or address). A page may hold fewer than asked for, or none, and still have a next one: filters look through 4,000 orders at a time. */
  'GET /operator/orders': { query?: { after?: string; limit?: number; view?: 'waiting' | 'with_transaction_id' | 'seen' | 'odd'; status?: string; search?: string; sort?: 'created' | 'updated' | 'status'; direction?: 'asc' | 'desc'; hidden?: string; user?: NumberInPathInput; from?: string; to?: string; currency?: string; usdMin?: AmountInput; usdMax?: AmountInput; via?: 'chain' | 'operator'; level?: string; country?: CountryCode }; reply: { items: Array<OperatorOrder>; next: string | null; total?: number } }
  /** One order: everything that happened to it, who did it, and its ledger entries. */
  'GET /operator/orders/{id}': { path: { id: string | number }; reply: OperatorOrderPage }
  /** Approves an order and credits it exactly once. A repeat answers what stands. */
  'POST /operator/orders/{id}/approve': { path: { id: string | number }; body: DecisionAsSeenInput; reply: OperatorOrder }
  /** What the seller signs to take an order out of its escrow. */
  'GET /operator/orders/{id}/escrow': { path: { id: string | number }; reply: { round: 'open' | 'closed' | 'delivered' | 'refunding'; order: 'none' | 'paid' | 'cancelled' | 'refunded'; height: number; network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; chainId: number; contract: string; seller: string; payer: string; call: { what: "cancel-order"; to: string; value: "0"; data: string } | null } }
  /** Takes an order off the operators’ default lists; its buyer still sees it. */
  'POST /operator/orders/{id}/hide': { path: { id: string | number }; body: { reason?: string }; reply: OperatorOrder }
  /** Rejects an order; an approved one is debited exactly what was credited. */
  'POST /operator/orders/{id}/reject': { path: { id: string | number }; body: DecisionAsSeenInput; reply: OperatorOrder }
  /** Puts a hidden order back on the lists. */
  'POST /operator/orders/{id}/unhide': { path: { id: string | number }; reply: OperatorOrder }
  /** What waits, what came in, the last 30 days and what needs attention; by role, at most 10 s old. */
  'GET /operator/overview': { reply: Overview }
  /** Views, registrations, quotes, orders and money of some days (UTC, both included; at most the last 1,100 of them), from the ledger and own counts. */
  'GET /operator/overview/range': { query: { from: string; to: string }; reply: OverviewRange }
  /** Keeps a new passkey; answers recovery codes where there are none yet. */
  'POST /operator/passkeys': { body: { name: PasskeyName; answer: PasskeyAnswer }; reply: { passkey: Passkey; recoveryCodes: Array<string> } }
  /** Removes a passkey. */
  'DELETE /operator/passkeys/{id}': { path: { id: string | number }; reply: undefined }
  /** A challenge for a new passkey. */
  'POST /operator/passkeys/options': { reply: PasskeyOptions }
  /** Changes the own password and ends the other sessions. */
  'POST /operator/password': { body: OperatorPasswordInput; reply: undefined }
  /** Pauses the sale with a public reason, or resumes it, if nobody did either meanwhile. */
  'PUT /operator/pause': { body: { paused: boolean; previousPausedAt: Instant | null; reason?: { en: string; ru: string; es?: string; ar?: string } }; reply: OperatorCampaign }
  /** Every payment that chains showed, newest first; `toDecide` for those that belong to no order or are of another asset. */
  'GET /operator/payments': { query?: { after?: string; limit?: number; toDecide?: string; state?: 'seen' | 'confirming' | 'credited' | 'final' | 'replaced' | 'orphaned' | 'failed' | 'wrong_asset' | 'unmatched' | 'returned'; network?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; search?: string }; reply: { items: Array<OperatorPayment>; next: string | null; total?: number } }
  /** Counts an unmatched payment for an order of the same currency. */
  'POST /operator/payments/{id}/attach': { path: { id: string | number }; body: { orderId: number }; reply: OperatorPayment }
  /** Owes an unmatched payment, or one of another listed asset, back to the buyer whose address it reached. */
  'POST /operator/payments/{id}/refund': { path: { id: string | number }; reply: OperatorPayment }
  /** Decides that nothing is to be done about a payment that belongs to nobody, and says why. */
  'POST /operator/payments/{id}/write-off': { path: { id: string | number }; body: { reason: string }; reply: OperatorPayment }
  /** Actions that wait for a second operator (or were decided), newest first, of kinds that the asker may decide. */
  'GET /operator/pending-actions': { query?: { after?: string; limit?: number; state?: 'waiting' | 'confirmed' | 'refused' | 'expired' }; reply: { items: Array<PendingAction>; next: string | null; total?: number } }
  /** Confirms and does it, in one transaction; both operators are recorded. */
  'POST /operator/pending-actions/{id}/confirm': { path: { id: string | number }; reply: PendingAction }
  /** Refuses it, or withdraws one’s own. */
  'POST /operator/pending-actions/{id}/refuse': { path: { id: string | number }; reply: PendingAction }
  /** Changes the main currency value; every rate is rescaled by old / new in the same transaction. */
  'PUT /operator/price': { body: PriceInput; reply: { priceUsd: Decimal } }
  /** The sources of rates, who names each, and what each last said. */
  'GET /operator/rate-sources': { reply: { items: Array<{ name: string; id: number | null; kind: 'coingecko' | 'kraken' | 'coinbase' | 'chainlink'; host: string | null; source: 'environment' | 'program' | 'page' | 'chain'; silence: 'left_out' | 'same_voice' | 'sealed' | null; setAt: Instant | null; setBy: string | null; said: Array<{ code: string; priceUsd: Decimal | null; at: Instant | null; problem: string | null; used: boolean }> }>; readAt: Instant | null; followed: Array<string>; refreshAsks: string | null } }
  /** Names a source of rates, or another address of one that a page named (`replaces`). It is asked first. */
  'POST /operator/rate-sources': { body: { kind: 'coingecko' | 'kraken' | 'coinbase'; url: string; replaces: number | null }; reply: { items: Array<{ name: string; id: number | null; kind: 'coingecko' | 'kraken' | 'coinbase' | 'chainlink'; host: string | null; source: 'environment' | 'program' | 'page' | 'chain'; silence: 'left_out' | 'same_voice' | 'sealed' | null; setAt: Instant | null; setBy: string | null; said: Array<{ code: string; priceUsd: Decimal | null; at: Instant | null; problem: string | null; used: boolean }> }>; readAt: Instant | null; followed: Array<string>; refreshAsks: string | null } }
  /** Takes a source away that a page named. */
  'DELETE /operator/rate-sources/{id}': { path: { id: string | number }; reply: { items: Array<{ name: string; id: number | null; kind: 'coingecko' | 'kraken' | 'coinbase' | 'chainlink'; host: string | null; source: 'environment' | 'program' | 'page' | 'chain'; silence: 'left_out' | 'same_voice' | 'sealed' | null; setAt: Instant | null; setBy: string | null; said: Array<{ code: string; priceUsd: Decimal | null; at: Instant | null; problem: string | null; used: boolean }> }>; readAt: Instant | null; followed: Array<string>; refreshAsks: string | null } }
  /** What a source answers of each currency, how old that is, and how far from the present rates. Without a `source` it is the one of this `name`. */
  'POST /operator/rate-sources/ask': { body: { name: string | null; source: { kind: 'coingecko' | 'kraken' | 'coinbase'; url: string } | null }; reply: { host: string; items: Array<{ code: string; priceUsd: Decimal | null; at: Instant | null; problem: string | null; presentUsd: Decimal | null; deviationPercent: Decimal | null }> } }
  /** Leaves a source out that the program knows by itself, or asks it again. What the environment says of it stands. */
  'PUT /operator/rate-sources/own/{name}': { path: { name: 'coingecko' | 'kraken' | 'coinbase' }; body: { leftOut: boolean }; reply: { items: Array<{ name: string; id: number | null; kind: 'coingecko' | 'kraken' | 'coinbase' | 'chainlink'; host: string | null; source: 'environment' | 'program' | 'page' | 'chain'; silence: 'left_out' | 'same_voice' | 'sealed' | null; setAt: Instant | null; setBy: string | null; said: Array<{ code: string; priceUsd: Decimal | null; at: Instant | null; problem: string | null; used: boolean }> }>; readAt: Instant | null; followed: Array<string>; refreshAsks: string | null } }
  /** What became of friends’ orders, newest first. */
  'GET /operator/referrals': { query?: { after?: string; limit?: number }; reply: { items: Array<{ orderId: number; referrerId: number; referrer: string; friendId: number; friend: string; tokens: Decimal | null; refusal: 'account_gone' | 'same_mailbox' | 'same_device' | 'same_payer' | 'same_address' | 'same_wallet' | 'ring' | 'country_excluded' | 'country_unknown' | 'limit_reached' | 'supply_reached' | null; at: Instant; reversedAt: Instant | null; isKept: boolean }>; next: string | null; total?: number } }
  /** The files that were prepared last, with the refunds that each holds. */
  'GET /operator/refund-files': { reply: { items: Array<RefundFile> } }
  /** A prepared file as it was downloaded first. */
  'GET /operator/refund-files/{id}': { path: { id: string | number }; reply: { fileName: string; content: string } }
  /** Refunds, those still due first, oldest first. */
  'GET /operator/refunds': { query?: { after?: string; limit?: number; state?: 'owed' | 'claimed' | 'prepared' | 'sent' | 'paid' | 'written_off'; network?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' }; reply: { items: Array<OperatorRefund>; next: string | null; total?: number } }
  /** Says that a refund was paid by a transaction which the watcher can’t match: from inside a contract, or less a fee. */
  'POST /operator/refunds/{id}/paid': { path: { id: string | number }; body: { transactionId: string; reason: string }; reply: OperatorRefund }
  /** Names the transaction that sends a refund, where the chain’s watcher has not found it by itself. */
  'POST /operator/refunds/{id}/sent': { path: { id: string | number }; body: { transactionId: string }; reply: OperatorRefund }
  /** Says that nothing was paid behind an approval that was taken back, so that nothing is owed. */
  'POST /operator/refunds/{id}/write-off': { path: { id: string | number }; body: { reason: string }; reply: OperatorRefund }
  /** What the operator signs in their own wallet: an unsigned PSBT (Bitcoin family with segwit) or a CSV to import. */
  'POST /operator/refunds/prepare': { body: { network: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other'; format: 'psbt' | 'csv'; refundIds?: Array<string>; again?: boolean; feePerVbyte?: number }; reply: { format: 'psbt' | 'csv'; fileName: string; content: string; count: number; refundIds: Array<string>; fileId: string; leftOut: Array<string> } }
  /** Which second factors are on. */
  'GET /operator/second-factor': { reply: SecondFactor }
  /** Ten new recovery codes; the old ones end. */
  'POST /operator/second-factor/recovery-codes': { reply: { recoveryCodes: Array<string> } }
  /** Switches the authenticator app off. */
  'DELETE /operator/second-factor/totp': { reply: undefined }
  /** A secret for an authenticator app; guards nothing until its first code. */
  'POST /operator/second-factor/totp': { reply: { secret: string; uri: string } }
  /** Switches the authenticator app on; answers recovery codes where there are none yet. */
  'POST /operator/second-factor/totp/confirm': { body: { code: SecondFactorCode }; reply: { recoveryCodes: Array<string> } }
  /** Ends this session. */
  'DELETE /operator/session': { reply: undefined }
  /** Who is signed in to the operator area. */
  'GET /operator/session': { reply: OperatorMe }
  /** Changes the own language. */
  'PATCH /operator/session': { body: { language: 'en' | 'ru' | 'es' }; reply: OperatorMe }
  /** Signs an operator in, with a code where a second factor is on. */
  'POST /operator/session': { body: OperatorLoginInput; reply: OperatorSignedIn }
  /** Signs an operator in by passkey. */
  'POST /operator/session/passkey': { body: { answer: PasskeyAnswer }; reply: OperatorSignedIn }
  /** A challenge for signing in or stepping up by passkey. */
  'POST /operator/session/passkey/options': { reply: PasskeyOptions }
  /** Proves again who asks, by the second factor where one is on; good for 15 minutes. */
  'POST /operator/session/step-up': { body: StepUpInput; reply: undefined }
  /** Ends all sessions but this one. */
  'DELETE /operator/sessions': { reply: { ended: number } }
  /** Where this account is signed in. */
  'GET /operator/sessions': { reply: Sessions }
  /** Ends one session. */
  'DELETE /operator/sessions/{id}': { path: { id: string | number }; reply: undefined }
  /** Adds a stage, if nobody changed the campaign since `revision`. Stages may not overlap. */
  'POST /operator/stages': { body: unknown; reply: OperatorCampaign }
  /** Removes a stage that no quote or order names, if nobody changed the campaign since `revision`. */
  'DELETE /operator/stages/{id}': { path: { id: string | number }; query: { revision: number }; reply: OperatorCampaign }
  /** Changes a stage; after the first approved order its goal stands and its end moves once. */
  'PUT /operator/stages/{id}': { path: { id: string | number }; body: unknown; reply: OperatorCampaign }
  /** Stores a PDF up to 20 MB or an image up to 5 MB (the file is the body); images are re-encoded. */
  'POST /operator/uploads': { reply: Upload }
  /** Users, newest first, of any days; search by id, reference or prefix of e-mail. */
  'GET /operator/users': { query?: { after?: string; limit?: number; search?: string; from?: string; to?: string }; reply: { items: Array<OperatorUser>; next: string | null; total?: number } }
  /** One user. */
  'GET /operator/users/{id}': { path: { id: string | number }; reply: OperatorUser }
  /** Every ledger entry of one user, newest first. */
  'GET /operator/users/{id}/entries': { path: { id: string | number }; query?: { after?: string; limit?: number }; reply: { items: Array<LedgerEntry>; next: string | null; total?: number } }
  /** What operators granted to one user, newest first, also what was taken back. */
  'GET /operator/users/{id}/grants': { path: { id: string | number }; query?: { after?: string; limit?: number }; reply: { items: Array<Grant>; next: string | null; total?: number } }
  /** What operators wrote about a buyer, or about one order of theirs, newest first. */
  'GET /operator/users/{id}/notes': { path: { id: string | number }; query?: { after?: string; limit?: number; order?: NumberInPathInput }; reply: { items: Array<UserNote>; next: string | null; total?: number } }
  /** Adds a note about a buyer, who gets it with the export of their data. It can’t be changed. */
  'POST /operator/users/{id}/notes': { path: { id: string | number }; body: UserNoteInput; reply: UserNote }
  /** Where a buyer is signed in: device and place in time. */
  'GET /operator/users/{id}/sessions': { path: { id: string | number }; reply: Sessions }
  /** Watch-only wallets: highest index in use and the gap limit to set. */
  'GET /operator/wallets': { reply: { items: Array<OperatorWallet> } }
  /** Takes an account public key. No order gets its addresses before the first three are confirmed. */
  'POST /operator/wallets': { body: { family: 'bitcoin' | 'litecoin' | 'dogecoin' | 'evm'; accountKey: string; script?: 'p2wpkh' | 'p2sh-p2wpkh' | 'p2pkh' | 'evm'; name: string }; reply: OperatorWallet }
  /** The first three addresses as the operator’s own wallet shows them; where they agree the key may go live. */
  'POST /operator/wallets/{id}/check': { path: { id: string | number }; body: { addresses: Array<string> }; reply: OperatorWallet }
  /** Sends a kept message again, now and with the same id. */
  'POST /operator/webhook-deliveries/{id}/redeliver': { path: { id: string | number }; reply: WebhookDelivery }
  /** Webhooks, newest first. */
  'GET /operator/webhooks': { query?: { after?: string; limit?: number }; reply: { items: Array<Webhook>; next: string | null; total?: number } }
  /** Adds a webhook; its signing secret is shown once. */
  'POST /operator/webhooks': { body: WebhookInput; reply: { id: number; url: string; events: Array<'order.created' | 'order.approved' | 'order.rejected' | 'order.expired' | 'order.cancelled' | 'grant.added' | 'grant.reversed' | 'payment.to_decide' | 'refund.owed' | 'refund.sent' | 'refund.paid' | 'refund.written_off' | 'campaign.changed' | 'webhook.test'>; description: string; disabledAt: Instant | null; createdAt: Instant; revision: number; lastDelivery: { state: 'pending' | 'delivered' | 'failed'; at: Instant } | null; secret: string } }
  /** Deletes a webhook with its deliveries. */
  'DELETE /operator/webhooks/{id}': { path: { id: string | number }; reply: { id: number } }
  /** Changes a webhook or switches it off or on, if nobody changed it since `revision`. */
  'PUT /operator/webhooks/{id}': { path: { id: string | number }; body: { url: string; events: Array<'order.created' | 'order.approved' | 'order.rejected' | 'order.expired' | 'order.cancelled' | 'grant.added' | 'grant.reversed' | 'payment.to_decide' | 'refund.owed' | 'refund.sent' | 'refund.paid' | 'refund.written_off' | 'campaign.changed' | 'webhook.test'>; description: string; revision: number; disabled: boolean }; reply: Webhook }
  /** Deliveries of a webhook, newest first, each with its attempts. */
  'GET /operator/webhooks/{id}/deliveries': { path: { id: string | number }; query?: { after?: string; limit?: number; state?: 'pending' | 'delivered' | 'failed' }; reply: { items: Array<WebhookDelivery>; next: string | null; total?: number } }
  /** Makes a new signing secret, shown once. For a day messages carry signatures by both. */
  'POST /operator/webhooks/{id}/rotate-secret': { path: { id: string | number }; reply: { secret: string } }
  /** Sends a `webhook.test` message. */
  'POST /operator/webhooks/{id}/test': { path: { id: string | number }; reply: WebhookDelivery }
  /** The buyer’s own orders, all states, newest first. */
  'GET /orders': { query?: { after?: string; limit?: number }; reply: { items: Array<OrderRow>; next: string | null; total?: number } }
  /** Makes the order of a bound quote, and holds its dollars and tokens unless the quote says that it does not. */
  'POST /orders': { body: OrderInput; reply: { number: number; token: string; address: string; expiresAt: Instant } }
  /** One of the buyer’s own orders with its timeline. */
  'GET /orders/{token}': { path: { token: string | number }; reply: BuyerOrder }
  /** Proves that the public journal announced the address that one of the buyer’s own orders is paid to. */
  'GET /orders/{token}/address-proof': { path: { token: string | number }; reply: AddressProof }
  /** Cancels an order while nothing is paid. */
  'POST /orders/{token}/cancel': { path: { token: string | number }; reply: BuyerOrder }
  /** Declares for an order that a payment made what confirming an order asks for. What was paid counts from then. */
  'PUT /orders/{token}/declaration': { path: { token: string | number }; body: DeclarationInput; reply: BuyerOrder }
  /** What its escrow says of one of the buyer’s own orders. */
  'GET /orders/{token}/escrow': { path: { token: string | number }; reply: { round: 'open' | 'closed' | 'delivered' | 'refunding'; order: 'none' | 'paid' | 'cancelled' | 'refunded'; height: number } }
  /** Signs the quote of an order for its payer, and says what the wallet has to send. */
  'POST /orders/{token}/escrow': { path: { token: string | number }; reply: { chainId: number; payer: string; validUntil: Instant; calls: Array<{ what: 'approve-none' | 'approve' | 'pay'; to: string; value: string; data: string }>; permit: string | null } }
  /** As `sign`, with the payer’s permit in the payment itself: one transaction is left to send. */
  'POST /orders/{token}/escrow/permit': { path: { token: string | number }; body: { signature: string }; reply: { chainId: number; payer: string; validUntil: Instant; calls: Array<{ what: 'approve-none' | 'approve' | 'pay'; to: string; value: string; data: string }>; permit: string | null } }
  /** For a payment that came too late: tokens at today’s rate, or the money back. */
  'POST /orders/{token}/late-choice': { path: { token: string | number }; body: { choice: 'tokens' | 'refund' }; reply: { number: number; token: string; status: 'pending' | 'approved' | 'rejected'; detail: 'awaiting_payment' | 'seen' | 'confirming' | 'credited' | 'expired' | 'cancelled' | 'underpaid' | 'overpaid' | 'late' | 'under_review' | 'refund_due' | 'refunded' | 'approved_by_operator' | 'rejected_by_operator' | 'reversed' } }
  /** Proves that the approval of one of the buyer’s own orders stands in the public journal. */
  'GET /orders/{token}/proof': { path: { token: string | number }; reply: OrderProof }
  /** The quotes of every price source behind an order’s rate. */
  'GET /orders/{token}/rate': { path: { token: string | number }; reply: OrderRate }
  /** What is owed back of one order, and how far it is. */
  'GET /orders/{token}/refunds': { path: { token: string | number }; reply: { items: Array<Refund> } }
  /** Names the address of the same chain to which what is owed is to be sent. */
  'POST /orders/{token}/refunds/claim': { path: { token: string | number }; body: { address: string; network?: 'bitcoin' | 'litecoin' | 'dogecoin' | 'ethereum' | 'bsc' | 'polygon' | 'avalanche' | 'cronos' | 'tron' | 'solana' | 'ripple' | 'other' }; reply: { items: Array<Refund> } }
  /** Tells the operator which payment is meant. Several pending orders may name one; an approved order owns it. */
  'PUT /orders/{token}/transaction-id': { path: { token: string | number }; body: { transactionId: string }; reply: BuyerOrder }
  /** How soon a password would be guessed, and why it would not be taken. Nothing of it is kept or logged. */
  'POST /password-strength': { body: StrengthInput; reply: { strength: number; why: 'common' | 'personal' | 'keyboard' | 'sequence' | 'repeat' | 'date' | 'word' | 'name' | 'guessable' | null } }
  /** How payments settle: tolerance, parts, late payments, confirmations. */
  'GET /payments/rules': { reply: SettlementRules }
  /** The key that a browser binds its notices to (VAPID). */
  'GET /push-key': { reply: { publicKey: string } }
  /** Binds a quote to the buyer, currency and address; holds its rate for 15 minutes; serves once. */
  'POST /quotes': { body: BoundInput; reply: BoundQuote }
  /** One of the buyer’s own quotes. */
  'GET /quotes/{id}': { path: { id: string | number }; reply: BoundQuote }
  /** Lets the checkout in a frame that made the key follow the order of one of the buyer’s own quotes, or, by null, no longer. */
  'PUT /quotes/{id}/frame': { path: { id: string | number }; body: { keyHash: string | null }; reply: { isTold: boolean } }
  /** What a purchase would give and cost now. Binds nothing. */
  'POST /quotes/preview': { body: QuoteInput; reply: QuoteAmounts }
  /** The buyer’s own link for friends and what came of it. */
  'GET /referral': { reply: { code: string | null; friends: number; waitingOrders: number; creditedOrders: number; takenBackOrders: number; creditedTokens: Decimal; refused: Array<{ refusal: 'account_gone' | 'same_mailbox' | 'same_device' | 'same_payer' | 'same_address' | 'same_wallet' | 'ring' | 'country_excluded' | 'country_unknown' | 'limit_reached' | 'supply_reached'; orders: number }> } }
  /** Gives the buyer a link for friends, under the terms of the settings; the same one again where there is one. */
  'POST /referral': { body: { country: CountryCode }; reply: { code: string | null; friends: number; waitingOrders: number; creditedOrders: number; takenBackOrders: number; creditedTokens: Decimal; refused: Array<{ refusal: 'account_gone' | 'same_mailbox' | 'same_device' | 'same_payer' | 'same_address' | 'same_wallet' | 'ring' | 'country_excluded' | 'country_unknown' | 'limit_reached' | 'supply_reached'; orders: number }> } }
  /** What is owed to buyers and for how long. */
  'GET /refunds': { reply: RefundsOwed }
  /** Ends this session. */
  'DELETE /session': { reply: undefined }
  /** Who is signed in; null for nobody. */
  'GET /session': { reply: { user: Profile | null } }
  /** Signs in by e-mail and password, with a code where a second factor is on. */
  'POST /session': { body: LoginInput; reply: SignedIn }
  /** Signs in by passkey. */
  'POST /session/passkey': { body: { answer: PasskeyAnswer; as?: SessionAs }; reply: SignedIn }
  /** A challenge for signing in or stepping up by passkey. */
  'POST /session/passkey/options': { reply: PasskeyOptions }
  /** Proves again who asks, by the second factor where one is on; good for 15 minutes. */
  'POST /session/step-up': { body: StepUpInput; reply: undefined }
}

/** Routes whose repeats with the same key answer what the first call answered. */

export const idempotentRoutes: ReadonlySet<string> = new Set([
  'POST /operator/announcements',
  'POST /operator/giveaways',
  'POST /operator/grants',
  'POST /operator/users/{id}/notes',
  'POST /orders',
  'POST /quotes',
])

