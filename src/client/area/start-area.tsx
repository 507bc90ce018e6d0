import { I18nProvider } from '@lingui/react'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { type DataRouter, RouterProvider } from 'react-router'
import { knownToServer } from '../document-facts.ts'
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
  for (const [path, reply] of Object.entries(knownToServer().reads)) client.setQueryData([path], reply)
  const i18n = await activate(documentLocale(), area.catalogue)
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
    takeOver(drawn, page)
  }
  return router
}

function takeOver(drawn: HTMLElement, page: HTMLElement) {
  const typed = typedIn(drawn)
  page.id = drawn.id
  drawn.replaceWith(page)
  typeAgain(page, typed)
  // The page could not go to what its address names before it stood here.
  const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
  named?.scrollIntoView({ block: 'start' })
  named?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
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

const fieldNamed = (name: string) => `input[name="${CSS.escape(name)}"]`

/** What was typed into the fields that the server drew, and which field or link has the focus. */
function typedIn(root: HTMLElement) {
  const fields = [...root.querySelectorAll('input')].filter(({ name }) => name)
  const active = document.activeElement
  const link = active?.closest('a')?.getAttribute('href')
  return {
    changed: fields
      .filter((field) => field.value !== field.defaultValue)
      .map(({ name, value }) => ({ name, value })),
    focused:
      active instanceof HTMLInputElement && active.name
        ? fieldNamed(active.name)
        : link && `a[href="${CSS.escape(link)}"]`,
  }
}

/** Types the same into the fields that took their place, so that their forms know of it. */
function typeAgain(root: HTMLElement, { changed, focused }: ReturnType<typeof typedIn>) {
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const { name, value } of changed) {
    const field = root.querySelector<HTMLInputElement>(fieldNamed(name))
    if (!field) continue
    // React hears of a value only where it has not been set through React's own property.
    setValue?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (focused) root.querySelector<HTMLElement>(focused)?.focus()
}
