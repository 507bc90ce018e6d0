import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, type RouteObject, StaticRouterProvider } from 'react-router'
import { type DocumentFacts, type Drawn, drawWith } from '../document-facts.ts'
import type { Locale } from '../i18n.ts'

export interface Drawing {
  /** The page's whole address, because a router reads it. */
  url: string
  locale: Locale
  facts: DocumentFacts
  /** What the page's first reads answer, by the paths of their routes. */
  reads: Readonly<Record<string, unknown>>
}

/**
 * Draws a page of an area on the server, as the browser draws it with the same answers. Buttons that need a script are inert
 * until the scripts have taken over; links and forms that are sent to an address work from the first paint.
 */
export async function drawArea(
  routes: RouteObject[],
  messages: Record<string, unknown>,
  { url, locale, facts, reads }: Drawing,
): Promise<Drawn> {
  const i18n = setupI18n({ locale, messages: { [locale]: messages as never } })
  const client = new QueryClient()
  for (const [path, reply] of Object.entries(reads)) client.setQueryData([path], reply)
  const handler = createStaticHandler(routes)
  const context = await handler.query(new Request(url))
  if (context instanceof Response) return { html: '' }
  const router = createStaticRouter(handler.dataRoutes, context)
  const { html, title } = drawWith(facts, () =>
    renderToString(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </QueryClientProvider>
      </I18nProvider>,
    ),
  )
  client.clear()
  return { html: html.replaceAll(/<button (?=[^>]*type="button")/g, '<button inert '), title }
}
