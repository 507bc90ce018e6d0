import { useLingui } from '@lingui/react/macro'
import { pickText } from '../../shared/languages.ts'
import { isZero } from '../../shared/money.ts'
import { plainText } from '../../shared/plain-markup.ts'
import type { PublicPage } from '../../shared/public-pages.ts'
import { dollars, percent } from './figures.ts'

export function useTitle(page: PublicPage): string {
  const { t } = useLingui()
  const name = page.campaign?.settings.name ?? t`Presale`
  const { content } = page
  switch (content.page) {
    case 'landing': {
      const tagline = page.campaign ? pickText(page.campaign.settings.tagline, page.locale).text.trim() : ''
      return tagline && tagline.length <= 80 ? `${name} | ${tagline}` : t`${name} | Presale`
    }
    case 'legal':
      return { privacy: t`${name} | Privacy`, terms: t`${name} | Terms`, risks: t`${name} | Risks` }[
        content.legal.kind
      ]
    case 'follow':
    case 'updates':
      return t`${name} | Updates`
    case 'update':
      return `${pickText(content.post.title, page.locale).text} | ${name}`
    case 'transparency':
      return t`${name} | Transparency`
    case 'checkout':
      return t`${name} | Buy`
    case 'giveaway':
      return t`${name} | Giveaway`
    case 'claim':
      return t`${name} | Claim tokens`
    case 'reserves':
      return t`${name} | Proof of reserves`
    case 'verify':
      return t`${name} | Verify`
    case 'accessibility':
      return t`${name} | Accessibility`
    case 'offline':
      return t`No network`
    case 'joke':
      return t`${name} | Admin panel (a joke)`
    case 'not-set-up':
      return name
    default:
      return t`${name} | Page not found`
  }
}

/** The description has facts only, no promises. */
export function useDescription(page: PublicPage): string {
  const { t } = useLingui()
  const { campaign, locale, content } = page
  if (content.page === 'offline') return t`Shown where there is no network.`
  if (!campaign) return t`No sale is set up here yet.`
  const { name, symbol } = campaign.settings
  if (content.page === 'transparency')
    return t`Every public figure of the ${name} sale, with the query that gives it.`
  if (content.page === 'giveaway')
    return t`The prizes of ${name}, the rules, and how anybody can check the draw.`
  if (content.page === 'claim')
    return t`What an address has in the delivery rounds of ${name}, and how it is claimed.`
  if (content.page === 'reserves') return t`What the ${name} sale owes, and what is there for it on chain.`
  if (content.page === 'verify')
    return t`Your browser computes every public figure of the ${name} sale again, from its journal.`
  if (content.page === 'accessibility')
    return t`How the pages of ${name} can be used without seeing or without a mouse: the tests and their limits.`
  if (content.page === 'update') return beginningOf(plainText(pickText(content.post.body, locale).text))
  if (content.page === 'updates') return t`What the people behind ${name} have announced.`
  if (content.page === 'legal') {
    const texts = {
      privacy: t`The data that this site stores about you, and why.`,
      terms: t`The terms on which ${symbol} is sold.`,
      risks: t`The risks when you buy ${symbol}.`,
    }
    return texts[content.legal.kind]
  }
  const { stage, priceUsd } = campaign
  if (!stage || !priceUsd || isZero(priceUsd)) return t`${name}: no stage of the sale is announced yet.`
  const price = dollars(priceUsd, locale, 'price')
  const raised = dollars(stage.raisedUsd, locale)
  const onChain = dollars(stage.raisedOnChainUsd, locale)
  const byOperator = dollars(stage.raisedByOperatorUsd, locale)
  const goal = dollars(stage.goalUsd, locale, 0)
  const done = percent(stage.progressPercent, locale)
  return t`1 ${symbol} = ${price}. ${pickText(stage.name, locale).text}: ${raised} of ${goal} raised (${done}): ${onChain} confirmed on chain, ${byOperator} approved by an operator.`
}

/** The first 200 characters, cut at a word. */
function beginningOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 200 ? line : `${line.slice(0, 199).replace(/\s\S*$/, '')}…`
}
