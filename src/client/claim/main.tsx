import '../styles/claim.css'
import { i18n, type Messages } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { defaultLanguage, isLanguage, languages } from '../../shared/languages.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { ClaimFile } from './ClaimFile.tsx'

/** Every language stands in the file, because it loads nothing. */
const files = import.meta.glob<{ messages: Messages }>('../locales/*/{kit,claim}.po', { eager: true })
for (const locale of languages)
  for (const name of ['kit', 'claim'])
    i18n.load(locale, files[`../locales/${locale}/${name}.po`]?.messages ?? {})
const asked = navigator.languages.map((language) => language.split('-')[0])
const locale = asked.find(isLanguage) ?? defaultLanguage
i18n.activate(locale)
document.documentElement.lang = locale

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <ToastProvider>
          <ClaimFile />
        </ToastProvider>
      </I18nProvider>
    </StrictMode>,
  )
