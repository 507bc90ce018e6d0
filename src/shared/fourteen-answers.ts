import type { PublicCampaign } from './api/campaign.ts'
import type { PublicCurrency } from './api/currencies.ts'
import type { Reserves, Transparency } from './public-pages.ts'
import { isToken } from './wallet-links.ts'

/** The questions of Neufund's ICO Transparency Monitor, in its order. */
export const questions = [
  'contract',
  'source',
  'explorer',
  'bytecode',
  'records',
  'coin_price',
  'coin_trust',
  'token_price',
  'token_trust',
  'readable',
  'as_said',
  'price_fixed',
  'start',
  'end',
] as const
export type Question = (typeof questions)[number]

/** `none`: nothing to judge yet; `unknown`: can't be judged. */
export type Answer = 'yes' | 'partly' | 'no' | 'none' | 'unknown'

export interface AnswerData {
  readonly campaign: Pick<PublicCampaign, 'stages'>
  readonly currencies: readonly Pick<PublicCurrency, 'code' | 'network' | 'inEscrow' | 'unavailable'>[]
  readonly transparency: Pick<Transparency, 'journal' | 'contracts' | 'ledgerCheck'>
  readonly alarm: Pick<Reserves, 'isShort' | 'isBroken'>
}

export interface Share {
  readonly some: number
  readonly all: number
}

export interface Shares {
  /** Currencies with escrow; then separately native coins and tokens. */
  readonly inEscrow: Share
  readonly coinsInEscrow: Share
  readonly tokensInEscrow: Share
  /** Currencies with a current price. */
  readonly coinsPriced: Share
  readonly tokensPriced: Share
}

// Rules: LOG-17
export function fourteenAnswers(data: AnswerData): { answers: Record<Question, Answer>; shares: Shares } {
  const { currencies, transparency, campaign, alarm } = data
  const coins = currencies.filter((currency) => !isToken(currency))
  const tokens = currencies.filter((currency) => isToken(currency))
  const shares: Shares = {
    inEscrow: shareOf(currencies, ({ inEscrow }) => inEscrow),
    coinsInEscrow: shareOf(coins, ({ inEscrow }) => inEscrow),
    tokensInEscrow: shareOf(tokens, ({ inEscrow }) => inEscrow),
    coinsPriced: shareOf(coins, isPriced),
    tokensPriced: shareOf(tokens, isPriced),
  }
  const { contracts, ledgerCheck, journal } = transparency
  const hasContracts = contracts.escrows + contracts.rounds > 0
  const ofCode: Answer = hasContracts ? (contracts.otherCode > 0 ? 'no' : 'yes') : 'none'
  const hasStages = campaign.stages.length > 0
  const answers: Record<Question, Answer> = {
    contract: answerOf(shares.inEscrow),
    source: ofCode,
    explorer: hasContracts ? 'unknown' : 'none',
    bytecode: ofCode,
    records: journal ? 'yes' : 'no',
    coin_price: answerOf(shares.coinsPriced),
    coin_trust: answerOf(shares.coinsInEscrow),
    token_price: answerOf(shares.tokensPriced),
    token_trust: answerOf(shares.tokensInEscrow),
    readable: 'unknown',
    as_said:
      alarm.isShort || alarm.isBroken
        ? 'no'
        : ledgerCheck && !ledgerCheck.isOld && ledgerCheck.unasked.length === 0
          ? 'yes'
          : 'unknown',
    // A stage has a price, but the seller can change it.
    price_fixed: 'no',
    start: hasStages ? 'yes' : 'none',
    end: hasStages ? 'yes' : 'none',
  }
  return { answers, shares }
}

const isPriced = ({ unavailable }: AnswerData['currencies'][number]) => unavailable !== 'rate_stale'

function shareOf<T>(all: readonly T[], is: (one: T) => boolean): Share {
  return { some: all.filter(is).length, all: all.length }
}

function answerOf({ some, all }: Share): Answer {
  if (all === 0) return 'none'
  if (some === 0) return 'no'
  return some === all ? 'yes' : 'partly'
}
