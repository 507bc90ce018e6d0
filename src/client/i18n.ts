import { type I18n, i18n, type Messages } from '@lingui/core'

export type Locale = 'en' | 'ru'

export const locales: readonly Locale[] = ['en', 'ru']

export const localeNames: Record<Locale, string> = { en: 'English', ru: 'Русский' }

export function isLocale(value: unknown): value is Locale {
  return value === 'en' || value === 'ru'
}

/** The locale the server put on `<html lang>`. */
export function documentLocale(): Locale {
  const lang = document.documentElement.lang.slice(0, 2)
  return isLocale(lang) ? lang : 'en'
}

export type Area = 'buyer' | 'operator'

type Loader = () => Promise<{ messages: Messages }>

const catalogues: Record<Locale, Record<Area | 'kit', Loader>> = {
  en: {
    kit: () => import('./locales/en/kit.po'),
    buyer: () => import('./locales/en/buyer.po'),
    operator: () => import('./locales/en/operator.po'),
  },
  ru: {
    kit: () => import('./locales/ru/kit.po'),
    buyer: () => import('./locales/ru/buyer.po'),
    operator: () => import('./locales/ru/operator.po'),
  },
}

/** Loads the kit's and the area's messages and makes them current; also says the language on `<html>`. */
export async function activate(locale: Locale, area: Area): Promise<I18n> {
  const [kit, own] = await Promise.all([catalogues[locale].kit(), catalogues[locale][area]()])
  i18n.loadAndActivate({ locale, messages: { ...kit.messages, ...own.messages } })
  document.documentElement.lang = locale
  return i18n
}
