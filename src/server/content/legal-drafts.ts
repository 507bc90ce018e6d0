import type { LegalKind } from '../../shared/api/content.ts'
import { readerMailKinds } from '../../shared/api/mail-templates.ts'
import { type CampaignSettings, type LocalText, payBackDays } from '../../shared/campaign-settings.ts'
import { languages, type PublicLocale } from '../../shared/languages.ts'
import { trimZeros } from '../../shared/money.ts'
import { say, textsOf, type Values } from '../texts.ts'

type Block = { readonly title: string } | { readonly text: string } | { readonly item: string }

const blocks: Record<LegalKind, readonly Block[]> = {
  terms: [
    { title: 'draft.terms.seller_title' },
    { text: 'draft.terms.seller' },
    { title: 'draft.terms.sold_title' },
    { text: 'draft.terms.sold' },
    { title: 'draft.terms.order_title' },
    { item: 'draft.terms.order_quote' },
    { item: 'draft.terms.order_place' },
    { item: 'draft.terms.order_counted' },
    { item: 'draft.terms.order_bonus' },
    { item: 'draft.terms.order_settlement' },
    { title: 'draft.terms.delivery_title' },
    { text: 'draft.terms.delivery' },
    { title: 'draft.terms.refund_title' },
    { text: 'draft.terms.refund' },
    { text: 'draft.terms.take_back' },
    { title: 'draft.terms.buyers_title' },
    { text: 'draft.terms.buyers' },
  ],
  risks: [
    { text: 'draft.risks.everything' },
    { item: 'draft.risks.worthless' },
    { item: 'draft.risks.unlisted' },
    { item: 'draft.risks.undelivered' },
    { item: 'draft.risks.final' },
    { item: 'draft.risks.rate' },
    { item: 'draft.risks.by_hand' },
    { item: 'draft.risks.faults' },
    { item: 'draft.risks.law' },
    { text: 'draft.risks.incomplete' },
  ],
  privacy: [
    { text: 'draft.privacy.controller' },
    { title: 'draft.privacy.collected_title' },
    { item: 'draft.privacy.account' },
    { item: 'draft.privacy.factors' },
    { item: 'draft.privacy.sessions' },
    { item: 'draft.privacy.orders' },
    { item: 'draft.privacy.ledger' },
    { item: 'draft.privacy.limits' },
    { item: 'draft.privacy.community' },
    { item: 'draft.privacy.notes' },
    { title: 'draft.privacy.use_title' },
    { text: 'draft.privacy.use' },
    { text: 'draft.privacy.mails' },
    { title: 'draft.privacy.seen_title' },
    { text: 'draft.privacy.seen' },
    { title: 'draft.privacy.cookies_title' },
    { text: 'draft.privacy.cookies' },
    { title: 'draft.privacy.rights_title' },
    { text: 'draft.privacy.rights' },
    { title: 'draft.privacy.changes_title' },
    { text: 'draft.privacy.changes' },
  ],
}

/** In the markup of `plain-markup.ts`. The seller adds what local law requires. */
export function draftLegalText(kind: LegalKind, settings: CampaignSettings, leastUsd: string): LocalText {
  return textsOf(languages, (language) => {
    const values = { ...valuesOf(settings), leastUsd: trimZeros(leastUsd), mails: mailsIn(language) }
    return blocks[kind]
      .map((block) => {
        if ('title' in block) return `## ${say(language, block.title, values)}\n\n`
        if ('item' in block) return `- ${say(language, block.item, values)}\n`
        // Some apply only if a setting says so.
        const text = say(language, block.text, values)
        return text && `${text}\n\n`
      })
      .join('')
      .replace(/^(- .*\n)(?!- )/gm, '$1\n')
      .trim()
  })
}

const mailsIn = (language: PublicLocale) =>
  readerMailKinds
    .map((kind) => say(language, `occasion.${kind}`))
    .map((occasion) => occasion.charAt(0).toLocaleLowerCase(language) + occasion.slice(1))
    .join('; ')

function valuesOf(settings: CampaignSettings): Values {
  const { seller, symbol, expiryMinutes, softCapPolicy, moneyBackDays, buyers } = settings
  const name = seller.name.trim()
  const address = seller.address.trim().replace(/\s+/g, ' ')
  return {
    name,
    seller: address ? `${name}, ${address}` : name,
    contact: seller.contact.trim(),
    symbol,
    expiryMinutes,
    softCap: softCapPolicy,
    moneyBackDays,
    payBackDays,
    minimumAge: buyers.minimumAge,
  }
}
