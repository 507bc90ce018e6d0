import type { CampaignSettings, LevelSettings } from '../../shared/campaign-settings.ts'
import { settingsOf } from '../../shared/campaign-settings-inputs.ts'
import { defaultFaq } from '../../shared/faq.ts'
import type { Name, Texts } from '../../shared/languages.ts'
import type { Network } from '../../shared/networks.ts'
import { defaultRetention } from '../../shared/retention.ts'

/** Perks are things that a club can keep, never money. */

const level = (
  key: string,
  name: Name,
  threshold: string,
  bonusPercent: string,
  description: Texts,
  perks: Texts[] = [],
): LevelSettings => ({
  key,
  name,
  threshold,
  bonusPercent,
  description,
  perks: perks.map((text, place) => ({
    key: `${key}-${place + 1}`,
    text,
    link: null,
    promisedFor: null,
    firstPromisedFor: null,
    proof: null,
    keptAt: null,
  })),
})

const channel = { en: 'The members’ channel', ru: 'Канал участников' }
const early = { en: 'Announcements one day early', ru: 'Объявления на день раньше' }
const vote = { en: 'A vote on the next mascot', ru: 'Голос в выборе следующего талисмана' }
const name = {
  en: 'A nickname on the wall of thanks, if you like',
  ru: 'Псевдоним на стене благодарностей, если захотите',
}
const sticker = { en: 'The sticker set before everybody else', ru: 'Набор стикеров раньше всех' }

export const demoSettings: CampaignSettings = settingsOf({
  name: 'iToken',
  symbol: 'ITOKEN',
  tagline: {
    en: 'A token with a face. Every figure here can be checked.',
    ru: 'Токен с лицом. Каждую цифру здесь можно проверить.',
  },
  purpose: {
    en: "A fictional club's mascot has a token: it lets its holders in at the club's doors, earlier or louder by level, and does nothing else. It is no share, no loan and no promise of a price. The club exists to show what an honest sale looks like.",
    ru: 'У талисмана вымышленного клуба есть токен: он открывает держателям двери клуба, тем раньше и громче, чем выше уровень, и больше ничего не делает. Это не доля, не заём и не обещание цены. Клуб нужен, чтобы показать, как выглядит честная продажа.',
  },
  seller: {
    name: 'The Ito Club (a fictional club)',
    address: '1 Example Street, Sampleton',
    contact: 'hello@ito-club.example.org',
    country: 'EE',
  },
  totalSupply: '1000000000',
  hardCapUsd: '2000000000',
  softCapUsd: '1000000000',
  softCapPolicy: 'none',
  moneyBackDays: 0,
  shares: [
    { key: 'team', name: { en: 'Team & Advisors', ru: 'Команда и советники' }, percent: '15' },
    { key: 'marketing', name: { en: 'Marketing', ru: 'Маркетинг' }, percent: '10' },
    { key: 'reserve', name: { en: 'Reserve', ru: 'Резерв' }, percent: '10' },
    { key: 'development', name: { en: 'Development', ru: 'Разработка' }, percent: '20' },
    { key: 'public-sale', name: { en: 'Public Sale', ru: 'Публичная продажа' }, percent: '45' },
  ],
  soldShare: 'public-sale',
  bonusShare: 'marketing',
  buyers: { countriesRefused: [], minimumAge: 18, phone: 'required' },
  operatorUtcOffsetMinutes: 180,
  orderMinimumTokens: '40',
  orderMaximumTokens: '100000',
  orderDefaultTokens: '40',
  listingDate: null,
  levels: [
    level('bronze', { en: 'Bronze', ru: 'Бронза' }, '40', '5', {
      en: 'Ito finds a scarf.',
      ru: 'Ито находит шарф.',
    }),
    level(
      'silver',
      { en: 'Silver', ru: 'Серебро' },
      '200',
      '7',
      { en: 'Ito puts a cap on.', ru: 'Ито надевает кепку.' },
      [channel],
    ),
    level(
      'gold',
      { en: 'Gold', ru: 'Золото' },
      '500',
      '10',
      { en: 'Ito gets dark glasses and opinions.', ru: 'У Ито появились тёмные очки и мнение.' },
      [channel, early],
    ),
    level(
      'platinum',
      { en: 'Platinum', ru: 'Платина' },
      '1000',
      '12',
      { en: 'Ito dresses for dinner.', ru: 'Ито одевается к ужину.' },
      [channel, early, vote],
    ),
    level(
      'diamond',
      { en: 'Diamond', ru: 'Алмаз' },
      '5000',
      '15',
      { en: 'Ito balances a stone. Do not ask.', ru: 'Ито держит на голове камень. Не спрашивайте.' },
      [channel, early, vote, sticker],
    ),
    level(
      'legend',
      { en: 'Legend', ru: 'Легенда' },
      '50000',
      '20',
      { en: 'Ito wears the crown. It is a bit large.', ru: 'Ито в короне. Она чуть велика.' },
      [channel, early, vote, sticker, name],
    ),
  ],
  delivery: {
    network: 'Ethereum',
    chain: 'ethereum',
    tokenContract: null,
    date: null,
    vesting: {
      en: 'No vesting: all tokens of a buyer are delivered at once.',
      ru: 'Без вестинга: все токены покупателя передаются сразу.',
    },
  },
  brand: { accent: null, logoUploadId: null },
  expiryMinutes: 60,
  feedRateMaxMinutes: 5,
  faq: defaultFaq,
  secondOperator: false,
  retention: defaultRetention,
  exchangeVideoUrl: null,
})

export const demoPriceUsd = '4.50'

export const demoStage = {
  name: { en: 'Stage 1', ru: 'Этап 1' },
  goalUsd: '6475000',
  priceUsd: demoPriceUsd,
  days: 30,
  endHourUtc: 20,
}

export interface DemoCurrency {
  readonly code: string
  readonly fullName: string
  readonly network: Network
  readonly address: string
  readonly erc20: boolean
  readonly priceId: string
  /** USD for one coin; the rate is this divided by 4.50. */
  readonly usd: string
}

/** On EVM an address without a key, elsewhere test networks or all zeros. */
const nobodyEvm = '0x000000000000000000000000000000000000dEaD'

const coin = (
  code: string,
  fullName: string,
  network: Network,
  address: string,
  priceId: string,
  usd: string,
): DemoCurrency => ({
  code,
  fullName,
  network,
  address,
  erc20: address === nobodyEvm,
  priceId,
  usd,
})

export const demoCurrencies: readonly DemoCurrency[] = [
  coin('BTC', 'Bitcoin', 'bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'bitcoin', '90000'),
  coin('ETH', 'Ethereum', 'ethereum', nobodyEvm, 'ethereum', '3000'),
  coin('DOGE', 'Dogecoin', 'dogecoin', 'n4VQ5YdHf7hLQ2gWQYYrcxoE5B7nWuDFNF', 'dogecoin', '0.18'),
  coin('USDT', 'Tether', 'ethereum', nobodyEvm, 'tether', '1'),
  coin('USDC', 'USDC', 'ethereum', nobodyEvm, 'usd-coin', '1'),
  coin('LTC', 'Litecoin', 'litecoin', 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0', 'litecoin', '90'),
  coin('BNB', 'BNB', 'bsc', nobodyEvm, 'binancecoin', '900'),
  coin('SOL', 'Solana', 'solana', '11111111111111111111111111111111', 'solana', '135'),
  coin('TRX', 'TRON', 'tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'tron', '0.27'),
  coin('XRP', 'XRP', 'ripple', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'ripple', '2.25'),
  coin('DAI', 'DAI', 'ethereum', nobodyEvm, 'dai', '1'),
  coin('LINK', 'Chainlink', 'ethereum', nobodyEvm, 'chainlink', '13.5'),
  coin('UNI', 'Uniswap', 'ethereum', nobodyEvm, 'uniswap', '6.75'),
  coin('SHIB', 'Shiba', 'ethereum', nobodyEvm, 'shiba-inu', '0.000009'),
]
