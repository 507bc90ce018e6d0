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
  url: string
  locale: Locale
  facts: DocumentFacts
  reads: readonly KnownRead[]
}

/** Buttons that need a script are inert until the scripts run; links and plain forms work at once. */
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

/** Marks controls inert. A form without `method` would put its fields into the address. */
const withInert = (html: string) =>
  html
    .replaceAll(/<button (?=[^>]*type="button")/g, '<button inert ')
    .replaceAll(/<select(?=[ >])/g, '<select inert')
    .replaceAll(/<form(?![^>]* method=)(?=[ >])/g, '<form inert')
