import '../styles/app.css'
import { I18nProvider } from '@lingui/react'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type DataRouter, RouterProvider } from 'react-router'
import { activate, documentLocale } from '../i18n.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { type Area, enterArea } from './area.ts'

/** Draws an area into the document that the server sent. `createRouter` runs once the messages are there. */
export async function startArea(
  area: Area,
  client: QueryClient,
  createRouter: () => DataRouter,
): Promise<DataRouter> {
  enterArea(area)
  const i18n = await activate(documentLocale(), area.catalogue)
  const router = createRouter()
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
  return router
}
