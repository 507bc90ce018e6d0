import { useLingui } from '@lingui/react/macro'
import { Languages, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { factsOf } from '../../shared/languages.ts'
import { type Theme, themeAfter } from '../../shared/theme-round.ts'
import { documentFacts } from '../document-facts.ts'
import { isLocale, type Locale } from '../i18n.ts'
import { buttonLook } from './Button.tsx'
import { currentTheme, setTheme } from './theme.ts'

/** Cycles system, dark and light; light and dark if the system is dark. */
export function ThemeSwitch() {
  const { t } = useLingui()
  const [theme, setShown] = useState<Theme>(currentTheme)
  const name = { system: t`as the system`, light: t`light`, dark: t`dark` }[theme]
  const Icon = { system: Monitor, light: Sun, dark: Moon }[theme]
  const change = () => {
    const next = themeAfter(theme, matchMedia('(prefers-color-scheme: dark)').matches)
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

/** Shows a list if there are several. */
export function LanguageSwitch({ locale, onChange }: { locale: Locale; onChange: (locale: Locale) => void }) {
  const { t } = useLingui()
  const offered = documentFacts().languages.filter(isLocale)
  const others = offered.filter((candidate) => candidate !== locale)
  const [other] = others
  if (!other) return null
  if (others.length > 1)
    return (
      <select
        aria-label={t`Language`}
        value={locale}
        onChange={(event) => isLocale(event.target.value) && onChange(event.target.value)}
        className={`${buttonLook({ variant: 'ghost', size: 'sm' })} language-name`}
      >
        {offered.map((code) => (
          <option key={code} value={code} lang={code}>
            {factsOf(code).name}
          </option>
        ))}
      </select>
    )
  return (
    <button
      type="button"
      lang={other}
      onClick={() => onChange(other)}
      className={`${buttonLook({ variant: 'ghost', size: 'sm' })} language-name`}
    >
      <Languages aria-hidden="true" className="size-4" />
      {factsOf(other).name}
    </button>
  )
}
