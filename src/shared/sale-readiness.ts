import type { CampaignSettings } from './campaign-settings.ts'

export interface SaleFacts {
  readonly priceUsd: string | null
  readonly legalVersions: { readonly terms: number; readonly risks: number }
  /** Stages whose end has not passed. */
  readonly stagesToCome: number
  /** Currencies on the public list. */
  readonly currencies: number
}

const hasText = (text: { en: string; ru: string }) => text.en.trim() !== '' || text.ru.trim() !== ''

/**
 * What is missing before a sale may open, as paths of settings, in the order in which a person would fill them in:
 * seller, contact, terms, risks and the delivery plan (SPEC sections 0 and 2), and what an order needs to exist at all.
 */
export function missingBeforeSale(settings: CampaignSettings, facts: SaleFacts): string[] {
  const { seller, delivery } = settings
  const needs: [string, boolean][] = [
    ['seller.name', seller.name.trim() !== ''],
    ['seller.contact', seller.contact.trim() !== ''],
    ['legal.terms', facts.legalVersions.terms > 0],
    ['legal.risks', facts.legalVersions.risks > 0],
    ['delivery.network', delivery.network.trim() !== ''],
    ['delivery.date', delivery.date !== null || hasText(delivery.vesting)],
    ['priceUsd', facts.priceUsd !== null],
    ['stages', facts.stagesToCome > 0],
    ['currencies', facts.currencies > 0],
  ]
  return needs.filter(([, isThere]) => !isThere).map(([path]) => path)
}
