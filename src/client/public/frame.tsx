import { useLingui } from '@lingui/react/macro'
import { createContext, type ReactNode, useContext } from 'react'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { localPath, type Name, pickText } from '../../shared/languages.ts'
import { type PublicPage } from '../../shared/public-pages.ts'
import type { Written } from '../ui/DeliveryDates.tsx'
import { longDate, moment } from './figures.ts'

const Frame = createContext<PublicPage | null>(null)
export const FrameProvider = Frame.Provider

/** Throws outside of a page's rendering. */
export function usePage(): PublicPage {
  const page = useContext(Frame)
  if (!page) throw new Error('a public page is rendered outside its frame')
  return page
}

/** Throws if there is none. */
export function useCampaign(): PublicCampaign {
  const { campaign } = usePage()
  if (!campaign) throw new Error('this page is shown only once a campaign is set up')
  return campaign
}

export function usePath(): (path: string) => string {
  const { locale } = usePage()
  return (path) => localPath(locale, path)
}

// Rules: LOG-18
/** A public figure linked to its source: its entry at /transparency, or `at`, a path with an anchor. */
export function Sourced({
  name,
  at = `/transparency#${name}`,
  children,
}: {
  name: string
  at?: string
  children: ReactNode
}) {
  const { locale, content } = usePage()
  const [path = '', anchor] = at.split('#')
  const page = path === `/${content.page}` ? '' : localPath(locale, path)
  return (
    <a href={`${page}#${anchor}`} data-figure={name} className="sourced">
      {children}
    </a>
  )
}

export function OperatorText({ text }: { text: Name }) {
  const { locale } = usePage()
  const picked = pickText(text, locale)
  return picked.lang === locale ? picked.text : <span lang={picked.lang}>{picked.text}</span>
}

/** Formatters for pages without scripts. */
export function useWritten(): Written {
  const { locale } = usePage()
  return {
    moment: (iso) => moment(iso, locale),
    day: (date) => longDate(date, locale),
    text: (text) => <OperatorText text={text} />,
  }
}

/** The heading has its own column on wide windows. */
export function Section({
  id,
  title,
  lead,
  band,
  children,
}: {
  id: string
  title: ReactNode
  lead?: ReactNode
  band?: boolean
  children: ReactNode
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={band ? 'border-y bg-sunk' : ''}>
      <div className="wrap py-16 lg:py-24">
        <div className="mb-8 max-w-2xl lg:mb-12">
          <h2 id={`${id}-title`} className="display text-title">
            {title}
          </h2>
          {lead ? <p className="mt-3 text-soft">{lead}</p> : null}
        </div>
        {children}
      </div>
    </section>
  )
}

export function NotYet() {
  const { t } = useLingui()
  return <>{t`Not announced yet`}</>
}
