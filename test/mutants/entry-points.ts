import { always, never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const legacy = 'src/server/legacy-api/legacy-guards.test.ts'
const area = 'test/scenarios/operator-area.test.ts'
const account = 'src/server/http/account.test.ts'
const accounts = 'src/server/accounts/accounts.test.ts'
const httpOrders = 'src/server/http/orders.test.ts'
const actions = 'src/server/actions/actions.test.ts'
const strangersAccount = 'test/security-regressions/account-registered-by-a-stranger.test.ts'
const stolenSession = 'test/security-regressions/stolen-session-keeps-the-account.test.ts'
const newTelephone = 'test/security-regressions/app-on-a-new-telephone.test.ts'
const linksOfAThief = 'test/security-regressions/links-of-a-thief.test.ts'
const weekToTakeBack = 'test/security-regressions/week-to-take-back.test.ts'
const independentAtTheSwitch = 'test/security-regressions/independent-at-the-switch.test.ts'
const requestCosts = 'test/security-regressions/what-a-request-costs.test.ts'
const refresh = 'src/server/currencies/refresh-rates.test.ts'

export const entryPointMutants = mutantsOf({
  'keys-shared-by-buyers': {
    says: 'Two buyers who use the same idempotency key get the same answer.',
    edits: replace(
      'src/server/http/idempotency.ts:ownerOfKey',
      "if (actor.kind === 'buyer') return `buyer:${actor.userId}`",
      "if (actor.kind === 'buyer') return 'buyer'",
    ),
    killers: embedded(httpOrders),
  },
  'cost-of-refused-requests': {
    says: 'Requests that are refused cost nothing, so that a network sends as many as it likes.',
    edits: replace('src/server/http/costs.ts:keepCosts', '...units, requests', 'requests'),
    killers: embedded(requestCosts),
  },
  'strangers-spend-what-buyers-have': {
    says: 'Strangers use up what people who are signed in may ask for together.',
    edits: replace('src/server/limits/local-limits.ts:takeOfAll', '`${unit}:${crowd}`', 'unit'),
    killers: embedded('src/server/limits/local-limits.test.ts'),
  },
  'deleted-by-a-session': {
    says: 'A session alone deletes its account.',
    edits: replace(
      'src/server/http/account.ts:mountOwnData',
      'await accounts.proveWholly(caller.userId, body.proof, askerOf(call))',
      '{ isPasswordRight: true } as const',
    ),
    killers: embedded(stolenSession),
  },
  'currency-without-step-up': {
    says: 'Currencies are changed without a fresh login.',
    edits: [
      replace(
        'src/shared/actions.ts:actions',
        "'currency.add': freshOfTwo('currencies:write', 'wallet_changed')",
        "'currency.add': { right: 'currencies:write', stepUp: false, canNeedApproval: true }",
      ),
      replace(
        'src/shared/actions.ts:actions',
        "'currency.update': freshOfTwo('currencies:write', 'wallet_changed')",
        "'currency.update': { right: 'currencies:write', stepUp: false, canNeedApproval: true }",
      ),
      replace(
        'src/shared/actions.ts:actions',
        "'currency.evm-wallet': unaudited(freshOfTwo('currencies:write', 'wallet_changed'))",
        "'currency.evm-wallet': { right: 'currencies:write', stepUp: false, canNeedApproval: true }",
      ),
    ],
    killers: embedded(legacy),
  },
  'mail-password-to-another-host': {
    says: 'The stored password of the mail server goes to whatever host somebody names.',
    edits: replace('src/server/mail/mail-server.ts:checkPassword', 'row.host === host', 'row.host !== null'),
    killers: embedded('src/server/mail/parked-mails.test.ts'),
  },
  'mail-refused-for-good-tried-again': {
    says: 'A mail that the mail server refused for good is tried eleven more times.',
    edits: replace('src/server/mail/parked-mails.ts:endOfTries', 'isPermanent && isAboutMail', 'false'),
    killers: embedded('src/server/mail/parked-mails.test.ts'),
  },
  'switch-while-a-link-is-open': {
    says: 'An operator whose one-time link another one holds counts as independent once dual control is on.',
    edits: replace('src/server/actions/independence.ts:isReady', 'l.expires_at > now()', 'false'),
    killers: embedded(independentAtTheSwitch),
  },
  'link-renewed-after-the-switch': {
    says: 'An operator who counted at the switch still counts after an owner renewed the link.',
    edits: replace(
      'src/server/actions/independence.ts:readStaff',
      "a.at > coalesce(o.independent_at, '-infinity')",
      'o.independent_at is null',
    ),
    killers: embedded(independentAtTheSwitch),
  },
  'factor-by-a-fresh-session': {
    says: 'A stolen session that is fresh adds a passkey without the password.',
    edits: never(
      'src/server/credentials/proofs.ts:prepareWhole',
      'given?.password === undefined || (methods.length > 0 && !hasFactor)',
    ),
    killers: embedded(stolenSession),
  },
  'replaced-app-is-new': {
    says: 'A reset strips an account of an app that moved to another telephone this week.',
    edits: replace(
      'src/server/credentials/second-factors.ts:removeSince',
      'coalesce(trusted_since, confirmed_at) <',
      'confirmed_at <',
    ),
    killers: embedded(newTelephone),
  },
  'replaced-app-is-gone': {
    says: 'The owner, whose app a thief replaced, has no factor after a reset that knows the thief’s alone.',
    edits: replace(
      'src/server/credentials/second-factors.ts:removeSince',
      'set removed_at = null',
      'set removed_at = removed_at',
    ),
    killers: embedded(newTelephone),
  },
  'taken-back-without-its-address': {
    says: 'The link of the mail about a new address leaves the account at the thief’s.',
    edits: remove(
      'src/server/accounts/passwords.ts:resetPassword',
      'if (back) await moveBack(parts, tx, user, email)',
    ),
    killers: embedded(stolenSession),
  },
  'stream-outlives-its-session': {
    says: 'An event stream goes on after the log-out.',
    edits: remove(
      'src/server/live/live.ts:#announce',
      'for (const stream of this.#bySession.get(id) ?? []) stream.end()',
    ),
    killers: embedded('test/security-regressions/stream-after-its-session.test.ts'),
  },
  'key-by-a-fresh-session': {
    says: 'A stolen operator’s session makes an API key without the password, and no owner is told.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'api-key.add': proved('api-keys:write', 'key_changed')",
      "'api-key.add': { right: 'api-keys:write', stepUp: false, canNeedApproval: false }",
    ),
    killers: embedded('test/security-regressions/robbed-operator.test.ts'),
  },
  'access-by-a-fresh-session': {
    says: 'A stolen fresh session of an owner invites a new owner and reads the link.',
    edits: replace(
      'src/server/http/serve.ts:proofFor',
      'return server.prove?.(',
      'return async () => {}\n  return server.prove?.(',
    ),
    killers: embedded('test/security-regressions/fresh-session-opens-no-access.test.ts'),
  },
  'prize-deleted-at-once': {
    says: 'A thief deletes the account of a winner at once, and the prize is lost.',
    edits: replace(
      'src/server/accounts/own-data.ts:deleteAccount',
      '|| (await mayWinOrEarn(tx, userId)) || (await mayBeTakenBack(tx, user))',
      '|| (await mayBeTakenBack(tx, user))',
    ),
    killers: embedded('test/security-regressions/deletion-is-told.test.ts'),
  },
  'deletion-untold': {
    says: 'An account is deleted, and its owner is not mailed.',
    edits: remove(
      'src/server/accounts/own-data.ts:removeAccount',
      "await parts.sendMail(tx, { kind: 'account_deleted', to: email, language, name })",
    ),
    killers: embedded('test/security-regressions/deletion-is-told.test.ts'),
  },
  'request-without-its-cookie': {
    says: 'A copied cookie stays good after its owner’s proof, where a second operator has to confirm.',
    edits: never('src/server/http/serve.ts:serve', "error.code === 'second_operator_required'"),
    killers: embedded('test/security-regressions/fresh-session-opens-no-access.test.ts'),
  },
  'own-link': {
    says: 'An owner renews the own link and reads it in the answer.',
    edits: replace(
      'src/server/operators/staff-actions.ts:renewLink',
      "if (unit.actor.operatorId === id) refuse('own_link')",
      '',
    ),
    killers: embedded('test/security-regressions/fresh-session-opens-no-access.test.ts'),
  },
  'mails-that-count-an-operator': {
    says: 'A stranger’s account on an owner’s mailbox uses up the mails to that owner.',
    edits: replace('src/server/mail/unproved-mailboxes.ts:mayMail', '!isOperators &&', 'true &&'),
    killers: embedded('test/security-regressions/stranger-silences-a-mailbox.test.ts'),
  },
  'mails-of-one-kind-without-end': {
    says: 'A thief inside buries the one mail with the link under others.',
    edits: replace(
      'src/server/mail/unproved-mailboxes.ts:mayMail',
      'if (CAUSED_INSIDE.has(kind)) await takeOfKind(limits, `${kind} ${account}`)',
      '',
    ),
    killers: embedded('test/security-regressions/mails-to-an-unproved-address.test.ts'),
  },
  'newest-mail-left-out': {
    says: 'Beyond 30 mails of a kind the oldest waits, so the address that counts is in none.',
    edits: replace(
      'src/server/mail/parked-mails.ts:postponeMail',
      '> ${mail.nth}::bigint',
      '< ${mail.nth}::bigint',
    ),
    killers: embedded('test/security-regressions/mails-to-an-unproved-address.test.ts'),
  },
  'referral-of-a-stranger-stays': {
    says: 'A stranger earns by what the owner of the address buys after taking the account over.',
    edits: remove(
      'referral_refusal',
      "when o.created_at >= (select taken_over_at from users where id = o.user_id) then 'taken_over'",
    ),
    killers: embedded('src/server/referral/referral.test.ts'),
  },
  'copied-cookie-stays': {
    says: 'A copy of a browser’s cookie stays good after a new password.',
    edits: always('src/server/credentials/sessions.ts:renew', '!cookie'),
    killers: embedded('test/security-regressions/copied-cookie.test.ts'),
  },
  'known-browser-guesses-freely': {
    says: 'Who has the value of a browser that is known guesses by it without end.',
    edits: replace(
      'src/server/credentials/known-client.ts:placeOf',
      'isKnown ? `${network} ${mark}` : mark',
      '`${network} ${mark}`',
    ),
    killers: embedded('test/security-regressions/stranger-locks-out-an-owner.test.ts'),
  },
  'known-browser-shares-its-network': {
    says: 'A stranger behind the same address keeps a known browser from logging in.',
    edits: replace(
      'src/server/credentials/password-login.ts:logIn',
      "isOwn ? 'login_browser' : counted.network, isOwn ? pair : client.network",
      'counted.network, client.network',
    ),
    killers: embedded('test/security-regressions/strangers-behind-one-address.test.ts'),
  },
  'login-that-pays-no-hashes': {
    says: 'Whoever sends a browser’s value has passwords hashed without end.',
    edits: remove('src/server/credentials/password-login.ts:logIn', 'client.payHashes?.(isOwn)'),
    killers: embedded('test/security-regressions/strangers-behind-one-address.test.ts'),
  },
  'recovery-codes-delayed-by-strangers': {
    says: 'Who knows the password keeps an owner in a new place out, whatever that owner has.',
    edits: replace(
      'src/server/credentials/code-attempts.ts:countCode',
      'isKnown || !isAppCode(code)',
      'isKnown',
    ),
    killers: embedded('test/security-regressions/stranger-locks-out-an-owner.test.ts'),
  },
  'stolen-session-delays-its-owner': {
    says: 'Wrong passwords and codes in a stolen session delay the owner in every other one.',
    edits: [
      replace(
        'src/server/credentials/proofs.ts:#verify',
        'session ?? holderKey(holder)',
        'holderKey(holder)',
      ),
      remove(
        'src/server/credentials/known-client.ts:placeOf',
        'if (session) return { place: `session:${session}`, isKnown: true, isOwn: true }',
      ),
    ],
    killers: embedded('test/security-regressions/stranger-locks-out-an-owner.test.ts'),
  },
  'password-without-the-factor': {
    says: 'A stolen session that knows the password changes it without the second factor.',
    edits: remove('src/server/credentials/proofs.ts:prepareWhole', '|| (methods.length > 0 && !hasFactor)'),
    killers: embedded(stolenSession),
  },
  'factor-of-another-session': {
    says: 'A session by password alone lasts when another session sets a second factor up.',
    edits: remove(
      'src/server/credentials/own-access-actions.ts:changeFactor',
      'await endOthers(unit, holder.id, sessionId)',
    ),
    killers: embedded('test/security-regressions/owner-without-second-factor.test.ts'),
  },
  'address-proved-by-anybody': {
    says: 'A mailed link proves an address outside of a session of its account: a stranger’s account becomes its owner’s.',
    edits: remove(
      'src/server/accounts/confirmations.ts:confirmByLink',
      "if (holder.id !== userId) refuse('not_signed_in')",
    ),
    killers: embedded(strangersAccount),
  },
  'tokens-deleted-at-once': {
    says: 'Who knows the password deletes an account that its owner may still move back.',
    edits: replace(
      'src/server/accounts/own-data.ts:deleteAccount',
      '|| (await mayWinOrEarn(tx, userId)) || (await mayBeTakenBack(tx, user))',
      '|| (await mayWinOrEarn(tx, userId))',
    ),
    killers: embedded(linksOfAThief),
  },
  'move-judged-before-its-lock': {
    says: 'A move asked for while the address is being proved is told to nobody.',
    edits: replace(
      'src/server/accounts/profile.ts:updateProfile',
      "(await lockUser(parts, tx, user.id)) ?? refuse('session_ended')",
      'user',
    ),
    killers: embedded(linksOfAThief),
  },
  'left-address-hears-nothing': {
    says: 'A former address takes the account back, and the present one is not told.',
    edits: remove(
      'src/server/accounts/take-back.ts:moveBack',
      "await sendMail(tx, { kind: 'moved_back', to: left, language, name })",
    ),
    killers: embedded(linksOfAThief),
  },
  'links-for-who-logged-in-first': {
    says: 'Who registers somebody else’s address mails it as many links for a new password as they have networks.',
    edits: remove(
      'src/server/accounts/passwords.ts:isOwnersPlace',
      '&& ((await findUserByEmail(parts, parts.db, key))?.confirmed_at ?? null) !== null',
    ),
    killers: embedded('test/security-regressions/mails-to-an-unproved-address.test.ts'),
  },
  'deleted-beside-a-link': {
    says: 'An account is deleted while a mailed link promises to take it back.',
    edits: remove(
      'src/server/accounts/take-back.ts:isDeletionDue',
      'and not exists (select from one_time_links l where l.user_id = users.id and ${isOpen})',
    ),
    killers: embedded(weekToTakeBack),
  },
  'doubt-as-long-as-a-link': {
    says: 'The newest link leaves what a thief added a minute before its mail, if it is used in its last minute.',
    edits: replace('src/server/accounts/passwords.ts:DOUBT_DAYS', 'TAKE_BACK_DAYS + 1', 'TAKE_BACK_DAYS'),
    killers: embedded(weekToTakeBack),
  },
  'stranger-keeps-delivery-address': {
    says: 'A reset leaves the delivery address of whoever registered somebody else’s address.',
    edits: remove(
      'src/server/accounts/passwords.ts:resetPassword',
      'await takeBackNamed(parts, tx, { ...user, email }, firstOfDoubt(user))',
    ),
    killers: embedded(strangersAccount),
  },
  'operator-login-cross-site': {
    says: 'Another site signs an operator in by cookie.',
    edits: remove(
      'src/server/http/operator-session.ts:mountSignIn',
      "if (as === 'cookie') refuseCrossSite(call.request, publicUrl)",
    ),
    killers: embedded(account),
  },
  'foreign-origin': {
    says: 'A call by cookie may come from another origin.',
    edits: remove(
      'src/server/http/authentication.ts:refuseCrossSite',
      "if (origin !== undefined && origin !== new URL(publicUrl).origin && hostOf(origin) !== host) { refuse('cross_site_request') }",
    ),
    killers: embedded(account),
  },
  'median-of-split': {
    says: 'Of two groups of sources that disagree one is taken.',
    edits: replace(
      'src/server/rates/median.ts:judgeSources',
      'const agrees = largest.length >= AGREE_MIN && !isSplit',
      'const agrees = largest.length >= AGREE_MIN',
    ),
    killers: embedded('src/server/rates/median.test.ts'),
  },
  'webhook-to-benchmark-network': {
    says: 'Webhooks may reach 198.18.0.0/15.',
    edits: remove('src/server/outside/public-address.ts', "['198.18.0.0', 15],"),
    killers: embedded('src/server/integrations/integrations.test.ts'),
  },
  'webhook-one-public-address': {
    says: 'A name of which one address is public may be called at any of them.',
    edits: replace(
      'src/server/outside/public-address.ts:publicAddressOf',
      'if (!found.every(',
      'if (!found.some(',
    ),
    killers: embedded('src/server/integrations/integrations.test.ts'),
  },
  'refreshed-rate-inverted': {
    says: 'A refreshed rate is the main currency’s value by the price instead of the price by the value.',
    edits: replace(
      'src/server/currencies/currency-actions.ts:refreshRates',
      'priceUsd && keepRate(divide(priceUsd, mainUsd))',
      'priceUsd && keepRate(divide(mainUsd, priceUsd))',
    ),
    killers: embedded(refresh),
  },
  'price-not-positive': {
    says: 'The price service’s zero and negative prices are taken.',
    edits: never('src/server/currencies/simple-price.ts:createSimplePrice', '!positive.test(usd)'),
    killers: embedded(refresh),
  },
  'sessions-never-end': {
    says: 'Sessions never end by time.',
    edits: replace(
      'src/server/credentials/session-lifetimes.ts:isLiveSession',
      '`s.expires_at > now() and s.last_seen_at > now() - make_interval(',
      '`true or s.last_seen_at > now() - make_interval(',
    ),
    killers: embedded(accounts),
  },
  'links-never-end': {
    says: 'One-time links never expire.',
    edits: remove('src/server/credentials/one-time-links.ts:useIfOpen', 'and expires_at > now()'),
    killers: embedded(accounts),
  },
  'deleted-while-owed': {
    says: 'An account is deleted while money is owed to it.',
    edits: [
      remove(
        'src/server/accounts/own-data.ts:refuseOpenBusiness',
        "or o.detail in ('refund_due', 'overpaid')",
      ),
      remove(
        'src/server/accounts/own-data.ts:refuseOpenBusiness',
        "or exists (select from refunds where order_id = o.id and state not in ('paid', 'written_off'))",
      ),
    ],
    killers: embedded(accounts),
  },
  'deleted-with-tokens': {
    says: 'An account with tokens to be delivered is deleted unasked.',
    edits: remove(
      'src/server/accounts/own-data.ts:refuseOpenBusiness',
      '|| (held?.is_owed_tokens && !givesUpTokens)',
    ),
    killers: embedded(accounts),
  },
  'legacy-wallet-by-one': {
    says: 'Through the legacy API one operator changes a receiving wallet where two are asked for.',
    edits: replace(
      'src/server/legacy-api/cryptos.ts:cryptos',
      "await executeAs(exchange, operator, actions['currency.update'], items)",
      "await exchange.context.actions.execute(actions['currency.update'], { ...operator, kind: 'system' } as never, items)",
    ),
    killers: embedded(legacy),
  },
  'legacy-approval-by-one': {
    says: 'Through the legacy API one operator approves an order where two are asked for.',
    edits: replace(
      'src/server/legacy-api/transactions.ts:decide',
      'executeAs(exchange, operator, action, { orderId })',
      "exchange.context.actions.execute(action, { ...operator, kind: 'system' } as never, { orderId })",
    ),
    killers: embedded(legacy),
  },
  'approval-without-step-up': {
    says: 'A session whose login is hours old approves an order that nobody paid.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'order.approve': freshOrByKey('orders:decide')",
      "'order.approve': { right: 'orders:decide', stepUp: false, canNeedApproval: true }",
    ),
    killers: embedded('test/security-regressions/money-by-a-stale-session.test.ts'),
  },
  'price-without-step-up': {
    says: 'The main currency value is changed without a fresh login.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'price.change': freshOfTwo('currencies:write')",
      "'price.change': { right: 'currencies:write', stepUp: false, canNeedApproval: false }",
    ),
    killers: embedded(legacy),
  },
  'approval-by-one': {
    says: 'One operator approves an order where two are asked for.',
    edits: replace(
      'src/shared/actions.ts:actions',
      "'order.approve': freshOrByKey('orders:decide')",
      "'order.approve': { right: 'orders:decide', stepUp: true, canNeedApproval: false }",
    ),
    killers: embedded(legacy),
  },
  'erc20-without-cronos': {
    says: 'The common wallet of ERC-20 tokens leaves Cronos out.',
    edits: remove('src/shared/evm-wallet.ts:names', "'Cronos',"),
    killers: embedded('src/server/currencies/currencies.test.ts'),
  },
  'erc20-on-any-chain': {
    says: 'The common wallet of ERC-20 tokens is written into a token of the same name on TRON.',
    edits: [
      remove('src/shared/evm-wallet.ts:isOfEvmWallet', 'evmNetworks.some((one) => one === network) &&'),
      replace(
        'src/shared/evm-wallet.ts:sharesEvmWallet',
        "(erc20 && [...evmNetworks, 'other'].includes(network))",
        'erc20',
      ),
    ],
    killers: embedded('src/server/currencies/currencies.test.ts'),
  },
  'worse-levels': {
    says: 'A change of the levels gives some balance a smaller bonus.',
    edits: never(
      'src/server/campaign/change-rules.ts:refuseWorseLevels',
      'compare(bonusAt(after, tokens), bonusAt(before, tokens)) < 0',
    ),
    killers: embedded('src/server/campaign/campaign-actions.test.ts'),
  },
  'step-up-of-an-hour': {
    says: 'A login counts as fresh for an hour.',
    edits: replace(
      'src/server/actions/actions.ts:STEP_UP_MS',
      'const STEP_UP_MS = 15 * 60_000',
      'const STEP_UP_MS = 60 * 60_000',
    ),
    killers: embedded(legacy),
  },
  'keys-without-scopes': {
    says: 'An integration’s key has every right of its operator.',
    edits: [
      remove('src/server/http/serve.ts:hasRight', '&& (!operator.scopes || operator.scopes.includes(right))'),
      remove('src/server/actions/actions.ts:isAllowed', '&& (!by.scopes || by.scopes.includes(right))'),
    ],
    killers: embedded('src/server/integrations/integrations.test.ts', area),
  },
  'own-confirmation': {
    says: 'Who asks for a change that needs two confirms it.',
    edits: remove(
      'src/server/actions/approval-requests.ts:confirm',
      "if (row.requested_by === decider.operatorId) refuse('approval_own')",
    ),
    killers: embedded(actions),
  },
  'any-idempotency-key': {
    says: 'Any text is taken as an idempotency key.',
    edits: remove('src/server/http/serve.ts:idempotencyKeyOf', '|| !/^[\\x21-\\x7e]{1,100}$/.test(key)'),
    killers: embedded(httpOrders),
  },
  'malformed-token-looked-up': {
    says: 'The database is asked for tokens that can’t be any.',
    edits: remove(
      'src/server/credentials/sessions.ts:authenticate',
      'if (!token.startsWith(this.#tokenPrefix) || token.length !== this.#tokenPrefix.length + 43) return undefined',
    ),
    killers: embedded(accounts),
  },
  'rate-source-untold': {
    says: 'Owners are not told of a changed rate source.',
    edits: remove('src/server/jobs/outbox.ts:tellOwnersOf', "['rate_source', 'rate_source_changed'],"),
    killers: embedded('src/server/jobs/jobs.test.ts'),
  },
  'legacy-api-always-on': {
    says: 'LEGACY_API=off is ignored.',
    edits: always('src/server/config.ts:readConfig', "env.LEGACY_API === 'on'"),
    killers: embedded('src/server/config.test.ts'),
  },
  'legacy-roles-unchecked': {
    says: 'Through the legacy API any operator reads what roles keep apart.',
    edits: remove(
      'src/server/legacy-api/exchange.ts:requireOperator',
      "if (right !== 'any' && !can(operator.role, right)) refuse('not_for_your_role')",
    ),
    killers: embedded(legacy),
  },
  'legacy-refused-country': {
    says: 'Through the legacy API a refused country orders.',
    edits: remove(
      'src/server/legacy-api/transactions.ts:legacyDeclarations',
      "if (country && buyers.countriesRefused.includes(country)) refuse('country_refused')",
    ),
    killers: embedded(legacy),
  },
  'outbox-hint-unheard': {
    says: 'Nobody hears the hint of a row in the outbox.',
    edits: replace(
      'src/server/live/outbox-hint.ts:createOutboxHint',
      "pg_notify('outbox', '')",
      "pg_notify('outbox-unheard', '')",
    ),
    killers: embedded('src/server/jobs/jobs.test.ts'),
  },
  'key-of-another-path': {
    says: 'A key that comes again at another address answers what the first one made.',
    edits: remove('src/server/http/serve.ts:serve', ', call.params'),
    killers: embedded('src/server/operators/user-notes.test.ts'),
  },
  'debt-mailed-to-another-spelling': {
    says: 'The link to claim a debt of a deleted account goes to the spelling that somebody typed.',
    edits: replace(
      'src/server/debts/debts.ts:#mailLink',
      'const to = emailKey(email)',
      'const to = email.trim()',
    ),
    killers: embedded('src/server/debts/debts.test.ts'),
  },
  'unproved-mailbox-uncounted': {
    says: 'An account of another person’s address has that person mailed as often as it likes.',
    edits: replace(
      'src/server/mail/unproved-mailboxes.ts:mayMail',
      "await mayTake(limits, 'unproved_mailbox', mailboxOf(key))",
      'true',
    ),
    killers: embedded('test/security-regressions/mails-to-an-unproved-address.test.ts'),
  },
  'drawn-alone-all-at-once': {
    says: 'As many pages are drawn at once as visitors ask for.',
    edits: replace(
      'src/server/pages/page-cache.ts:createDrawAlone',
      'const turn = createQueue(ALONE_AT_ONCE, ALONE_WAITING_MAX)',
      'const turn = createQueue(1_000)',
    ),
    killers: embedded('test/security-regressions/flood-of-drawn-pages.test.ts'),
  },
  'line-at-home-is-many-networks': {
    says: 'A line at home may ask as often as its 256 networks of IPv6.',
    edits: replace('src/server/limits/widths.ts:widthsOf', "!network.endsWith('::/64')", 'true'),
    killers: embedded('src/server/limits/limits.test.ts'),
  },
  'common-budget-without-reserve': {
    says: 'Who floods from many networks shuts everybody else out.',
    edits: replace('src/server/limits/limits.ts:takeOfAll', 'isFirst ? 0 : RESERVED', '0'),
    killers: embedded('src/server/limits/limits.test.ts'),
  },
  'mails-to-one-mailbox': {
    says: 'One mailbox gets as many mails as it has spellings.',
    edits: replace(
      'src/server/accounts/sign-in.ts:addAccount',
      "limits.take('register_address', mailboxOf(key))",
      "limits.take('register_address', key)",
    ),
    killers: embedded('src/server/accounts/accounts.test.ts'),
  },
  'mails-of-moves-to-one-mailbox': {
    says: 'Whoever moves accounts to one mailbox has it mailed as often as it has spellings.',
    edits: replace(
      'src/server/accounts/profile.ts:updateProfile',
      "limits.take('register_address', mailboxOf(emailKey(email)))",
      "limits.take('register_address', emailKey(email))",
    ),
    killers: embedded('src/server/accounts/accounts.test.ts'),
  },
  'mails-of-news-to-one-mailbox': {
    says: 'One mailbox is asked whether it wants news as often as it has spellings.',
    edits: replace(
      'src/server/followers/followers.ts:ask',
      "limits.take('follow_address', mailboxOf(email.toLowerCase()))",
      "limits.take('follow_address', email.toLowerCase())",
    ),
    killers: embedded('src/server/followers/followers.test.ts'),
  },
})
