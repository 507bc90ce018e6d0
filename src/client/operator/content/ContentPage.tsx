import { useLingui } from '@lingui/react/macro'
import { Page } from '../../area/Page.tsx'
import { useUrlState } from '../../area/url-state.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { NextStep } from '../SetUp.tsx'
import { Announcements } from './Announcements.tsx'
import { Comments } from './Comments.tsx'
import { Documents } from './Documents.tsx'
import { Giveaways } from './Giveaways.tsx'
import { LegalTexts } from './LegalTexts.tsx'

export function ContentPage() {
  const { t } = useLingui()
  const url = useUrlState()
  return (
    <Page title={t`Content`}>
      <NextStep />
      <Tabs
        value={url.get('tab') ?? 'announcements'}
        onValueChange={(tab) =>
          url.set({ tab: tab === 'announcements' ? null : tab, search: null, view: null })
        }
        tabs={[
          { value: 'announcements', label: t`Announcements`, content: <Announcements /> },
          { value: 'comments', label: t`Comments`, content: <Comments /> },
          { value: 'documents', label: t`Documents`, content: <Documents /> },
          { value: 'giveaways', label: t`Giveaways`, content: <Giveaways /> },
          { value: 'legal', label: t`Legal texts`, content: <LegalTexts /> },
        ]}
      />
    </Page>
  )
}
