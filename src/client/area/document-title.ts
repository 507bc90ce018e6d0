import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { documentFacts, isOnServer, setDocumentTitle } from '../document-facts.ts'
import { read } from './reading.ts'

/** Sets the document's title while a page is open; without `page` the title is the campaign's name alone. */
export function useTitle(page?: string): void {
  // The name as whoever reads the campaign has found it; the server's document says what the name was before.
  const { data } = useQuery({ ...read(campaignRoutes.show), enabled: false })
  const { area, campaignName } = documentFacts()
  const name = data?.settings.name ?? campaignName
  const title = name && titleOf(area, page, name)
  if (isOnServer && title) setDocumentTitle(title)
  useEffect(() => {
    if (title) setDocumentTitle(title)
  }, [title])
}

/** The same, as a part of a page. */
export function DocumentTitle({ page }: { page: string | undefined }) {
  useTitle(page)
  return null
}

function titleOf(area: 'buyer' | 'operator', page: string | undefined, campaign: string): string {
  if (!page) return campaign
  return area === 'buyer' ? `${campaign} | ${page}` : `${page} · ${campaign}`
}
