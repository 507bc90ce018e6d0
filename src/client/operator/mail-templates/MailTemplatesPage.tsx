import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { mailKinds, mailLanguages, mailRoutes } from '../../../shared/api/mail-templates.ts'
import { DataTable } from '../../area/DataTable.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { useUrlState } from '../../area/url-state.ts'
import { DateTime } from '../../ui/numbers.tsx'
import { Badge } from '../../ui/Status.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { mailName } from '../audit-names.ts'
import { paths } from '../paths.ts'
import { useLanguageNames } from './language-names.ts'
import { MailDeliveries } from './MailDeliveries.tsx'
import { MailEditor } from './MailEditor.tsx'
import { MailServerTab } from './MailServerTab.tsx'

export function MailTemplatesPage() {
  const { t } = useLingui()
  const url = useUrlState()
  return (
    <Page title={t`Mail templates`} lead={t`The mails to buyers and operators, in each language.`}>
      <Tabs
        value={url.get('tab') ?? 'texts'}
        onValueChange={(tab) => url.set({ tab: tab === 'texts' ? null : tab })}
        tabs={[
          { value: 'texts', label: t`Texts`, content: <Texts /> },
          { value: 'deliveries', label: t`Deliveries`, content: <MailDeliveries /> },
          { value: 'server', label: t`Mail server`, content: <MailServerTab /> },
        ]}
      />
    </Page>
  )
}

function Texts() {
  const url = useUrlState()
  const kind = mailKinds.find((known) => known === url.get('mail'))
  const language = mailLanguages.find((known) => known === url.get('language')) ?? 'en'
  return kind ? <MailEditor key={`${kind} ${language}`} kind={kind} language={language} /> : <AllMails />
}

function AllMails() {
  const { t, i18n } = useLingui()
  const languages = useLanguageNames()
  const query = useQuery(readItems(mailRoutes.list))
  return (
    <Loaded query={query}>
      {(mails) => (
        <DataTable
          caption={t`Texts`}
          rows={mailKinds}
          keyOf={(kind) => kind}
          columns={[
            { label: t`When it is sent`, cell: (kind) => mailName(i18n, kind) },
            ...mailLanguages.map((language) => ({
              label: languages[language],
              cell: (kind: (typeof mailKinds)[number]) => {
                const mail = mails.find((known) => known.kind === kind && known.language === language)
                return (
                  <span className="inline-flex flex-wrap items-center gap-2">
                    <Link
                      className="underline underline-offset-2"
                      aria-label={t`Edit: ${mailName(i18n, kind)}, ${languages[language]}`}
                      to={`${paths.mailTemplates}?${new URLSearchParams({ mail: kind, language })}`}
                    >
                      <Trans>Edit</Trans>
                    </Link>
                    {mail?.isEdited ? (
                      <>
                        <Badge tone="now">{t`own words`}</Badge>
                        <span className="text-sm text-soft">
                          {mail.publishedAt ? <DateTime value={mail.publishedAt} part="date" /> : null}
                        </span>
                      </>
                    ) : null}
                  </span>
                )
              },
            })),
          ]}
        />
      )}
    </Loaded>
  )
}
