import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { documentFacts } from '../document-facts.ts'
import { currentArea } from './area.ts'
import { read } from './reading.ts'

/** Sets the document's title while a page is open; without `page` the title is the campaign's name alone. */
export function useTitle(page?: string): void {
  // The name as whoever reads the campaign has found it; the server's document says what the name was before.
  const { data } = useQuery({ ...read(campaignRoutes.show), enabled: false })
  const name = data?.settings.name ?? documentFacts().campaignName
  useEffect(() => {
    if (!name) return
    document.title = currentArea().titleOf(page, name)
    return () => {
      document.title = name
    }
  }, [name, page])
}
