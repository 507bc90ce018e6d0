import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { contentRoutes } from '../../../shared/api/content.ts'
import { useTitle } from '../../area/document-title.ts'
import { LocalText } from '../../area/LocalText.tsx'
import { PageHead } from '../../area/Page.tsx'
import { read } from '../../area/reading.ts'
import { Ito } from '../../ito/Ito.tsx'
import { buttonLook } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime } from '../../ui/numbers.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/Spinner.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'

/** Files that the operator published, each with its fingerprint. */
export function Documents() {
  const { t, i18n } = useLingui()
  useTitle()
  const documents = useQuery({
    ...read(contentRoutes.documents),
  })
  const size = (bytes: number) =>
    bytes < 1_000_000
      ? new Intl.NumberFormat(i18n.locale, {
          style: 'unit',
          unit: 'kilobyte',
          maximumFractionDigits: 0,
        }).format(Math.ceil(bytes / 1000))
      : new Intl.NumberFormat(i18n.locale, {
          style: 'unit',
          unit: 'megabyte',
          maximumFractionDigits: 1,
        }).format(bytes / 1_000_000)
  return (
    <>
      <PageHead
        title={<Trans>Documents</Trans>}
        lead={<Trans>The SHA-256 lets anyone check that a file is the one published here.</Trans>}
      />
      {documents.data ? (
        documents.data.items.length === 0 ? (
          <EmptyState picture={<Ito pose="search" decorative />} title={<Trans>No documents yet</Trans>}>
            <Trans>The operator has not published any.</Trans>
          </EmptyState>
        ) : (
          <ul className="border-t border-line">
            {documents.data.items.map((document) => (
              <li
                key={document.id}
                className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-line py-5"
              >
                <div className="min-w-0 flex-1 basis-72">
                  <h2 className="font-semibold">
                    <LocalText text={document.title} />
                  </h2>
                  <p className="text-sm text-soft">
                    {size(document.sizeBytes)}
                    {' · '}
                    <DateTime value={document.publishedAt} part="date" />
                  </p>
                  <div className="mt-1 flex items-center gap-1 text-xs text-soft">
                    <span className="figures min-w-0 break-all">SHA-256 {document.sha256}</span>
                    <CopyButton text={document.sha256} what={t`Copy the SHA-256`} className="shrink-0" />
                  </div>
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
            ))}
          </ul>
        )
      ) : documents.isError ? (
        <ErrorState
          title={<Trans>Failed to load data</Trans>}
          onRetry={() => void documents.refetch()}
          retrying={documents.isFetching}
        />
      ) : (
        <SkeletonGroup>
          <Skeleton className="mb-3 h-20" />
          <Skeleton className="h-20" />
        </SkeletonGroup>
      )}
    </>
  )
}
