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
import { changedFields, takeOver } from './take-over.ts'

/** `createRouter` runs once the messages are loaded. */
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
    // Keep the server's drawing until the same page is complete.
    await allRead(client, page, () => changedFields(drawn).length > 0)
    await takeOver(drawn, page)
  }
  // Remove the document's “scripts are late” message.
  document.getElementById('late')?.remove()
  return router
}

/** The page takes over after this time even if a part is still loading. */
const LONGEST_MS = 1_500
/**
 * The limit if a field was filled in: the loading part may be its form, and a takeover would lose the text.
 */
const LONGEST_FILLED_IN_MS = 30_000

/**
 * Waits until no query runs and no part is busy, then 30 ms more, because a result may start another query.
 */
function allRead(client: QueryClient, page: HTMLElement, isFilledIn: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let quiet: ReturnType<typeof setTimeout> | undefined
    let longest: ReturnType<typeof setTimeout> | undefined
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
    longest = setTimeout(
      () => (isFilledIn() ? (longest = setTimeout(done, LONGEST_FILLED_IN_MS)) : done()),
      LONGEST_MS,
    )
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
