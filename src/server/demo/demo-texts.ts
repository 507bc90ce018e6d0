import type { LegalKind } from '../../shared/api/content.ts'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { draftLegalText } from '../content/content.ts'
import { demoSettings } from './demo-campaign.ts'

/** Precedes the usual drafts. */
const demoNotice: LocalText = {
  en: '**This is a demo.** Nothing is for sale here, and nothing must be sent to any address shown. The text below shows what a real campaign has to state.',
  ru: '**Это демонстрация.** Здесь ничего не продаётся, и на показанные адреса ничего нельзя отправлять. Текст ниже показывает, что обязана сказать настоящая кампания.',
}

export function demoLegalText(kind: LegalKind, leastUsd: string): LocalText {
  const draft = draftLegalText(kind, demoSettings, leastUsd)
  return { en: `${demoNotice.en}\n\n${draft.en}`, ru: `${demoNotice.ru}\n\n${draft.ru}` }
}

export const demoAnnouncement: { title: LocalText; body: LocalText; imageAlt: LocalText } = {
  title: { en: 'Presale is live!', ru: 'Пресейл открыт!' },
  body: {
    en: `The first stage is open, and this being a demo, nothing in it is for sale. Everything else works: make an account, make an order, look at its page.

What you can hold us to:

- The progress on the home page is the sum of approved orders. The query behind it is public.
- The countdown ends when it says, and the server takes no order after it.
- The leaderboard shows people who wanted to be on it, or nobody.
- A listing date is shown once there is one, and never before.

The crowd on the home page stands for the goal. One of them wakes up for every hundredth part of it.`,
    ru: `Первый этап открыт, и, раз это демонстрация, в нём ничего не продаётся. Всё остальное работает: заведите аккаунт, сделайте заказ, откройте его страницу.

За что с нас можно спросить:

- Ход продажи на главной странице — сумма одобренных заказов. Запрос, который её даёт, открыт.
- Отсчёт кончается тогда, когда сказано, и после него сервер не примет ни одного заказа.
- В таблице лидеров только те, кто сам захотел там быть, или никого.
- Дата листинга появится, когда она будет, и не раньше.

Толпа на главной странице — это цель. На каждую сотую её часть просыпается один.`,
  },
  imageAlt: {
    en: 'Five Itos awake, in the outfits of their levels, before rows of Itos asleep.',
    ru: 'Пять Ито не спят и одеты по своим уровням, за ними ряды спящих.',
  },
}
