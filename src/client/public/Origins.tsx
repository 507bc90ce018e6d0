import { Trans } from '@lingui/react/macro'
import { type Figure, otherFigures } from '../../shared/figures.ts'
import type { FigureOrigins, OriginEntry, Transparency } from '../../shared/public-pages.ts'
import { moment } from './figures.ts'
import { Sourced, useCampaign, usePage } from './frame.tsx'

export function Origins({ origins, journal }: Pick<Transparency, 'origins' | 'journal'>) {
  const { locale } = usePage()
  const campaign = useCampaign()
  if (!origins || !journal) return null
  return (
    <section aria-labelledby="figures" className="mt-16">
      <h2 id="figures" className="display text-4xl">
        <Trans>The other figures</Trans>
      </h2>
      <p className="mt-3 max-w-3xl text-soft">
        <Trans>
          Each figure of a public page leads to its name on this page. The figures of stages, settings and
          chains are here, with the formula and the newest entry of the kinds in it. All entries are under the
          checkpoint of {moment(journal.signedAt, locale)}:{' '}
          <Sourced name="journal.size" at="/transparency#journal">
            {journal.size} entries, root {journal.root}
          </Sourced>
          .
        </Trans>
      </p>
      <dl className="mt-6 border-t-2 border-ink">
        {otherFigures(campaign).map((figure) => (
          <div
            key={figure.name}
            id={figure.name}
            className="grid gap-x-10 gap-y-1 border-b py-3 target:bg-sunk lg:grid-cols-[22rem_1fr]"
          >
            <dt className="font-semibold break-all">
              <code>{figure.name}</code>
            </dt>
            <dd className="min-w-0">
              <Formula figure={figure} origins={origins} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** `origins` is null before the journal begins. */
export function Formula({ figure, origins }: { figure: Figure; origins: FigureOrigins | null }) {
  if (figure.formula === null)
    return (
      <p className="text-sm text-soft">
        <Trans>The journal has no entry for it.</Trans>
      </p>
    )
  return (
    <>
      <code className="text-sm break-words">{figure.formula}</code>
      {origins ? <From figure={figure} origins={origins} /> : null}
    </>
  )
}

function From({ figure: { of, name }, origins }: { figure: Figure; origins: FigureOrigins }) {
  if (of === 'chain')
    return (
      <p className="text-sm text-soft">
        <Trans>Read on its chain: the block is named beside the figure.</Trans>
      </p>
    )
  if (of === 'site')
    return (
      <p className="text-sm text-soft">
        <Trans>Counted by this site alone: no entry and no chain says it.</Trans>
      </p>
    )
  if (of !== 'setting') return <Newest entry={origins[of]} />
  return <Newest entry={origins.settings[name.replace(/^settings\./, '')] ?? null} />
}

function Newest({ entry }: { entry: OriginEntry | null }) {
  if (!entry)
    return (
      <p className="text-sm text-soft">
        <Trans>Since entry 0, which opens the journal, nothing has changed it.</Trans>
      </p>
    )
  return (
    <details>
      <summary className="under w-fit text-sm">
        <Trans>Entry {entry.place}</Trans>
      </summary>
      <code className="mt-2 block text-sm wrap-anywhere" dir="ltr">
        {entry.entry}
      </code>
    </details>
  )
}
