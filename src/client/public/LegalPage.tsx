import { Trans, useLingui } from '@lingui/react/macro'
import type { LegalKind, LegalText } from '../../shared/api/content.ts'
import { pickText } from '../../shared/languages.ts'
import { Ito } from '../ito/Ito.tsx'
import { longDate } from './figures.ts'
import { usePage, usePath } from './frame.tsx'
import { HowLong } from './HowLong.tsx'
import { PlainText } from './PlainText.tsx'

export function LegalPage({ legal }: { legal: LegalText }) {
  const { t } = useLingui()
  const { locale } = usePage()
  const path = usePath()
  const titles = { privacy: t`Privacy`, terms: t`Terms`, risks: t`Risks` }
  const kinds: LegalKind[] = ['privacy', 'terms', 'risks']
  const { kind, version, publishedAt, latestVersion } = legal
  const picked = pickText(legal.body, locale)
  return (
    <div className="wrap grid gap-10 py-12 lg:grid-cols-[24rem_1fr] lg:gap-16 lg:py-20">
      <div>
        <h1 className="display text-title">{titles[kind]}</h1>
        {publishedAt ? (
          <p className="mt-3 text-sm text-soft">
            <Trans>
              Version {version}, {longDate(publishedAt, locale)}
            </Trans>
          </p>
        ) : null}
        {version < latestVersion ? (
          <p className="mt-3 border-s-4 border-now bg-now-soft px-4 py-3 text-sm">
            <Trans>This version is no longer in force.</Trans>{' '}
            <a href={path(`/${kind}`)} className="underline underline-offset-4">
              <Trans>Read version {latestVersion}</Trans>
            </a>
          </p>
        ) : null}
        <nav aria-label={t`Legal texts`} className="mt-6 flex gap-5 text-sm lg:flex-col lg:gap-2">
          {kinds.map((other) => (
            <a
              key={other}
              href={path(`/${other}`)}
              aria-current={other === kind ? 'page' : undefined}
              className="py-1 hover:underline aria-[current]:font-semibold aria-[current]:underline"
            >
              {titles[other]}
            </a>
          ))}
        </nav>
      </div>
      {picked.text.trim() ? (
        <div lang={picked.lang} className="min-w-0 lg:pt-2">
          <PlainText text={picked.text} />
          {kind === 'privacy' ? <HowLong /> : null}
          {kind === 'privacy' ? <Counting /> : null}
        </div>
      ) : (
        <div className="min-w-0">
          <div className="flex items-center gap-6">
            <div className="h-32">
              <Ito pose="box" decorative />
            </div>
            <p className="max-w-md text-lg">
              <Trans>
                The operator has not published this text yet. Without its terms and risks a sale can't open.
              </Trans>
            </p>
          </div>
          {kind === 'privacy' ? <HowLong /> : null}
        </div>
      )}
    </div>
  )
}

function Counting() {
  const { locale } = usePage()
  return (
    <section
      id="counting"
      lang={locale}
      data-island="counting"
      aria-labelledby="counting-title"
      className="mt-10 border-t pt-6"
    >
      <h2 id="counting-title" className="text-xl font-semibold">
        <Trans>Counting of visits</Trans>
      </h2>
      <p className="mt-2 text-soft" role="status">
        <span data-answer="none">
          <Trans>
            You have not answered in this browser whether your visits may be counted: they are not.
          </Trans>
        </span>
        <span data-answer="yes" hidden>
          <Trans>You agreed in this browser that your visits are counted.</Trans>
        </span>
        <span data-answer="no" hidden>
          <Trans>You said no in this browser: your visits are not counted.</Trans>
        </span>
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <button type="button" className="press" data-give="no">
          <Trans>Do not count my visits</Trans>
        </button>
        <button type="button" className="press" data-give="yes">
          <Trans>Count my visits</Trans>
        </button>
      </div>
    </section>
  )
}
