import fc from 'fast-check'
import type { Network } from '../src/shared/networks.ts'
import {
  buyer,
  type Currency,
  came,
  country,
  currency,
  type Event,
  type Fate,
  isOther,
  kind,
  limits,
  networkOf,
  operator,
  result,
  type Step,
  second,
  share,
  stepsOfSale,
  terms,
  tokens,
} from './steps.ts'

// Single steps, and stories of combinations that rarely happen by chance.

/** About 120 steps: enough to sell out and end, with small tables. */
const PIECES = 70

type Arbitrary = fc.Arbitrary<Step>

const newest = { which: -1 }
const say = <K extends Step['kind']>(name: K, facts: Omit<Extract<Step, { kind: K }>, 'kind'>): Arbitrary =>
  fc.constant({ kind: name, ...facts } as Extract<Step, { kind: K }>)
const either = (...arbitraries: Arbitrary[]): Arbitrary => fc.oneof(...arbitraries)

const orders = (by: number, code: Currency, amount: string): Arbitrary =>
  say('order', { buyer: by, currency: code, tokens: amount })
const pays = (...shares: string[]): Arbitrary =>
  fc.record({ kind: kind('pay'), which: fc.constant(-1), share: fc.constantFrom(...shares), result, isOther })
const passes = (...minutes: number[]): Arbitrary =>
  fc.record({ kind: kind('time'), minutes: fc.constantFrom(...minutes) })
const decides = (...kinds: ('approve' | 'reject')[]): Arbitrary =>
  either(
    ...kinds.map(
      (decision): Arbitrary =>
        decision === 'approve'
          ? fc.record({ kind: kind(decision), which: fc.constant(-1), operator })
          : fc.record({ kind: kind(decision), which: fc.constant(-1), operator, came }),
    ),
  )
const works = say('jobs', {})
const freezes = fc.record({ kind: kind('freeze'), minutes: fc.constantFrom(0, 0, 60) }) as Arbitrary

const inTurn = (...actions: Arbitrary[][]): fc.Arbitrary<Step[]> => fc.tuple(...actions.flat())

const reorgOf = (network: Network, min: number, max: number, fates: readonly Fate[]): Arbitrary =>
  fc.record({
    kind: kind('reorg'),
    network: fc.constant(network),
    depth: fc.integer({ min, max }),
    fate: fc.constantFrom(...fates),
  })

const onChain = (network: Network) => ({
  looks: say('watch', { network }),
  mines: (...blocks: number[]) => either(...blocks.map((count) => say('mine', { network, blocks: count }))),
  /** Mines as many blocks as some payments need, or one less. */
  confirms: either(...[5, 6, 11, 12, 13].map((blocks) => say('mine', { network, blocks }))),
  undoes: (most: number, ...fates: Fate[]) => reorgOf(network, 1, most, fates),
  /** Reverts usually confirmed but not final blocks. */
  undoesMuch: (...fates: Fate[]) => reorgOf(network, 6, 11, fates),
  /** Reverts final blocks, after which operators resume the chain. */
  undoesAll: (...fates: Fate[]) => reorgOf(network, 24, 29, fates),
  resumes: say('resume', { network }),
  replaces: fc.record({ kind: kind('replace'), network: fc.constant(network), share }) as Arbitrary,
  isBlind: say('node', { network, trouble: 'blind', calls: 1 }),
  /** Hides new blocks and blocks read again in one poll. */
  staysBlind: say('node', { network, trouble: 'blind', calls: 2 }),
  isElsewhere: say('node', { network, trouble: 'elsewhere', calls: 1 }),
  prepares: say('prepare', { network }),
  sends: fc.record({
    kind: kind('pay refund'),
    network: fc.constant(network),
    share: fc.constantFrom('1', '1', '1', '1.01'),
  }) as Arbitrary,
})

const inCurrency = (code: Currency) => ({
  stops: (paused: boolean) =>
    either(
      say('pause currency', { currency: code, paused }),
      say('switch currency', { currency: code, paused }),
    ),
})

type Acts = ReturnType<typeof onChain> & ReturnType<typeof inCurrency>

/** A story of one order, with other numbers each time. */
const ofOneOrder = (story: (acts: Acts) => Arbitrary[][]): fc.Arbitrary<Step[]> =>
  fc
    .tuple(buyer, currency, tokens)
    .chain(([by, code, amount]) =>
      inTurn([orders(by, code, amount)], ...story({ ...onChain(networkOf(code)), ...inCurrency(code) })),
    )

/** Minutes to an order's expiry, and more. */
const EXPIRES = 60
const EXPIRED = 61
const A_DAY_LATE = 1_502

const refundUndone = ofOneOrder(({ looks, mines, confirms, undoesMuch, prepares, sends }) => [
  [pays('1', '0.5', '1.5'), mines(13), looks, decides('reject')],
  [say('claim', newest), looks, passes(1_439, A_DAY_LATE), prepares, sends, mines(6), looks],
  [undoesMuch('kept', 'otherwise', 'waits', 'lost'), looks, confirms, looks],
])

const fates = ['kept', 'otherwise', 'waits', 'lost'] as const

/** Rounds before and after further payments, reorgs and rejections. */
const delivered = ofOneOrder(({ looks, mines, confirms, undoesMuch, undoesAll, replaces, resumes }) => [
  [pays('1', '0.5', '1.5'), mines(13), looks, freezes, pays('0.005', '0.5', '1.5'), confirms, looks],
  [either(freezes, passes(61)), either(undoesMuch(...fates), undoesAll(...fates))],
  [either(replaces, works), resumes, looks],
  [decides('reject'), mines(13), looks, freezes, pays('0.5'), mines(13), looks, freezes],
])

/**
 * Late payments in the order's stage and price, during a pause, in a paused or disabled currency, in another
 * stage or at another price; and reverted.
 */
const paidLate = ofOneOrder(({ looks, confirms, undoes, stops }) => [
  [passes(EXPIRED, A_DAY_LATE, 11_520, 23_000)],
  [either(say('pause sale', { paused: true }), say('price', { priceUsd: '9' }), stops(true), looks)],
  [pays('1', '0.9', '3.75', '30', '0.1'), confirms, looks],
  [say('pause sale', { paused: false }), stops(false), pays('1', '0.9', '30'), confirms, looks],
  [undoes(11, 'waits', 'lost'), looks, confirms, looks],
])

const lyingNode = ofOneOrder(({ looks, mines, isBlind, isElsewhere }) => [
  [pays('1', '1.5'), either(isBlind, isElsewhere), either(looks, say('restart', {}))],
  [mines(1), looks, mines(2), looks, mines(13), looks],
])

/** A block read again lacks its payments for a while. */
const silentNode = fc.tuple(buyer, tokens).chain(([by, amount]) => {
  const { looks, mines, staysBlind } = onChain('ethereum')
  return inTurn(
    [orders(by, 'USDT', amount), pays('1', '1.5'), mines(1, 9), looks, staysBlind, mines(3), looks],
    [passes(59, EXPIRED, EXPIRED), staysBlind, mines(1), looks, either(staysBlind, looks), mines(1), looks],
    [mines(1), looks, passes(EXPIRED, A_DAY_LATE), mines(1, 13), looks],
  )
})

const seenLongBefore = ofOneOrder(({ looks, mines, confirms }) => [
  [pays('1', '0.999', '0.9', '0.5'), looks, passes(14, EXPIRES, EXPIRED, 1_441, A_DAY_LATE)],
  [mines(1, 13), either(looks, works), looks, confirms, looks, passes(EXPIRED, A_DAY_LATE), works],
])

const inParts = ofOneOrder(({ looks, mines, confirms }) => [
  [
    pays('0.5', '0.9', '0.89', '0.995', '0.999', '1.5', '0.00001'),
    either(looks, looks, works),
    passes(1, 14, EXPIRES, EXPIRED, EXPIRED),
  ],
  [pays('0.5', '0.1', '0.25', '1'), confirms, looks, passes(EXPIRED, A_DAY_LATE)],
  [works, mines(13), looks],
])

/** The payment is confirmed before it is final, or only then. */
const secondNodeBehind = fc
  .tuple(buyer, fc.constantFrom<Currency>('ETH', 'USDT'), fc.constantFrom('1000', '1000', '5000'))
  .chain(([by, code, amount]) => {
    const { looks, mines } = onChain('ethereum')
    const says = fc.oneof(fc.constant('lags' as const), second)
    return inTurn(
      [orders(by, code, amount), fc.record({ kind: kind('second node'), says }), pays('1', '0.5')],
      [mines(11, 13), looks, looks, mines(1), looks],
      [say('second node', { says: 'agrees' }), looks, mines(1), looks],
    )
  })

const executedAgain = ofOneOrder(({ looks, mines, confirms, undoes, replaces }) => [
  [pays('1', '0.5', '1.5'), mines(1, 2, 13), looks, undoes(13, 'otherwise', 'waits', 'lost'), looks],
  [replaces, looks, confirms, looks],
])

const rejected = ofOneOrder(({ looks, confirms }) => [
  [pays('1', '1.5', '0.5'), either(looks, works), decides('approve', 'reject')],
  [decides('approve', 'reject'), pays('1', '0.25'), confirms, looks, decides('approve', 'reject'), looks],
])

/**
 * Buyers take orders back before and after their days, beside rounds, levels and rewards, with payments that
 * come and go.
 */
const takenBack = fc.tuple(buyer, tokens, currency).chain(([by, amount, code]) => {
  const { looks, mines, undoes } = onChain(networkOf(code))
  const backs = say('take back', newest)
  return inTurn(
    [say('money back', { days: 14 }), orders(by, code, amount), pays('1', '0.5', '1.5'), mines(13), looks],
    [either(freezes, orders(by, code, '40'), pays('0.5')), either(passes(61, 18_720, 20_159, 20_160), looks)],
    [either(freezes, pays('0.25', '1')), either(say('decide rewards', {}), mines(13)), looks, backs],
    [undoes(11, 'kept', 'waits', 'lost'), looks, pays('1', '0.25'), mines(13), looks, backs, looks],
  )
})

/** The same at a fixed address. */
const takenBackByHand = fc
  .tuple(buyer, tokens)
  .chain(([by, amount]) =>
    inTurn(
      [
        say('money back', { days: 14 }),
        orders(by, 'DAI', amount),
        decides('approve'),
        passes(1, 20_159, 20_160),
      ],
      [either(freezes, decides('reject')), say('take back', newest), decides('reject'), say('claim', newest)],
    ),
  )

/** Two orders at a fixed address; the transaction serves one. */
const namedTwice = fc.tuple(buyer, buyer, tokens, fc.nat(1)).chain(([by, other, amount, transaction]) => {
  const names = say('name', { ...newest, transaction })
  return inTurn(
    [orders(by, 'DAI', amount), names, decides('approve', 'reject')],
    [orders(other, 'DAI', amount), names, decides('approve'), names, decides('reject', 'approve')],
  )
})

/** A fixed address: approval, rejection, and the attested debt, paid on the chain or attested. */
const decidedByHand = fc.tuple(buyer, tokens).chain(([by, amount]) => {
  const { looks, mines, undoesMuch, prepares, sends } = onChain('ethereum')
  const ends = either(sends, say('say paid', newest))
  return inTurn(
    [orders(by, 'DAI', amount), either(works, passes(EXPIRED, 4_321)), works],
    [decides('approve', 'reject'), either(decides('approve', 'reject'), say('two operators', {}))],
    [
      decides('reject'),
      say('claim', newest),
      passes(1_439, A_DAY_LATE),
      prepares,
      ends,
      decides('approve'),
      mines(13),
      looks,
    ],
    [undoesMuch('kept', 'otherwise', 'waits', 'lost'), looks, mines(13), looks, decides('approve', 'reject')],
  )
})

/** A payment in another coin, which an operator owes back. */
const inAnotherCoin = fc.tuple(buyer, fc.constantFrom<Currency>('ETH', 'USDT')).chain(([by, code]) => {
  const { looks, mines, undoes, prepares, sends } = onChain('ethereum')
  const paid = fc.record({
    kind: kind('pay'),
    which: fc.constant(-1),
    share: fc.constantFrom('1', '0.5'),
    result,
    isOther: fc.constant(true),
  })
  const ends = [
    say('refund payment', newest),
    say('claim', newest),
    passes(A_DAY_LATE),
    prepares,
    sends,
    mines(13),
    looks,
  ]
  return inTurn(
    [orders(by, code, '200'), paid, mines(11, 12, 13), looks, ...ends],
    [undoes(11, 'kept', 'otherwise', 'waits', 'lost'), looks, mines(13), looks],
  )
})

/** Overpaid, and the surplus is refunded. */
const surplusPaidBack = ofOneOrder(({ looks, mines, undoesMuch, prepares, sends }) => [
  [pays('1.5', '30'), mines(13), looks, say('claim', newest), passes(1_439, A_DAY_LATE), prepares],
  [either(sends, say('say paid', newest)), mines(6), looks],
  [undoesMuch('kept', 'otherwise', 'waits', 'lost'), looks, mines(13), looks],
])

/** Each payment needs fewer confirmations than their sum. */
const partsOfMuch = fc
  .tuple(buyer, fc.constantFrom<Currency>('ETH', 'USDT'), fc.constantFrom('1000', '40'))
  .chain(([by, code, amount]) => {
    const { looks, mines } = onChain('ethereum')
    const paid = () => pays('0.9', '1', '1.5', '3.75')
    return inTurn(
      [orders(by, code, amount), paid(), paid()],
      [either(paid(), looks), mines(11, 12), looks, mines(1), looks],
    )
  })

const sells = (by: number): Arbitrary =>
  fc.record({
    kind: kind('order'),
    buyer: fc.constant(by),
    currency,
    tokens: fc.constantFrom('20000', '5000'),
  })
const paysFor = (which: number): Arbitrary =>
  fc.record({
    kind: kind('pay'),
    which: fc.constant(which),
    share: fc.constantFrom('1', '0.9', '0.89', '0.5', '0.25', '1.5'),
    result,
    isOther,
  })
const both = [onChain('litecoin').looks, onChain('ethereum').looks]

/** The two are mostly different people. */
const brings = (by: number): Arbitrary[] => [
  fc.record({ kind: kind('join'), buyer: fc.constant(by), country }),
  fc.record({
    kind: kind('register'),
    by: fc.constant(by),
    isSameMailbox: fc.nat(9).map((luck) => luck === 0),
  }),
]
const isOn: Arbitrary = fc.record({ kind: kind('terms'), terms })
const decidesRewards = say('decide rewards', {})
const looksAgain = say('look again', {})

/** The order is final on its chain, or approved by hand and old enough; reverted and approved again. */
const rewarded = fc
  .tuple(
    fc.nat(2),
    fc.oneof(currency, fc.constant<Currency>('DAI')),
    fc.constantFrom('40.000001', '1000', '20000'),
    fc.nat(1),
  )
  .chain(([by, code, amount, isUndone]) => {
    const { looks, mines, confirms, undoesMuch } = onChain(networkOf(code))
    const approved = [decides('approve'), decidesRewards, passes(20_159, 20_160), decidesRewards, passes(1)]
    const byChain = [pays('1', '0.999', '1.5'), confirms, looks, decidesRewards, mines(1, 6), looks]
    const undone = [undoesMuch('lost', 'waits', 'kept'), looks, mines(13), looks]
    return inTurn(
      [isOn, ...brings(by), orders(-1, code, amount)],
      [...(code === 'DAI' ? approved : byChain), decidesRewards],
      isUndone ? undone : [decides('reject', 'approve'), decides('reject', 'approve'), passes(1, 20_160)],
      [decidesRewards, looksAgain],
    )
  })

/**
 * An order is paid in parts, in time and late, while rate, maximum and levels change; the last part is
 * reverted.
 */
const grows = fc
  .tuple(fc.constantFrom(-1, 0), fc.constantFrom<Currency>('LTC', 'LTC', 'ETH', 'USDT'), tokens)
  .chain(([by, code, amount]) => {
    const { looks, mines, undoesMuch } = onChain(networkOf(code))
    const rate = fc.constantFrom('1', '20.5', '500')
    const changes = either(
      limits,
      fc.record({ kind: kind('rate'), currency: fc.constant(code), rate }),
      passes(1, EXPIRED),
      works,
    )
    const part = (...shares: string[]) => [pays(...shares), mines(1, 13, 13), looks]
    return inTurn(
      [isOn, ...brings(0), orders(by, code, amount), changes],
      [...part('0.5', '0.995', '0.00001', '0.005'), decidesRewards, changes],
      [...part('0.5', '0.25', '0.005', '1.5', '30'), mines(13), looks, decidesRewards, changes],
      [pays('0.25', '0.005', '1'), mines(6, 12), looks, decidesRewards],
      [undoesMuch('kept', 'waits', 'lost'), looks, mines(13), looks, decidesRewards],
    )
  })

/** A browser or a refund address shows it before or after the reward. */
const onePerson = fc
  .tuple(fc.constantFrom<Currency>('LTC', 'ETH'), fc.nat(2), fc.nat(2), fc.nat(1))
  .chain(([code, by, luck, what]) => {
    const { looks, mines } = onChain(networkOf(code))
    // Only one of the two is evidence at a time.
    const sends = (part: string) => say('pay', { ...newest, share: part, result: 'as sent', isOther: false })
    const claims = [decides('reject'), say('claim', { ...newest, isShared: true })]
    const signsIn = (who: number) => say('sign in', { buyer: who, browser: by })
    const friend = [orders(-1, code, '200'), sends('1'), mines(13), looks, decidesRewards]
    const shows = [
      [signsIn(-1), signsIn(by)],
      [
        orders(by, code, '200'),
        sends('1'),
        mines(13),
        looks,
        ...claims,
        orders(-1, code, '200'),
        sends('0.5'),
        mines(13),
        looks,
        ...claims,
      ],
    ][what] as Arbitrary[]
    return inTurn([isOn, ...brings(by)], luck === 0 ? [...shows, ...friend] : [...friend, ...shows], [
      looksAgain,
      orders(-1, code, '200'),
      sends('1'),
      mines(13),
      looks,
      decidesRewards,
      looksAgain,
    ])
  })

/**
 * A payment by a signed quote: in time or late, reverted, cancelled by the seller or refunded, which is
 * reverted too.
 */
const inEscrow = fc.tuple(buyer, tokens, fc.nat(4), fc.nat(2)).chain(([by, amount, luck, ends]) => {
  const { looks, mines, confirms, undoes, undoesMuch, isBlind } = onChain('ethereum')
  const signed = [orders(by, 'USDC', amount), say('sign', newest)]
  const waits = [passes(1, 9, 10, 11, EXPIRES, EXPIRED), works]
  const decided = either(decides('approve'), decides('reject'), looks)
  const paid = [pays('1'), either(confirms, isBlind), looks, mines(1, 6, 13), looks]
  const takenOut = [say('escrow cancel', newest), mines(1, 11, 12, 13), looks, say('escrow refund', newest)]
  const undone = [undoes(11, 'kept', 'waits', 'lost', 'otherwise'), looks, mines(12, 13), looks]
  return inTurn(
    [
      ...signed,
      ...(luck === 0 ? waits : []),
      decided,
      ...(luck < 4 ? paid : [...waits, mines(11, 13), looks]),
    ],
    [decided, say('sign', newest)],
    ends === 0
      ? undone
      : [...takenOut, mines(1, 6), looks, ...(ends === 1 ? undone : [undoesMuch('lost', 'waits'), looks])],
    [decided, mines(13), looks, passes(EXPIRED, 1_441), works, decided],
  )
})

/** Rewards beyond the limits per person or in total; a reversed reward frees its part. */
const moreThanAllowed = fc
  .tuple(fc.constantFrom('1000', '1200'), fc.constantFrom('1500', '2000'), fc.constantFrom('5000', '20000'))
  .chain(([mostTokensEach, mostTokens, amount]) => {
    const { looks, mines } = onChain('litecoin')
    const buys = (who: number, size: string): Arbitrary[] => [orders(who, 'LTC', size), pays('1', '0.999')]
    const set = { percent: '20', mostTokensEach, mostTokens, countriesExcluded: [] }
    const final = [mines(13), looks, decidesRewards]
    return inTurn(
      [say('terms', { terms: set }), ...brings(0), ...brings(0), ...brings(1)],
      [...buys(-2, '1000'), ...final, ...buys(-3, amount), ...buys(-1, '5000'), ...final],
      [decides('reject'), ...buys(-1, '1000'), ...buys(-2, amount), ...final],
    )
  })

/** The bonus share is used up, and has room again for the next reward. */
const nothingLeftToGive = inTurn(
  [isOn, ...brings(0), orders(-1, 'DAI', '1000'), decides('approve'), passes(20_160)],
  [say('grant', { buyer: 0, amount: 'rest' }), decidesRewards, say('reverse grant', newest)],
  [decides('reject'), decides('approve'), passes(20_160), decidesRewards],
)

const soldOut = inTurn(
  [0, 1, 2, 0, 1].map(sells),
  [-1, -2, -3, -4, -5].map(paysFor),
  both,
  [onChain('litecoin').mines(1, 13), onChain('ethereum').mines(1, 13), ...both],
  [passes(14, EXPIRED, A_DAY_LATE), works, ...both, passes(EXPIRED, A_DAY_LATE), works],
)

const toEnd = (...minutes: number[]): Arbitrary =>
  fc.record({ kind: kind('end'), minutes: fc.constantFrom(...minutes) })

/**
 * Payments are counted in blocks around 3 hours after the end, approvals by hand around 24 hours after; each
 * limit is tried.
 */
const decidedAtTheEnd = fc.tuple(buyer, tokens, currency, fc.nat(2)).chain(([by, amount, code, luck]) => {
  const { mines, undoes, looks } = onChain(networkOf(code))
  const blocks = [onChain('litecoin').mines(1), onChain('ethereum').mines(1)]
  const paid = [orders(by, code, amount), pays('1', '0.9', '1.5')]
  return inTurn(
    [toEnd(-50, -20), either(works, ...both), ...paid, mines(1, 6, 13), looks, orders(by, 'DAI', amount)],
    [luck === 0 ? decides('approve') : works, toEnd(0, 1, 179, 180, 181), mines(1), looks],
    [either(works, undoes(3, 'waits', 'lost')), toEnd(179, 181), ...blocks, ...(luck < 2 ? both : [looks])],
    [either(decides('approve'), looks), works, toEnd(1_439, 1_440), works, decides('approve', 'reject')],
    [mines(13), looks, works, toEnd(1_441, 10_079, 10_080), works, decides('approve', 'reject')],
    [pays('1'), mines(13), ...both, works, toEnd(10_080, 10_081), works, undoes(11, 'lost'), looks, works],
  )
})

const story = fc.oneof(
  decidedAtTheEnd,
  rewarded,
  rewarded,
  onePerson,
  moreThanAllowed,
  inEscrow,
  inEscrow,
  nothingLeftToGive,
  inAnotherCoin,
  surplusPaidBack,
  partsOfMuch,
  soldOut,
  refundUndone,
  paidLate,
  delivered,
  lyingNode,
  silentNode,
  seenLongBefore,
  inParts,
  grows,
  secondNodeBehind,
  executedAgain,
  rejected,
  takenBack,
  takenBackByHand,
  decidedByHand,
  namedTwice,
)

/**
 * The sale starts after both chains were read. Sometimes a node is on another network from the start, or the
 * sale begins in the last hours of its first stage. Half of the sales have referred buyers, a third pays back
 * below its soft cap, and in a third buyers may take orders back.
 */
const begins = fc
  .tuple(fc.nat(6), fc.constantFrom<Network>('litecoin', 'ethereum'), fc.nat(1), fc.nat(2), fc.nat(2))
  .chain(([luck, network, areBrought, pledge, right]) => {
    const pledged =
      pledge === 0
        ? [fc.record({ kind: kind('soft cap'), usd: fc.constantFrom('180', '900', '20000', '500000') })]
        : []
    const mayTakeBack =
      right === 0 ? [fc.record({ kind: kind('money back'), days: fc.constantFrom(14, 30) })] : []
    const friends = [
      ...pledged,
      ...mayTakeBack,
      ...(areBrought ? [isOn, ...brings(0), ...brings(1), ...brings(-1)] : []),
    ]
    const { isElsewhere, looks } = onChain(network)
    if (luck === 0) return fc.tuple(isElsewhere, looks, say('restart', {}), ...both, ...friends)
    return luck < 3 ? fc.tuple(...both, passes(27_400, 28_400, 28_700)) : fc.tuple(...both, ...friends)
  })

const pieces = stepsOfSale.chain((step) =>
  fc.array(fc.oneof({ weight: 11, arbitrary: step.map((one) => [one]) }, { weight: 1, arbitrary: story }), {
    minLength: PIECES,
    maxLength: PIECES,
    size: 'max',
  }),
)

const dies = (mostly: number) =>
  fc.oneof(
    { weight: mostly, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.oneof(fc.nat(8), fc.nat(30)) },
  )
/** Jobs process lists, where kills matter more. */
const death = fc.record({ seldom: dies(24), often: dies(4) })

/** A sale starts with a story; one with a soft cap ends. */
export const sequence: fc.Arbitrary<Event[]> = fc
  .tuple(
    begins,
    story,
    pieces,
    decidedAtTheEnd,
    fc.array(death, { minLength: PIECES, maxLength: PIECES, size: 'max' }),
  )
  .map(([beginning, first, rest, end, deaths]) =>
    [beginning, first, ...rest, ...(beginning.some(({ kind: name }) => name === 'soft cap') ? [end] : [])]
      .flat()
      .map((told, index): Event => {
        const { seldom, often } = deaths[index % PIECES] ?? { seldom: null, often: null }
        return { step: told, diesAt: told.kind === 'jobs' ? often : seldom }
      }),
  )
