import { embedded, type Mutant } from './mutant.ts'

const wire = 'src/server/wire/wire-guards.test.ts'
const area = 'test/scenarios/operator-area.test.ts'
const account = 'src/server/http/account.test.ts'
const accounts = 'src/server/accounts/accounts.test.ts'
const httpOrders = 'src/server/http/orders.test.ts'
const acts = 'src/server/acts/acts.test.ts'
const refresh = 'src/server/currencies/refresh-rates.test.ts'

/** Who may do what, through which door; sessions and links; currencies and rates; settings. */
export const doorMutants: readonly Mutant[] = [
  {
    id: 'keys-shared-by-buyers',
    says: 'Two buyers who use the same idempotency key get the same answer.',
    edits: [
      [
        'src/server/http/idempotency.ts',
        "if (actor.kind === 'buyer') return `buyer:${actor.userId}`",
        "if (actor.kind === 'buyer') return 'buyer'",
      ],
    ],
    killers: [embedded(httpOrders)],
  },
  {
    id: 'currency-without-step-up',
    says: 'Currencies are changed without a fresh login.',
    edits: [
      [
        'src/shared/acts.ts',
        "'currency.add': freshOfTwo('currencies:write')",
        "'currency.add': { right: 'currencies:write', stepUp: false, waits: true }",
      ],
      [
        'src/shared/acts.ts',
        "'currency.update': freshOfTwo('currencies:write')",
        "'currency.update': { right: 'currencies:write', stepUp: false, waits: true }",
      ],
      [
        'src/shared/acts.ts',
        "'currency.evm-wallet': freshOfTwo('currencies:write')",
        "'currency.evm-wallet': { right: 'currencies:write', stepUp: false, waits: true }",
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'operator-login-cross-site',
    says: 'Another site signs an operator in by cookie.',
    edits: [
      [
        'src/server/http/operator-session.ts',
        "    if (as === 'cookie') refuseCrossSite(call.request, publicUrl)\n",
        '',
      ],
    ],
    killers: [embedded(account)],
  },
  {
    id: 'foreign-origin',
    says: 'A call by cookie may come from another origin.',
    edits: [
      [
        'src/server/http/authentication.ts',
        "  if (origin !== undefined && origin !== new URL(publicUrl).origin && hostOf(origin) !== host) {\n    refuse('cross_site_request')\n  }\n",
        '',
      ],
    ],
    killers: [embedded(account)],
  },
  {
    id: 'median-of-split',
    says: 'Of two groups of sources that disagree one is taken.',
    edits: [
      [
        'src/server/rates/median.ts',
        'const agrees = largest.length >= AGREE_MIN && !isSplit',
        'const agrees = largest.length >= AGREE_MIN',
      ],
    ],
    killers: [embedded('src/server/rates/median.test.ts')],
  },
  {
    id: 'webhook-to-benchmark-network',
    says: 'Webhooks may reach 198.18.0.0/15.',
    edits: [['src/server/public-address.ts', "  ['198.18.0.0', 15],\n", '']],
    killers: [embedded('src/server/integrations/integrations.test.ts')],
  },
  {
    id: 'webhook-one-public-address',
    says: 'A name of which one address is public may be called at any of them.',
    edits: [['src/server/public-address.ts', 'if (!found.every(', 'if (!found.some(']],
    killers: [embedded('src/server/integrations/integrations.test.ts')],
  },
  {
    id: 'refreshed-rate-inverted',
    says: 'A refreshed rate is the main currency’s value by the price instead of the price by the value.',
    edits: [
      [
        'src/server/currencies/currency-acts.ts',
        'priceUsd && keepRate(divide(priceUsd, mainUsd))',
        'priceUsd && keepRate(divide(mainUsd, priceUsd))',
      ],
    ],
    killers: [embedded(refresh)],
  },
  {
    id: 'price-not-positive',
    says: 'The price service’s zero and negative prices are taken.',
    edits: [['src/server/currencies/simple-price.ts', 'if (!positive.test(usd)) throw', 'if (false) throw']],
    killers: [embedded(refresh)],
  },
  {
    id: 'sessions-never-end',
    says: 'Sessions never end by time.',
    edits: [
      [
        'src/server/credentials/session-lifetimes.ts',
        '`s.expires_at > now() and s.last_seen_at > now() - make_interval(',
        '`true or s.last_seen_at > now() - make_interval(',
      ],
    ],
    killers: [embedded(accounts)],
  },
  {
    id: 'links-never-end',
    says: 'One-time links never expire.',
    edits: [
      [
        'src/server/credentials/one-time-links.ts',
        'and used_at is null and expires_at > now()',
        'and used_at is null',
      ],
    ],
    killers: [embedded(accounts)],
  },
  {
    id: 'deleted-while-owed',
    says: 'An account is deleted while money is owed to it.',
    edits: [
      ['src/server/accounts/own-data.ts', "                or detail in ('refund_due', 'overpaid')\n", ''],
      [
        'src/server/accounts/own-data.ts',
        "\n                or exists (select from refunds where order_id = orders.id and state not in ('paid', 'written_off')))",
        ')',
      ],
    ],
    killers: [embedded(accounts)],
  },
  {
    id: 'deleted-with-tokens',
    says: 'An account with tokens to be delivered is deleted unasked.',
    edits: [
      [
        'src/server/accounts/own-data.ts',
        'orders > 0 || (held?.is_owed_tokens && !givesUpTokens)',
        'orders > 0',
      ],
    ],
    killers: [embedded(accounts)],
  },
  {
    id: 'wire-wallet-by-one',
    says: 'Through the original contract one operator changes a receiving wallet where two are asked for.',
    edits: [
      [
        'src/server/wire/cryptos.ts',
        "await performAs(exchange, operator, acts['currency.update'], items)",
        "await exchange.context.acts.perform(acts['currency.update'], { ...operator, kind: 'system' } as never, items)",
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'wire-approval-by-one',
    says: 'Through the original contract one operator approves an order where two are asked for.',
    edits: [
      [
        'src/server/wire/transactions.ts',
        'await performAs(exchange, operator, act, { orderId })\n  return {}\n}\n\nasync function hide',
        "await exchange.context.acts.perform(act, { ...operator, kind: 'system' } as never, { orderId })\n  return {}\n}\n\nasync function hide",
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'price-without-step-up',
    says: 'The main currency value is changed without a fresh login.',
    edits: [
      [
        'src/shared/acts.ts',
        "'price.change': freshOfTwo('currencies:write')",
        "'price.change': plain('currencies:write')",
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'approval-by-one',
    says: 'One operator approves an order where two are asked for.',
    edits: [
      [
        'src/shared/acts.ts',
        "'order.approve': { right: 'orders:decide', stepUp: false, waits: true }",
        "'order.approve': plain('orders:decide')",
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'erc20-without-cronos',
    says: 'The common wallet of ERC-20 tokens leaves Cronos out.',
    edits: [['src/shared/evm-wallet.ts', "  'Cronos',\n", '']],
    killers: [embedded('src/server/currencies/currencies.test.ts')],
  },
  {
    id: 'erc20-on-any-chain',
    says: 'The common wallet of ERC-20 tokens is written into a token of the same name on TRON.',
    edits: [
      ['src/shared/evm-wallet.ts', 'evmNetworks.some((one) => one === network) && names', 'names'],
      ['src/shared/evm-wallet.ts', "(erc20 && [...evmNetworks, 'other'].includes(network))", 'erc20'],
    ],
    killers: [embedded('src/server/currencies/currencies.test.ts')],
  },
  {
    id: 'worse-levels',
    says: 'A change of the levels gives some balance a smaller bonus.',
    edits: [
      [
        'src/server/campaign/change-rules.ts',
        '    if (compare(bonusAt(after, tokens), bonusAt(before, tokens)) < 0)',
        '    if (false)',
      ],
    ],
    killers: [embedded('src/server/campaign/campaign-acts.test.ts')],
  },
  {
    id: 'step-up-of-an-hour',
    says: 'A login counts as fresh for an hour.',
    edits: [['src/server/acts/acts.ts', 'const STEP_UP_MS = 15 * 60_000', 'const STEP_UP_MS = 60 * 60_000']],
    killers: [embedded(wire)],
  },
  {
    id: 'keys-without-scopes',
    says: 'An integration’s key has every right of its operator.',
    edits: [
      [
        'src/server/http/serve.ts',
        'can(operator.role, right) && (!operator.scopes || operator.scopes.includes(right))',
        'can(operator.role, right)',
      ],
      [
        'src/server/acts/acts.ts',
        'can(by.role, right) && (!by.scopes || by.scopes.includes(right))',
        'can(by.role, right)',
      ],
    ],
    killers: [embedded('src/server/integrations/integrations.test.ts', area)],
  },
  {
    id: 'own-confirmation',
    says: 'Who asks for a change that needs two confirms it.',
    edits: [
      [
        'src/server/acts/pending-acts.ts',
        "    if (row.requested_by === decider.operatorId) refuse('action_own')\n",
        '',
      ],
    ],
    killers: [embedded(acts)],
  },
  {
    id: 'any-idempotency-key',
    says: 'Any text is taken as an idempotency key.',
    edits: [
      [
        'src/server/http/serve.ts',
        "if (typeof key !== 'string' || !/^[\\x21-\\x7e]{1,100}$/.test(key))",
        "if (typeof key !== 'string')",
      ],
    ],
    killers: [embedded(httpOrders)],
  },
  {
    id: 'malformed-token-looked-up',
    says: 'The database is asked for tokens that can’t be any.',
    edits: [
      [
        'src/server/credentials/sessions.ts',
        '    if (!token.startsWith(this.#tokenPrefix) || token.length !== this.#tokenPrefix.length + 43)\n      return undefined\n',
        '',
      ],
    ],
    killers: [embedded(accounts)],
  },
  {
    id: 'rate-source-untold',
    says: 'Owners are not told of a changed rate source.',
    edits: [['src/server/jobs/outbox.ts', "    ['rate_source', 'rate_source_changed'],\n", '']],
    killers: [embedded('src/server/jobs/jobs.test.ts')],
  },
  {
    id: 'wire-contract-always-on',
    says: 'WIRE_CONTRACT=off is ignored.',
    edits: [['src/server/config.ts', "hasWireContract: env.WIRE_CONTRACT === 'on'", 'hasWireContract: true']],
    killers: [embedded('src/server/config.test.ts')],
  },
  {
    id: 'wire-roles-unchecked',
    says: 'Through the original contract any operator reads what roles keep apart.',
    edits: [
      [
        'src/server/wire/exchange.ts',
        "  if (right !== 'any' && !can(operator.role, right)) refuse('not_for_your_role')\n",
        '',
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'wire-refused-country',
    says: 'Through the original contract a refused country orders.',
    edits: [
      [
        'src/server/wire/transactions.ts',
        "  if (country && buyers.countriesRefused.includes(country)) refuse('country_refused')\n",
        '',
      ],
    ],
    killers: [embedded(wire)],
  },
  {
    id: 'outbox-hint-unheard',
    says: 'Nobody hears the hint of a row in the outbox.',
    edits: [['src/server/live/outbox-hint.ts', "pg_notify('outbox', '')", "pg_notify('outbox-unheard', '')"]],
    killers: [embedded('src/server/jobs/jobs.test.ts')],
  },
  {
    id: 'key-of-another-path',
    says: 'A key that comes again at another address answers what the first one made.',
    edits: [
      ['src/server/http/serve.ts', 'requestHash(request.body, call.params)', 'requestHash(request.body)'],
    ],
    killers: [embedded('src/server/operators/user-notes.test.ts')],
  },
  {
    id: 'mails-to-one-mailbox',
    says: 'One mailbox gets as many mails as it has spellings.',
    edits: [
      [
        'src/server/accounts/sign-in.ts',
        "limits.take('register_address', mailboxOf(key))",
        "limits.take('register_address', key)",
      ],
    ],
    killers: [embedded('src/server/accounts/accounts.test.ts')],
  },
  {
    id: 'mails-of-moves-to-one-mailbox',
    says: 'Whoever moves accounts to one mailbox has it mailed as often as it has spellings.',
    edits: [
      [
        'src/server/accounts/profile.ts',
        "limits.take('register_address', mailboxOf(emailKey(email)))",
        "limits.take('register_address', emailKey(email))",
      ],
    ],
    killers: [embedded('src/server/accounts/accounts.test.ts')],
  },
  {
    id: 'mails-of-news-to-one-mailbox',
    says: 'One mailbox is asked whether it wants news as often as it has spellings.',
    edits: [
      [
        'src/server/followers/followers.ts',
        "limits.take('follow_address', mailboxOf(email.toLowerCase()))",
        "limits.take('follow_address', email.toLowerCase())",
      ],
    ],
    killers: [embedded('src/server/followers/followers.test.ts')],
  },
]
