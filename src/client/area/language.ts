import { useRevalidator } from 'react-router'
import { errorText } from '../errors.ts'
import { activate, documentLocale, type Locale } from '../i18n.ts'
import { toast } from '../ui/Toast.tsx'
import { currentArea } from './area.ts'

/** Switches at once, and back if storing fails. */
export function useLanguageChange(): (locale: Locale) => Promise<void> {
  const { revalidate } = useRevalidator()
  return async (locale) => {
    const { keepLanguage } = currentArea()
    const before = documentLocale()
    try {
      await activate(locale)
      await keepLanguage(locale)
    } catch (error) {
      await activate(before)
      toast.error(errorText(error))
    }
    await revalidate()
  }
}
