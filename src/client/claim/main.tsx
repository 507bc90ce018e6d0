import '../styles/claim.css'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { messages as en } from '../locales/en/claim.po'
import { messages as enKit } from '../locales/en/kit.po'
import { messages as ru } from '../locales/ru/claim.po'
import { messages as ruKit } from '../locales/ru/kit.po'
import { ToastProvider } from '../ui/Toast.tsx'
import { ClaimFile } from './ClaimFile.tsx'

/** Both languages stand in the file, because it loads nothing. */
i18n.load({ en: { ...enKit, ...en }, ru: { ...ruKit, ...ru } })
const isRussian = navigator.languages.find((language) => /^(?:en|ru)\b/.test(language))?.startsWith('ru')
i18n.activate(isRussian ? 'ru' : 'en')

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
