import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { documentFacts, isOnServer, setDocumentTitle } from '../document-facts.ts'
import { read } from './reading.ts'

export function useTitle(page?: string): void {
  // Until the campaign is loaded, its name comes from the server's document.
  const { data } = useQuery({ ...read(campaignRoutes.show), enabled: false })
  const { area, campaignName } = documentFacts()
  const name = data?.settings.name ?? campaignName
  const title = name && titleOf(area, page, name)
  if (isOnServer && title) setDocumentTitle(title)
  useEffect(() => {
    if (title) setDocumentTitle(title)
  }, [title])
}

export function DocumentTitle({ page }: { page: string | undefined }) {
  useTitle(page)
  return null
}

function titleOf(area: 'buyer' | 'operator', page: string | undefined, campaign: string): string {
  if (!page) return campaign
  return area === 'buyer' ? `${campaign} | ${page}` : `${page} · ${campaign}`
}
