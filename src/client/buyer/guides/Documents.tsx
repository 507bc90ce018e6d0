import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { contentRoutes } from '../../../shared/api/content.ts'
import type { ReplyOf } from '../../../shared/api/route.ts'
import { Loaded } from '../../area/Loaded.tsx'
import { LocalText } from '../../area/LocalText.tsx'
import { Page } from '../../area/Page.tsx'
import { readItems } from '../../area/reading.ts'
import { Ito } from '../../ito/Ito.tsx'
import { buttonLook } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Skeletons } from '../../ui/Spinner.tsx'
import { EmptyState } from '../../ui/states.tsx'

type Document = ReplyOf<typeof contentRoutes.documents>['items'][number]

export function Documents() {
  return (
    <Page
      title={<Trans>Documents</Trans>}
      lead={<Trans>The SHA-256 lets anyone check that a file is the one published here.</Trans>}
    >
      <Loaded
        query={useQuery(readItems(contentRoutes.documents))}
        skeleton={<Skeletons count={2} className="mb-3 h-20" />}
      >
        {(documents) =>
          documents.length === 0 ? (
            <EmptyState picture={<Ito pose="search" decorative />} title={<Trans>No documents yet</Trans>}>
              <Trans>The operator has not published any.</Trans>
            </EmptyState>
          ) : (
            <ul className="border-t border-line">
              {documents.map((document) => (
                <DocumentItem key={document.id} document={document} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

function DocumentItem({ document }: { document: Document }) {
  const { t, i18n } = useLingui()
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-5">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-semibold">
          <LocalText text={document.title} />
        </h2>
        <p className="text-sm text-soft">
          {sizeText(document.sizeBytes, i18n.locale)}
          {' · '}
          <DateTime value={document.publishedAt} part="date" />
        </p>
        <div className="mt-1 flex items-center gap-1 text-xs text-soft">
          <span className="figures min-w-0 break-all">SHA-256 {document.sha256}</span>
          <CopyButton text={document.sha256} what={t`Copy the SHA-256`} className="shrink-0" />
        </div>
        <Earlier versions={document.earlier} />
      </div>
      <a
        href={document.url}
        download={document.fileName}
        className={buttonLook({ variant: 'secondary', size: 'sm' })}
      >
        <Download aria-hidden="true" className="size-4" />
        <Trans>Download</Trans>
        <span className="sr-only">
          <LocalText text={document.title} />
        </span>
      </a>
    </li>
  )
}

/** Each file keeps its address and hash. */
function Earlier({ versions }: { versions: Document['earlier'] }) {
  if (versions.length === 0) return null
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit text-soft">
        <Trans>Earlier versions: {versions.length}</Trans>
      </summary>
      <ul className="mt-1">
        {versions.map((version) => (
          <li key={version.url} className="py-1">
            <a href={version.url} download={version.fileName} className="underline">
              {version.fileName}
            </a>
            {', '}
            <DateTime value={version.publishedAt} part="date" /> –{' '}
            <DateTime value={version.replacedAt} part="date" />
            <span className="figures block text-xs break-all text-soft">SHA-256 {version.sha256}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Kilobytes, rounded up; from a million bytes on megabytes with one decimal. */
function sizeText(bytes: number, locale: string): string {
  const [unit, decimals, count] =
    bytes < 1_000_000
      ? (['kilobyte', 0, Math.ceil(bytes / 1000)] as const)
      : (['megabyte', 1, bytes / 1_000_000] as const)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: decimals }).format(count)
}
