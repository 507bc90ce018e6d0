import { useLingui } from '@lingui/react/macro'
import { Languages, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { type Locale, localeNames, locales } from '../i18n.ts'
import { buttonLook } from './Button.tsx'
import { currentTheme, setTheme, type Theme } from './theme.ts'

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

/** One button that goes round: as the system, light, dark. */
export function ThemeSwitch() {
  const { t } = useLingui()
  const [theme, setShown] = useState<Theme>(currentTheme)
  const name = { system: t`as the system`, light: t`light`, dark: t`dark` }[theme]
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme]
  const change = () => {
    const next = nextTheme[theme]
    setTheme(next)
    setShown(next)
  }
  return (
    <button
      type="button"
      onClick={change}
      aria-label={t`Theme: ${name}`}
      title={t`Theme: ${name}`}
      className={buttonLook({ variant: 'ghost', size: 'icon-sm' })}
    >
      <Icon className="size-4.5" />
    </button>
  )
}

/** Offers the other language, in that language. */
export function LanguageSwitch({ locale, onChange }: { locale: Locale; onChange: (locale: Locale) => void }) {
  const other = locales.find((candidate) => candidate !== locale) ?? 'en'
  return (
    <button
      type="button"
      lang={other}
      onClick={() => onChange(other)}
      className={`${buttonLook({ variant: 'ghost', size: 'sm' })} language-name`}
    >
      <Languages aria-hidden="true" className="size-4" />
      {localeNames[other]}
    </button>
  )
}
