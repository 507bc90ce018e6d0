import type { CampaignSettings } from './campaign-settings.ts'
import { isBlank } from './languages.ts'

export interface SaleFacts {
  readonly priceUsd: string | null
  readonly legalVersions: { readonly terms: number; readonly risks: number; readonly privacy: number }
  readonly stagesToCome: number
  /** Public currencies. */
  readonly currencies: number
}

/** The names of an empty campaign. */
export const unnamedToken = { name: 'Token', symbol: 'TOKEN' } as const

const unmet = (needs: readonly (readonly [path: string, isMet: boolean])[]) =>
  needs.filter(([, isMet]) => !isMet).map(([path]) => path)

// Rules: OPEN-1
/**
 * Paths of the missing settings in filling order: seller, contact, delivery plan, terms and risks, and the
 * needs of every order (docs/rules.md, “Before a sale opens”).
 */
export function missingBeforeSale(settings: CampaignSettings, facts: SaleFacts): string[] {
  const { seller, delivery } = settings
  return unmet([
    ['seller.name', seller.name.trim() !== ''],
    ['seller.contact', seller.contact.trim() !== ''],
    ['delivery.network', delivery.network.trim() !== ''],
    ['delivery.date', delivery.date !== null || !isBlank(delivery.vesting)],
    ['legal.terms', facts.legalVersions.terms > 0],
    ['legal.risks', facts.legalVersions.risks > 0],
    ['priceUsd', facts.priceUsd !== null],
    ['stages', facts.stagesToCome > 0],
    ['currencies', facts.currencies > 0],
  ])
}

/** Recommends the sale's own name, and the privacy policy that a registration accepts. */
export function advisedBeforeSale(
  settings: Pick<CampaignSettings, 'name' | 'symbol'>,
  facts: Pick<SaleFacts, 'legalVersions'>,
): string[] {
  return unmet([
    ['name', settings.name !== unnamedToken.name && settings.symbol !== unnamedToken.symbol],
    ['legal.privacy', facts.legalVersions.privacy > 0],
  ])
}
