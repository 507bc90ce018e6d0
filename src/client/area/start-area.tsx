import { I18nProvider } from '@lingui/react'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { type DataRouter, RouterProvider } from 'react-router'
import { knownToServer } from '../document-facts.ts'
import { activate, documentLocale, enterCatalogues } from '../i18n.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { type Area, enterArea } from './area.ts'
import { keepFirst } from './reading.ts'
import { takeOver } from './take-over.ts'

/** Draws an area into the document that the server sent. `createRouter` runs once the messages are there. */
export async function startArea(
  area: Area,
  client: QueryClient,
  createRouter: () => DataRouter,
): Promise<DataRouter> {
  enterArea(area)
  enterCatalogues(area.catalogues)
  keepFirst(client, knownToServer().reads)
  const i18n = await activate(documentLocale())
  const router = createRouter()
  const drawn = document.getElementById('root') as HTMLElement
  const page = drawn.firstChild ? document.createElement('div') : drawn
  if (page !== drawn) await initialized(router)
  flushSync(() =>
    createRoot(page).render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <QueryClientProvider client={client}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </QueryClientProvider>
        </I18nProvider>
      </StrictMode>,
    ),
  )
  if (page !== drawn) {
    // What the server drew stays until the same page is whole, so that nothing moves while its parts are read.
    await allRead(client, page)
    await takeOver(drawn, page)
  }
  // What the document says where the scripts are late.
  document.getElementById('late')?.remove()
  return router
}

/** Until nothing is being read or says that it is busy, what was read has had time to ask for more, or a second and a half is over. */
function allRead(client: QueryClient, page: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    let quiet: ReturnType<typeof setTimeout> | undefined
    const done = () => {
      stop()
      clearTimeout(quiet)
      clearTimeout(longest)
      resolve()
    }
    const look = () => {
      clearTimeout(quiet)
      if (client.isFetching() > 0) return
      quiet = setTimeout(() => (page.querySelector('[aria-busy=true]') ? look() : done()), 30)
    }
    const stop = client.getQueryCache().subscribe(look)
    const longest = setTimeout(done, 1_500)
    look()
  })
}

function initialized(router: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!router.state.initialized) return
      stop()
      resolve()
    }
    const stop = router.subscribe(check)
    check()
  })
}
