import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, type RouteObject, StaticRouterProvider } from 'react-router'
import type { KnownRead } from '../../shared/first-reads.ts'
import { type DocumentFacts, type Drawn, drawWith } from '../document-facts.ts'
import type { Locale } from '../i18n.ts'
import { keepFirst } from './reading.ts'

export interface Drawing {
  /** The page's whole address, because a router reads it. */
  url: string
  locale: Locale
  facts: DocumentFacts
  /** What the page's first reads answer. */
  reads: readonly KnownRead[]
}

/**
 * Draws a page of an area on the server, as the browser draws it with the same answers. What needs a script is inert until the
 * scripts have taken over; links and forms that say how they are sent work from the first paint.
 */
export async function drawArea(
  routes: RouteObject[],
  messages: Record<string, unknown>,
  { url, locale, facts, reads }: Drawing,
): Promise<Drawn> {
  const i18n = setupI18n({ locale, messages: { [locale]: messages as never } })
  const client = new QueryClient()
  keepFirst(client, reads)
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
  return { html: withInert(html), title }
}

/** A browser would write the fields of a form that does not say how it is sent into the address. */
const withInert = (html: string) =>
  html
    .replaceAll(/<button (?=[^>]*type="button")/g, '<button inert ')
    .replaceAll(/<select(?=[ >])/g, '<select inert')
    .replaceAll(/<form(?![^>]* method=)(?=[ >])/g, '<form inert')
