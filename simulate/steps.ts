import fc from 'fast-check'
import type { Network } from '../src/shared/networks.ts'
import type { GivenTerms } from './model/settings.ts'
import type { Result, SecondNode, Trouble } from './simulated-chain.ts'

/** A number names a buyer, order or refund modulo their count, so that shortened sequences stay valid. */
export type Step =
  | (Of<'order'> & {
      readonly buyer: number
      readonly currency: Currency
      readonly tokens: string
      readonly isOldPrice?: boolean
    })
  /** An order with escrow is signed, cancelled by the seller, or then refunded to the payer. */
  | (Of<'sign' | 'escrow cancel' | 'escrow refund'> & { readonly which: number })
  /** Buyers may take orders back from the beginning, so the sale has no escrow. */
  | (Of<'money back'> & { readonly days: number })
  | (Of<'order again' | 'sent' | 'take back' | 'reverse grant'> & { readonly which: number })
  /** A grant is repeated, or something else is asked for by its key. */
  | (Of<'repeat'> & { readonly which: number; readonly isOther?: boolean })
  /** A buyer submits one of a few transactions. */
  | (Of<'name'> & { readonly which: number; readonly transaction: number })
  | (Of<'claim'> & {
      readonly which: number
      /** Several buyers use the address. */
      readonly isShared?: boolean
    })
  | (Of<'pay'> & {
      readonly which: number
      readonly share: string
      readonly result: Result
      /** Another coin of the same chain. */
      readonly isOther: boolean
    })
  /** Null: off. */
  | (Of<'terms'> & { readonly terms: GivenTerms | null })
  /** `thresholds` is the fraction to which each level's threshold falls. */
  | (Of<'limits'> & { readonly maximum: string; readonly thresholds: string })
  | (Of<'join'> & { readonly buyer: number; readonly country: string })
  /** The new buyer came by the link of `by`, with an own mailbox or an alias of the referrer's. */
  | (Of<'register'> & { readonly by: number; readonly isSameMailbox: boolean })
  | (Of<'sign in'> & { readonly buyer: number; readonly browser: number })
  | Of<'decide rewards' | 'look again'>
  | (Of<'refund payment' | 'say paid'> & { readonly which: number })
  | (Of<'replace'> & { readonly network: Network; readonly share: string })
  | (Of<'mine'> & { readonly network: Network; readonly blocks: number })
  | (Of<'reorg'> & { readonly network: Network; readonly depth: number; readonly fate: Fate })
  | (Of<'second node'> & { readonly says: SecondNode })
  | (Of<'node'> & { readonly network: Network; readonly trouble: Trouble; readonly calls: number })
  | (Of<'pay refund'> & { readonly network: Network; readonly share: string })
  | (Of<'take over' | 'prepare' | 'resume'> & { readonly network: Network })
  | (Of<'old leader'> & { readonly network: Network; readonly isLate: boolean })
  | (Of<'time'> & { readonly minutes: number })
  /** Minutes after the last stage's end, if that is in the future. */
  | (Of<'end'> & { readonly minutes: number })
  /** The soft cap holds from the start, so the sale has no escrow. */
  | (Of<'soft cap'> & { readonly usd: string })
  | (Of<'approve'> & { readonly which: number; readonly operator: number })
  /** `came` is the part that arrived at a fixed address; null if not stated. */
  | (Of<'reject'> & { readonly which: number; readonly operator: number; readonly came: string | null })
  /** `rest`: nearly all that is left of the bonus share; `more` is rejected. */
  | (Of<'grant'> & { readonly buyer: number; readonly amount: string })
  | (Of<'pause sale'> & { readonly paused: boolean })
  | (Of<'pause currency' | 'switch currency'> & { readonly currency: Currency; readonly paused: boolean })
  | (Of<'price'> & { readonly priceUsd: string })
  | (Of<'rate'> & { readonly currency: Currency; readonly rate: string })
  | (Of<'watch'> & { readonly network: Network })
  | Of<'restart' | 'jobs' | 'two operators'>
  /** A round with the state of so many minutes ago. */
  | (Of<'freeze'> & { readonly minutes: number })
  | (Of<'decide'> & { readonly confirm: boolean; readonly operator: number })

type Of<K extends string> = K extends string ? { readonly kind: K } : never

export type Currency = 'LTC' | 'ETH' | 'USDT' | 'USDC' | 'DAI'
export type Fate = 'kept' | 'otherwise' | 'waits' | 'lost'

/** A step, and the statement at which the process dies. */
export interface Event {
  readonly step: Step
  readonly diesAt: number | null
}

export const networkOf = (currency: Currency): Network => (currency === 'LTC' ? 'litecoin' : 'ethereum')

/** Indexes modulo the count; −1 is the newest, because rules concern several steps on one order. */
const which = fc.oneof({ weight: 1, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat(7) })
export const operator = fc.nat(1)
export const came = fc.constantFrom(null, null, '1', '0', '0.5', '1.5')
/** Buyers are three at the start, up to six. */
export const buyer = fc.nat(5)
export const country = fc.constantFrom('DE', 'DE', 'GB', 'FR')
/** Around the rewards of one and of several orders, and the bonus share. */
export const terms: fc.Arbitrary<GivenTerms | null> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 7,
    arbitrary: fc.record({
      percent: fc.constantFrom('5', '20', '0.01', '3.33'),
      mostTokensEach: fc.constantFrom('30', '1000', '2000'),
      mostTokens: fc.constantFrom('2000', '2500', '100000'),
      countriesExcluded: fc.constantFrom([], [], [], [], [], ['GB'], ['FR', 'GB']),
    }),
  },
)
export const currency = fc.constantFrom<Currency>('LTC', 'ETH', 'USDT')
/** USDC only goes to its stage's escrow, DAI to a fixed address. */
const anyCurrency = fc.constantFrom<Currency>('LTC', 'ETH', 'USDT', 'LTC', 'ETH', 'USDT', 'USDC', 'DAI')
/** Mostly resumes, because a paused sale sells nothing. */
const paused = fc.constantFrom(true, false, false, false, false, false)
const network = fc.constantFrom<Network>('litecoin', 'ethereum')
export const kind = <K extends string>(name: K) => fc.constant(name)
/** Amounts around minimum order, levels and maximum. */
export const tokens = fc.constantFrom(
  '40',
  '40.000001',
  '199.5',
  '200',
  '1000',
  '5000',
  '19999.999999',
  '20000',
  '20000.000001',
)
/** A transaction id that buyers submit. */
export const transactionOf = (transaction: number): string => `0x${String(transaction).repeat(64)}`

/** Shares around the tolerance, the least amount, and the maximum order. */
export const share = fc.constantFrom(
  '1',
  '0.5',
  '0.25',
  '0.9',
  '0.89',
  '0.995',
  '0.9951',
  '0.999',
  '0.1',
  '0.005',
  '0.00001',
  '1.00001',
  '1.5',
  '3.75',
  '30',
)

/** Results on an EVM chain. */
export const result = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Result>('as sent') },
  { weight: 3, arbitrary: fc.constantFrom<Result>('less a fee', 'twice', 'reverted') },
)
const isOldPrice = fc.nat(3).map((luck) => luck === 0)
/** Rarely another coin. */
export const isOther = fc.nat(15).map((luck) => luck === 0)
export const second = fc.constantFrom<SecondNode>('agrees', 'agrees', 'agrees', 'lags', 'silence', 'lies')

export const limits: fc.Arbitrary<Step> = fc.record({
  kind: kind('limits'),
  maximum: fc.constantFrom('20000', '30000', '5000', '1000'),
  thresholds: fc.constantFrom('1', '0.9', '0.5'),
})

const steps: [weight: number, arbitrary: fc.Arbitrary<Step>][] = [
  [12, fc.record({ kind: kind('order'), buyer, currency: anyCurrency, tokens, isOldPrice })],
  [1, fc.record({ kind: kind('order again'), which })],
  [1, fc.record({ kind: kind('take back'), which })],
  [1, fc.record({ kind: kind('sent'), which })],
  [1, fc.record({ kind: kind('name'), which, transaction: fc.nat(2) })],
  [11, fc.record({ kind: kind('pay'), which, share, result, isOther })],
  [1, fc.record({ kind: kind('second node'), says: second })],
  [7, fc.record({ kind: kind('mine'), network, blocks: fc.constantFrom(1, 2, 5, 6, 11, 13) })],
  [12, fc.record({ kind: kind('watch'), network })],
  [3, fc.constant({ kind: 'jobs' as const })],
  [
    4,
    fc.record({
      kind: kind('time'),
      minutes: fc.constantFrom(
        1,
        1,
        9,
        10,
        11,
        14,
        60,
        61,
        61,
        179,
        181,
        600,
        1_441,
        1_441,
        11_520,
        20_160,
        30_000,
      ),
    }),
  ],
  [
    2,
    fc.record({
      kind: kind('reorg'),
      network,
      depth: fc.oneof(
        { weight: 15, arbitrary: fc.integer({ min: 1, max: 11 }) },
        { weight: 1, arbitrary: fc.integer({ min: 12, max: 29 }) },
      ),
      fate: fc.constantFrom<Fate>('kept', 'otherwise', 'waits', 'lost'),
    }),
  ],
  [1, fc.record({ kind: kind('replace'), network, share })],
  [
    1,
    fc.record({
      kind: kind('node'),
      network,
      trouble: fc.constantFrom<Trouble>('silence', 'html', 'blind', 'elsewhere'),
      calls: fc.integer({ min: 1, max: 4 }),
    }),
  ],
  [1, fc.record({ kind: kind('take over'), network })],
  [1, fc.record({ kind: kind('old leader'), network, isLate: fc.boolean() })],
  [1, fc.record({ kind: kind('resume'), network })],
  [2, fc.record({ kind: kind('approve'), which, operator })],
  [2, fc.record({ kind: kind('reject'), which, operator, came })],
  [4, fc.record({ kind: kind('claim'), which, isShared: fc.nat(9).map((luck) => luck === 0) })],
  [3, fc.record({ kind: kind('prepare'), network })],
  [
    3,
    fc.record({
      kind: kind('pay refund'),
      network,
      share: fc.constantFrom('1', '1', '1', '1', '0.99', '1.01'),
    }),
  ],
  [
    1,
    fc.record({
      kind: kind('grant'),
      buyer,
      amount: fc.constantFrom('0', '1', '200', '12345.678901', 'more'),
    }),
  ],
  [1, fc.record({ kind: kind('reverse grant'), which })],
  [1, fc.record({ kind: kind('repeat'), which, isOther: fc.boolean() })],
  [1, fc.record({ kind: fc.constantFrom('refund payment' as const, 'say paid'), which })],
  [1, fc.record({ kind: kind('pause sale'), paused })],
  [1, fc.record({ kind: fc.constantFrom('pause currency' as const, 'switch currency'), currency, paused })],
  [1, fc.record({ kind: kind('price'), priceUsd: fc.constantFrom('4.5', '9', '2.25', '0.01') })],
  [1, fc.record({ kind: kind('rate'), currency, rate: fc.constantFrom('1', '20.5', '0.222222', '500') })],
  [1, limits],
  [2, fc.record({ kind: kind('freeze'), minutes: fc.constantFrom(0, 0, 1, 60, 1_441) })],
  [1, fc.constantFrom({ kind: 'restart' as const }, { kind: 'two operators' as const })],
  [1, fc.record({ kind: kind('decide'), confirm: fc.boolean(), operator })],
  [1, fc.record({ kind: fc.constantFrom('sign' as const, 'escrow cancel', 'escrow refund'), which })],
  [1, fc.record({ kind: kind('terms'), terms })],
  [1, fc.record({ kind: kind('join'), buyer, country })],
  [1, fc.record({ kind: kind('register'), by: buyer, isSameMailbox: fc.nat(7).map((luck) => luck === 0) })],
  [1, fc.record({ kind: kind('sign in'), buyer, browser: fc.nat(5) })],
  [1, fc.constantFrom({ kind: 'decide rewards' as const }, { kind: 'look again' as const })],
]

/** The weight of steps that are needed to sell anything. */
const NEEDED = 3

/**
 * Each sale does some things often and others never: an even mixture rarely combines rare things (“swarm
 * testing”).
 */
export const stepsOfSale = fc
  .array(fc.constantFrom(0, 1, 1, 4), { minLength: steps.length, maxLength: steps.length, size: 'max' })
  .map((luck) =>
    fc.oneof(
      ...steps.map(([weight, arbitrary], index) => ({
        weight: weight * Math.max(luck[index] ?? 1, weight < NEEDED ? 0 : 1),
        arbitrary,
      })),
    ),
  )
