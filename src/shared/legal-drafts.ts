import type { LegalKind } from './api/content.ts'
import type { CampaignSettings, LocalText } from './campaign-settings.ts'
import * as spanish from './locales/es/legal-drafts.ts'

/*
 * Legal texts to begin with, in each language and in the markup of `plain-markup.ts`: what this software does and stores,
 * with the campaign's own settings in them. The seller adds what the law of the seller's country asks for besides.
 */

export function draftLegalText(kind: LegalKind, settings: CampaignSettings): LocalText {
  return { terms, risks: () => risks, privacy }[kind](settings)
}

function sellerOf({ seller }: CampaignSettings) {
  return {
    name: seller.name.trim(),
    address: seller.address.trim() ? `, ${seller.address.trim().replace(/\s+/g, ' ')}` : '',
    contact: seller.contact.trim(),
  }
}

const risks: LocalText = {
  en: `**You can lose everything you pay.** Do not spend what you can't lose.

- **The token may become worthless.** Nobody here knows what it will cost, and no page of this site predicts it.
- **It may never be listed.** A listing date is shown only when it has been announced; an announced date can be missed.
- **It may never be delivered.** Delivery needs a contract that works and people who do what they said.
- **A payment can't be called back.** A wrong address, a wrong network or a wrong coin usually means that the money is gone.
- **The rate moves.** A quote holds it for a few minutes; what a coin is worth later is not the seller's matter.
- **Approvals by hand rest on trust.** The site can prove what a blockchain confirmed. What an operator approved is counted apart, because it can't be proved.
- **Software has faults.** So have people who run it. A leaked password or wallet can cost you the tokens.
- **The law may change.** Buying, holding or selling tokens may be forbidden or taxed where you live.

This list is not complete. Ask somebody who does not earn from your purchase.`,
  ru: `**Вы можете потерять всё, что заплатите.** Не тратьте то, что не готовы потерять.

- **Токен может обесцениться.** Сколько он будет стоить, здесь не знает никто, и ни одна страница этого не предсказывает.
- **Его могут никогда не разместить на бирже.** Дата листинга показана, только если она объявлена; объявленную дату могут сорвать.
- **Его могут никогда не передать.** Для этого нужны работающий контракт и люди, которые держат слово.
- **Платёж нельзя отозвать.** Не тот адрес, не та сеть или не та монета обычно означают, что денег больше нет.
- **Курс меняется.** Расчёт держит его несколько минут; сколько монета будет стоить потом, продавец не решает.
- **Одобрение вручную держится на доверии.** Сайт может доказать то, что подтвердил блокчейн. Одобренное оператором считается отдельно, потому что доказать его нельзя.
- **В программах бывают ошибки.** У людей, которые их ведут, тоже. Утёкший пароль или кошелёк может стоить вам токенов.
- **Закон может измениться.** Покупать, держать или продавать токены там, где вы живёте, могут запретить или обложить налогом.

Список неполон. Спросите того, кто не зарабатывает на вашей покупке.`,
  es: spanish.risks,
}

function terms(settings: CampaignSettings): LocalText {
  const who = sellerOf(settings)
  const { symbol, quoteMinutes, expiryMinutes, softCapPolicy, buyers } = settings
  const { watched, fixed } = expiryMinutes
  const fixedHours = Math.round(fixed / 6) / 10
  const softCap = missedSoftCap(softCapPolicy)
  const age = whoMayBuy(buyers.minimumAge)
  return {
    en: `## Who sells

The seller is ${who.name}${who.address}. Contact: ${who.contact}.

## What is sold

Tokens called ${symbol}, in stages with a goal and an end. The price, the goal and the end of each stage are on the home page. A stage takes no order after its end or once its goal is reached. An end may be moved once, never after it has passed; the old date stays in sight.

## An order

- A quote holds its rate for ${quoteMinutes} minutes and serves once.
- An order holds its tokens until it is paid, cancelled or expired: ${watched} minutes where payments are watched, ${fixedHours} hours on a fixed address.
- Where unpaid orders hold much of what is left, or yours hold as much as they may, a new order holds nothing and says so before you confirm it: its place is taken when your payment is seen or an operator approves it. If there is no room left by then, what you paid is owed to you.
- You may cancel it while nothing is paid.
- A payment is counted when it is confirmed on its blockchain, or when an operator approves it; the two are counted apart on every page.
- The bonus is that of the better of two levels: the one you hold when you ask for the quote, and the one that the tokens reach which your payment buys.
- What is seen in time has the rate of the quote. What happens with too little, too much and too late is shown before you pay, with every figure.

## Delivery

Bought tokens stand in your account after approval. When and on which network they are delivered is in the delivery plan on the home page. Until a token contract is named there, none exists.

## Money back

A payment in a cryptocurrency can't be called back. If an order is rejected after its payment has arrived, the payment is owed to you and listed as owed in public. ${softCap.en}

## Who may buy

${age.en} You declare it with each order, and the declaration is kept with it.`,
    ru: `## Кто продаёт

Продавец: ${who.name}${who.address}. Контакт: ${who.contact}.

## Что продаётся

Токены ${symbol}, этапами, у которых есть цель и конец. Цена, цель и конец каждого этапа — на главной странице. Этап не принимает заказы после своего конца и после достижения цели. Конец можно перенести один раз и никогда после того, как он наступил; прежняя дата остаётся на виду.

## Заказ

- Расчёт держит курс ${quoteMinutes} мин и действует один раз.
- Заказ держит токены, пока он не оплачен, не отменён и не истёк: ${watched} мин там, где платежи отслеживаются, ${fixedHours} ч на постоянном адресе.
- Если неоплаченные заказы держат много из того, что осталось, или ваши держат столько, сколько могут, новый заказ ничего не держит, и до подтверждения об этом сказано: место занимается, когда увиден ваш платёж или оператор одобрил заказ. Если места уже нет, уплаченное вам должны вернуть.
- Пока ничего не оплачено, заказ можно отменить.
- Платёж засчитывается, когда он подтверждён в своём блокчейне или когда его одобрил оператор; на каждой странице это считается отдельно.
- Бонус — по лучшему из двух уровней: тому, что у вас в момент расчёта, и тому, которого достигают токены, купленные вашим платежом.
- То, что увидено вовремя, идёт по курсу расчёта. Что будет, если пришло мало, много или поздно, показано до оплаты, со всеми числами.

## Доставка

Купленные токены видны в кабинете после одобрения. Когда и в какой сети их передадут, сказано в плане выдачи на главной странице. Пока там не назван контракт токена, его не существует.

## Возврат

Платёж в криптовалюте отозвать нельзя. Если заказ отклонён после того, как пришёл платёж, деньги вам должны вернуть, и этот долг виден всем. ${softCap.ru}

## Кто может купить

${age.ru} Вы заявляете об этом в каждом заказе, и заявление хранится вместе с ним.`,
    es: spanish.terms(factsOf(settings)),
  }
}

/** What the drafts of further languages are written from. */
function factsOf(settings: CampaignSettings): spanish.DraftFacts {
  const { symbol, quoteMinutes, expiryMinutes, softCapPolicy, buyers } = settings
  return {
    ...sellerOf(settings),
    symbol,
    quoteMinutes,
    watched: expiryMinutes.watched,
    fixedHours: Math.round(expiryMinutes.fixed / 6) / 10,
    refundsBelowSoftCap: softCapPolicy === 'refund',
    minimumAge: buyers.minimumAge,
  }
}

function missedSoftCap(softCapPolicy: CampaignSettings['softCapPolicy']): LocalText {
  return softCapPolicy === 'refund'
    ? {
        en: 'If the last stage ends below the soft cap, every approved payment is owed back, without anybody having to decide it. Each buyer names the address that it goes to.',
        ru: 'Если последний этап закончится ниже мягкого порога, каждый одобренный платёж подлежит возврату: решать это никому не нужно. Адрес для возврата указывает каждый покупатель.',
      }
    : {
        en: 'If the soft cap is missed, nothing is refunded on that account: it says so beside the cap.',
        ru: 'Если мягкий порог не достигнут, возвратов по этой причине нет: рядом с порогом так и написано.',
      }
}

function whoMayBuy(minimumAge: number): LocalText {
  return minimumAge > 0
    ? {
        en: `People of at least ${minimumAge} years who may buy under the law of their country.`,
        ru: `Те, кому исполнилось ${minimumAge} и кому это разрешает закон их страны.`,
      }
    : {
        en: 'People who may buy under the law of their country.',
        ru: 'Те, кому это разрешает закон их страны.',
      }
}

function privacy(settings: CampaignSettings): LocalText {
  const who = sellerOf(settings)
  return {
    en: `${who.name} is responsible for what is stored about you here. Contact: ${who.contact}.

## What is collected

- **Your account**: name, e-mail address, phone number if it is asked for, language, a nickname if you choose one. Name and phone number are kept encrypted. The password is kept only as a hash (Argon2id), from which it can't be read.
- **Second factors**: the secret of your code app, encrypted; hashes of recovery codes; the public keys of passkeys.
- **Sessions**: the browser's name, the network address it came from, when it was last used. You see and end them in your profile.
- **Orders**: amounts, currency, address, the transaction id that you enter, and what you declared (country, age, accepted terms and risks). An address that you name for a refund is kept encrypted; a blockchain shows it once it is paid. A site that led you here by its checkout is told an order's number, amounts and state only if you tick that at the order, for 30 days.
- **The ledger**: every credit and debit of your account. It is append-only.
- **Limits**: how often a network or an account has tried something lately, as keyed hashes.
- **Reactions** to announcements, one of each kind, and your **comments** on them, shown to everybody; your nickname stands beside one only if you said so. What you report is seen by operators alone, what you bookmark by you alone. **An address that follows the announcements by mail**, with or without an account: only once it was confirmed by a link, for nothing but those mails, until it leaves by the link in any of them. **Browsers that you asked for notices**: the address that the browser's own push service gave for it and its keys, encrypted, and the browser's name, until you remove it in your profile or its session ends. The push service (of the browser's maker) carries each notice and can't read it.
- **Notes** that operators write about your account, until you delete it.

## How it is used

To take orders, to credit them, to write you the mails that belong to them (confirm address, reset password, order created, approved, rejected, new sign-in, password changed) and to keep others out of your account. For nothing else.

## Who sees it

Operators of the sale, as far as their role goes; each change that they make is logged. The leaderboard shows you only if you chose so, with a masked address or your nickname. The public list of approved orders has no time, address or reference. A blockchain shows each payment to everybody: that is how blockchains work.

## Cookies

One for your session, one for the theme, one for the sidebar, one for your answer about analytics. Where friends' links are rewarded, two more: one keeps the code of a link that you opened, for 30 days, and one a random value that this browser got when somebody signed in from it, for 180 days; a keyed hash of it is kept with the account. It says nothing about you or the browser, and serves only to refuse a reward for bringing oneself. Nothing that counts visits is loaded before you agree, and then only on the pages for which the operator set it up. No other host is asked for anything before that.

## Your rights

In your profile you can read and correct your data, export all of it and delete the account. Deleting makes the account anonymous: orders and ledger entries stay under a reference without your name, because the sums must still add up. It is refused while anything is pending or owed to you.

## Changes

Each version of this text is kept with its date. How long everything else is kept stands below this text, with the periods in force.`,
    ru: `За то, что здесь хранится о вас, отвечает ${who.name}. Контакт: ${who.contact}.

## Что собирается

- **Аккаунт**: имя, адрес почты, телефон, если его спрашивают, язык, псевдоним, если вы его выбрали. Имя и телефон хранятся в зашифрованном виде. Пароль хранится только в виде хеша (Argon2id), по которому его не прочесть.
- **Второй фактор**: секрет приложения с кодами в зашифрованном виде, хеши кодов восстановления, открытые части ключей доступа.
- **Сессии**: название браузера, сетевой адрес, с которого он пришёл, и когда им пользовались. Вы видите их и завершаете в профиле.
- **Заказы**: суммы, валюта, адрес, идентификатор транзакции, который вы ввели, и то, что вы заявили (страна, возраст, принятые условия и риски). Адрес, который вы указали для возврата, хранится в зашифрованном виде; после выплаты его показывает блокчейн. Сайт, с которого вы пришли через покупку на нём, узнаёт номер, суммы и состояние заказа, только если вы отметите это в заказе, в течение 30 дней.
- **Книга учёта**: каждое зачисление и списание. В неё можно только дописывать.
- **Ограничения**: как часто сеть или аккаунт что-то пробовали в последнее время, в виде хешей с ключом.
- **Реакции** на объявления, по одной каждого вида, и ваши **комментарии** к ним, видные всем; ваш никнейм стоит рядом, только если вы так решили. Ваши жалобы видят одни операторы, закладки — вы один. **Адрес, на который присылают объявления**, с учётной записью или без неё: только после подтверждения по ссылке, только для этих писем и пока от них не откажутся по ссылке в любом из них. **Браузеры, в которых вы попросили уведомлений**: адрес, который дала служба уведомлений браузера, и его ключи в зашифрованном виде, и название браузера, пока вы не удалите его в профиле или не закончится сессия. Служба уведомлений (производителя браузера) передаёт каждое уведомление и не может его прочесть.
- **Заметки**, которые операторы пишут о вашем аккаунте, пока вы его не удалите.

## Как используется

Чтобы принимать заказы, зачислять их, присылать относящиеся к ним письма (подтверждение адреса, сброс пароля, заказ создан, одобрен, отклонён, новый вход, пароль изменён) и не пускать других в ваш аккаунт. Больше ни для чего.

## Кто это видит

Операторы продажи, насколько позволяет их роль; каждое их изменение записывается. В таблице лидеров вы есть, только если сами выбрали это, со скрытым адресом или псевдонимом. В публичном списке одобренных заказов нет времени, адреса и номера. Блокчейн показывает каждый платёж всем: так устроены блокчейны.

## Файлы cookie

Один для сессии, один для темы, один для боковой панели, один для вашего ответа про аналитику. Где за друзей полагается награда, ещё два: один 30 дней хранит код открытой вами ссылки, другой 180 дней хранит случайное значение, которое этот браузер получил, когда из него вошли в аккаунт; хеш этого значения с ключом хранится при аккаунте. Оно ничего не говорит о вас и о браузере и нужно только затем, чтобы никто не получил награду за самого себя. До вашего согласия никакой счётчик посещений не загружается, а после — только на страницах, где его настроил оператор. До этого сайт ни о чём не спрашивает другие узлы.

## Ваши права

В профиле можно прочитать и исправить свои данные, выгрузить их все и удалить аккаунт. Удаление делает аккаунт анонимным: заказы и записи учёта остаются под номером без вашего имени, потому что суммы должны сходиться. Пока есть незавершённый заказ или долг перед вами, удалить аккаунт нельзя.

## Изменения

Каждая версия этого текста хранится вместе с датой. Сколько хранится всё остальное, сказано под этим текстом, с действующими сроками.`,
    es: spanish.privacy(who),
  }
}
