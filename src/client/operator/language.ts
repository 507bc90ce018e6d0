import { useRevalidator } from 'react-router'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { api } from '../api.ts'
import { activate, type Locale } from '../i18n.ts'

/** Switches the language at once and keeps it with the operator's account. */
export function useLanguageChange(): (locale: Locale) => void {
  const { revalidate } = useRevalidator()
  return (locale) => {
    void activate(locale, 'operator')
    api(operatorSessionRoutes.setLanguage, { body: { language: locale } }).then(revalidate, () => undefined)
  }
}
