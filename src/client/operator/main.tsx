import '../styles/app.css'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { isPassing } from '../errors.ts'
import { activate, documentLocale } from '../i18n.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { createRouter } from './router.tsx'

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: (count, error) => count < 2 && isPassing(error), staleTime: 2_000 },
    mutations: { retry: false },
  },
})

const i18n = await activate(documentLocale(), 'operator')
const router = createRouter(client)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
