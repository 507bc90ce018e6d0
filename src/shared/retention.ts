import { pickText, type Texts } from './languages.ts'
// Rules: RIGHT-29
/**
 * How long is kept what is not kept for ever: settings of the campaign, in whole days, each with its default, its bounds and
 * what pages and mails call it. What falls under a period stands in src/server/retention/tables.ts.
 */
export const retentionBounds = {
  unusedQuotes: {
    days: 7,
    min: 1,
    max: 90,
    name: {
      en: 'Quotes that nobody used',
      ru: 'Расчёты, которыми никто не воспользовался',
      es: 'Cotizaciones que nadie usó',
      ar: 'عروض أسعار لم يستخدمها أحد',
    },
  },
  declarations: {
    days: 365,
    min: 30,
    max: 3650,
    name: {
      en: 'Country and age declared with orders that ended unpaid, of buyers who never bought',
      ru: 'Страна и возраст, заявленные в неоплаченных завершённых заказах теми, кто так ничего и не купил',
      es: 'País y edad declarados con pedidos que terminaron sin pagar, de compradores que nunca compraron',
      ar: 'البلد والعمر المصرَّح بهما مع طلبات انتهت دون دفع، لمشترين لم يشتروا قط',
    },
  },
  deletedAccounts: {
    days: 30,
    min: 1,
    max: 365,
    name: {
      en: 'Deleted accounts that never bought: the reference and the dates that are left of them',
      ru: 'Удалённые аккаунты без покупок: оставшиеся от них номер и даты',
      es: 'Cuentas eliminadas que nunca compraron: la referencia y las fechas que quedan de ellas',
      ar: 'حسابات محذوفة لم تشترِ قط: المرجع والتواريخ الباقية منها',
    },
  },
  endedSessions: {
    days: 0,
    min: 0,
    max: 30,
    name: {
      en: 'Sessions that ran out',
      ru: 'Истёкшие сессии',
      es: 'Sesiones vencidas',
      ar: 'جلسات منتهية',
    },
  },
  loginNetworks: {
    days: 180,
    min: 30,
    max: 365,
    name: {
      en: 'Networks and browsers that an account logged in from, as keyed hashes',
      ru: 'Сети и браузеры, из которых входили в аккаунт, в виде хешей с ключом',
      es: 'Redes y navegadores desde los que se inició sesión en una cuenta, como hashes con clave',
      ar: 'الشبكات والمتصفحات التي سُجّل منها الدخول إلى حساب، بصماتٍ بمفتاح',
    },
  },
  failedAttempts: {
    days: 30,
    min: 7,
    max: 365,
    name: {
      en: 'Failed attempts at an account',
      ru: 'Неудачные попытки входа в аккаунт',
      es: 'Intentos fallidos en una cuenta',
      ar: 'محاولات فاشلة على حساب',
    },
  },
  oneTimeLinks: {
    days: 7,
    min: 1,
    max: 30,
    name: {
      en: 'Links sent by mail, after they were used or ran out',
      ru: 'Ссылки из писем после использования или истечения',
      es: 'Enlaces enviados por correo, después de usarse o caducar',
      ar: 'روابط أُرسلت بالبريد، بعد استخدامها أو انتهائها',
    },
  },
  failedJobs: {
    days: 30,
    min: 1,
    max: 90,
    name: {
      en: 'Mails that could not be sent, sealed; how mails went, with masked addresses',
      ru: 'Письма, которые не удалось отправить, в зашифрованном виде; как доставлялись письма, со скрытыми адресами',
      es: 'Correos que no se pudieron enviar, sellados; cómo fueron los correos, con direcciones enmascaradas',
      ar: 'رسائل تعذّر إرسالها، مختومة؛ وكيف وصلت الرسائل، بعناوين محجوبة',
    },
  },
  webhookDeliveries: {
    days: 30,
    min: 1,
    max: 90,
    name: {
      en: 'Messages about orders to other programs of the operator',
      ru: 'Сообщения о заказах другим программам оператора',
      es: 'Mensajes sobre pedidos a otros programas del operador',
      ar: 'رسائل عن الطلبات إلى برامج أخرى للمشغّل',
    },
  },
  decidedActs: {
    days: 730,
    min: 90,
    max: 3650,
    name: {
      en: 'Requests that a second operator decided',
      ru: 'Запросы, по которым решил второй оператор',
      es: 'Solicitudes sobre las que decidió un segundo operador',
      ar: 'طلبات بتّ فيها مشغّل ثانٍ',
    },
  },
  unusedUploads: {
    days: 1,
    min: 1,
    max: 30,
    name: {
      en: 'Uploaded files that no page shows',
      ru: 'Загруженные файлы, которых нет ни на одной странице',
      es: 'Archivos subidos que ninguna página muestra',
      ar: 'ملفات مرفوعة لا تعرضها أي صفحة',
    },
  },
} as const satisfies Record<string, { days: number; min: number; max: number; name: Texts }>

export type Period = keyof typeof retentionBounds
/** Days by period. */
export type RetentionDays = Readonly<Record<Period, number>>

export const periods = Object.keys(retentionBounds) as readonly Period[]

export const defaultRetention: RetentionDays = Object.fromEntries(
  periods.map((period) => [period, retentionBounds[period].days]),
) as RetentionDays

/** The periods in force: a period that settings don't name, because an older program saved them, has its default. */
export function retentionOf(settings: { readonly retention?: Partial<RetentionDays> }): RetentionDays {
  return { ...defaultRetention, ...settings.retention }
}

/** The periods that a change makes shorter: what is older than them would be gone for good. */
export function shortenedPeriods(before: RetentionDays, after: RetentionDays): Period[] {
  return periods.filter((period) => after[period] < before[period])
}

/** What falls under a period, in the words of pages and mails. */
export const periodName = (period: Period, locale: string): string =>
  pickText(retentionBounds[period].name, locale).text

const periodFigures = {
  en: 'days before → after (rows older than that)',
  ru: 'дней было → будет (строк старше)',
  es: 'días antes → después (filas más antiguas)',
}

/** What a second operator is shown of periods that become shorter (`30 → 7 (120)`), by period. */
export function shortenedLabels(locale: string): Record<string, string> {
  const figures = pickText(periodFigures, locale).text
  return Object.fromEntries(periods.map((period) => [period, `${periodName(period, locale)}: ${figures}`]))
}
