import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  type MailKind,
  type MailLanguage,
  type MailText,
  type MailWords,
  mailLanguages,
  mailRoutes,
} from '../../../shared/api/mail-templates.ts'
import { ConfirmChange } from '../../area/ConfirmChange.tsx'
import { ConfirmForm } from '../../area/ConfirmForm.tsx'
import { call } from '../../area/call.ts'
import { FormConflict } from '../../area/FormDialog.tsx'
import { Loaded } from '../../area/Loaded.tsx'
import { Band } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { TextField } from '../../area/TextField.tsx'
import { useUnsaved } from '../../area/unsaved.ts'
import { useUrlState } from '../../area/url-state.ts'
import { useChange } from '../../area/use-change.ts'
import { useEdit } from '../../area/use-edit.ts'
import { errorText } from '../../errors.ts'
import { Button } from '../../ui/Button.tsx'
import { useDebounced } from '../../ui/clock.ts'
import { Field, FormError, Textarea } from '../../ui/Field.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Select } from '../../ui/Select.tsx'
import { Badge } from '../../ui/Status.tsx'
import { toast } from '../../ui/Toast.tsx'
import { mailName } from '../audit-names.ts'
import { paths } from '../paths.ts'
import { touched } from '../touched.ts'
import { useLanguageNames } from './language-names.ts'

interface Place {
  kind: MailKind
  language: MailLanguage
}

export function MailEditor({ kind, language }: Place) {
  const { i18n } = useLingui()
  const url = useUrlState()
  const languages = useLanguageNames()
  const query = useQuery(read(mailRoutes.show, { params: { kind, language } }))
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-4">
        <h2 className="mr-auto text-lg font-semibold">
          <Link className="font-normal text-soft underline underline-offset-2" to={paths.mailTemplates}>
            <Trans>All mail templates</Trans>
          </Link>{' '}
          · {mailName(i18n, kind)}
        </h2>
        <Field label={<Trans>Language</Trans>} className="w-40">
          <Select
            value={language}
            onValueChange={(next) => url.set({ language: next })}
            options={mailLanguages.map((value) => ({ value, label: languages[value] }))}
          />
        </Field>
      </div>
      <Loaded query={query}>
        {(mail) => (
          <>
            <Words mail={mail} />
            <Versions mail={mail} />
          </>
        )}
      </Loaded>
    </>
  )
}

const isSame = (a: MailWords, b: MailWords) => a.subject === b.subject && a.body === b.body

function Words({ mail }: { mail: MailText }) {
  const { t } = useLingui()
  const params = { kind: mail.kind, language: mail.language }
  const subject = t({ message: 'Subject', context: 'of a mail' })
  const [putsBack, setPutsBack] = useState(false)
  const form = useEdit({
    thing: mail,
    valuesOf: ({ words }) => words,
    asks: true,
    send: (words: MailWords, { version }) =>
      call(mailRoutes.publish, { params, body: { basedOn: version, words } }),
    stays: (published) => published,
    touches: touched.mailTemplates,
    done: () => toast.success(t`These words are in force.`),
  })
  const test = useChange({
    run: () => call(mailRoutes.test, { params, body: form.values }),
    touches: [],
    done: ({ to }) => toast.success(t`A test is on its way to ${to}.`),
  })
  const dirty = !isSame(form.values, form.base.words)
  useUnsaved(dirty)
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
      <form {...form.formProps} className="flex min-w-0 flex-col gap-4">
        <FormConflict form={form} labels={{ subject, body: t`Text` }} />
        <FormError>{form.failure}</FormError>
        <TextField form={form} name="subject" label={subject} lang={mail.language} maxLength={150} />
        <Field label={t`Text`} error={form.error('body')} hint={t`Paragraphs are apart by an empty line.`}>
          <Textarea lang={mail.language} rows={14} maxLength={4000} {...form.text('body')} />
        </Field>
        <WhatStays mail={mail} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            disabledReason={dirty ? undefined : t`Nothing was changed.`}
            loading={form.isPending}
          >
            <Trans>Put in force…</Trans>
          </Button>
          <Button variant="secondary" loading={test.isPending} onClick={() => test.mutate()}>
            <Trans>Send a test to me</Trans>
          </Button>
          {form.base.isEdited ? (
            <Button variant="ghost" onClick={() => setPutsBack(true)}>
              <Trans>Back to the product's text…</Trans>
            </Button>
          ) : null}
          {dirty ? (
            <Button variant="ghost" onClick={() => form.reset(form.base.words)}>
              <Trans>Discard</Trans>
            </Button>
          ) : null}
        </div>
        <ConfirmForm form={form} title={t`Put these words in force?`} confirm={() => t`Put in force`}>
          {() => <Trans>Every such mail from now on has them, in the name of the sale.</Trans>}
        </ConfirmForm>
      </form>
      <Preview mail={mail} words={form.values} />
      {putsBack ? (
        <PutBack mail={form.base} onDone={form.startOver} onClose={() => setPutsBack(false)} />
      ) : null}
    </div>
  )
}

function PutBack({
  mail: { kind, language, version },
  onDone,
  onClose,
}: {
  mail: MailText
  onDone: (published: MailText) => void
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <ConfirmChange
      title={t`Back to the product's text?`}
      confirm={t`Put it back`}
      run={() =>
        call(mailRoutes.publish, { params: { kind, language }, body: { basedOn: version, words: null } })
      }
      touches={touched.mailTemplates}
      done={(published) => {
        onDone(published)
        toast.success(t`The product's text is in force again.`)
      }}
      onClose={onClose}
    >
      <Trans>Your words stay among the versions below.</Trans>
    </ConfirmChange>
  )
}

function WhatStays({ mail: { variables, required, musts } }: { mail: MailText }) {
  const list = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ')
  return (
    <div className="measure text-sm text-soft">
      <p>
        <Trans>
          Variables: <span className="figures">{list(variables)}</span>
        </Trans>
      </p>
      {required.length > 0 ? (
        <p>
          <Trans>
            These have to stay: <span className="figures">{list(required)}</span>
          </Trans>
        </p>
      ) : null}
      {musts.length > 0 ? (
        <>
          <p className="mt-2">
            <span className="figures">{list(['must'])}</span>{' '}
            <Trans>stands for what every reader has to be told:</Trans>
          </p>
          <ul className="mt-1 list-disc pl-5">
            {musts.map((must) => (
              <li key={must}>{must}</li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

function Preview({ mail: { kind, language }, words }: { mail: MailText; words: MailWords }) {
  const { t } = useLingui()
  const settled = useDebounced(words, 400)
  const query = useQuery({
    queryKey: ['mail preview', kind, language, settled.subject, settled.body],
    queryFn: () => call(mailRoutes.preview, { params: { kind, language }, body: settled }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <section aria-label={t`Preview`} className="min-w-0">
      <h3 className="text-sm text-soft">
        <Trans>Preview, with an invented reader</Trans>
      </h3>
      {query.error ? (
        <p className="mt-2 text-sm text-danger">{errorText(query.error)}</p>
      ) : query.data ? (
        <>
          <p className="mt-2 font-semibold wrap-anywhere">{query.data.subject}</p>
          <iframe
            title={t`Preview`}
            // The sandbox disables scripts, forms and links.
            sandbox=""
            srcDoc={query.data.html}
            className="mt-2 h-112 w-full border border-line bg-white scheme-light"
          />
        </>
      ) : null}
    </section>
  )
}

function Versions({ mail: { versions } }: { mail: MailText }) {
  const { t } = useLingui()
  if (versions.length === 0) return null
  return (
    <Band title={t`Versions`} className="mt-8">
      <ul>
        {versions.map(({ version, words, publishedAt, operator }, index) => (
          <li key={version} className="border-b border-line py-3">
            <details>
              <summary className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <strong>
                  <Trans>Version {version}</Trans>
                </strong>
                {index === 0 ? <Badge tone="success">{t`in force`}</Badge> : null}
                <span className="text-sm text-soft">
                  <DateTime value={publishedAt} />
                  {operator ? ` · ${operator}` : null}
                </span>
              </summary>
              {words ? (
                <>
                  <p className="pt-3 font-semibold">{words.subject}</p>
                  <p className="measure pt-2 whitespace-pre-line wrap-anywhere">{words.body}</p>
                </>
              ) : (
                <p className="pt-3 text-soft">
                  <Trans>The product's own text.</Trans>
                </p>
              )}
            </details>
          </li>
        ))}
      </ul>
    </Band>
  )
}
