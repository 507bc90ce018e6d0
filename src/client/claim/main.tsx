import '../styles/claim.css'
import { messages } from 'virtual:messages/all'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { defaultLanguage, isLanguage, languages } from '../../shared/languages.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { ClaimFile } from './ClaimFile.tsx'

/** All languages are in the file, because it loads nothing. */
for (const locale of languages) i18n.load(locale, messages[locale] ?? {})
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
