import { Trans, useLingui } from '@lingui/react/macro'
import { localPath } from '../../shared/languages.ts'
import { evmNetworks, networkName } from '../../shared/networks.ts'
import { usePage } from './frame.tsx'
import { WhatNoProofShows } from './SaleSummary.tsx'

/** Downloads the journal, recomputes every figure and compares. */
export function VerifyPage() {
  const { locale, publicUrl } = usePage()
  const words = useWords()
  return (
    <div className="wrap py-12 lg:py-20">
      <div className="max-w-3xl">
        <h1 className="display text-title">
          <Trans>Verify</Trans>
        </h1>
        <p className="mt-4 text-lg text-soft">
          <Trans>
            Press the button. Your browser downloads the signed log, computes every figure from it, and
            compares each with what this site shows.
          </Trans>
        </p>
        <div data-island="verify" data-words={JSON.stringify(words)} className="mt-8">
          <button type="button" data-start className="press press-hot min-w-40">
            <Trans>Verify now</Trans>
          </button>
          <progress data-progress hidden aria-label={words.progress} className="mt-5 block h-4 w-full" />
          <p data-state role="status" className="mt-3 min-h-6 text-soft" />
          <div data-result className="mt-4" />
        </div>
        <noscript>
          <p className="mt-4">
            <Trans>Without scripts a browser can't do this. The command below can.</Trans>
          </p>
        </noscript>
        <section className="mt-12 border-t-2 border-ink pt-6">
          <h2 className="display text-4xl">
            <Trans>Without trusting this page</Trans>
          </h2>
          <p className="mt-3 text-soft">
            <Trans>
              This page, too, comes from the site that it checks. The same program runs on a machine of your
              own, from a copy of the source code that you trust:
            </Trans>
          </p>
          <pre className="figures mt-3 whitespace-pre-wrap wrap-anywhere text-sm" dir="ltr">
            <code>npm run verify -- {publicUrl}</code>
          </pre>
          <p className="mt-5 text-soft">
            <Trans>
              It can't know whether a payment came: that is on the chains. At your first look it can't know
              whether the log was another one before. For the next look this browser keeps the log's key, its
              signed size and root, and hashes.
            </Trans>
          </p>
          <p className="mt-5">
            <a href={localPath(locale, '/transparency')} className="under">
              <Trans>Where every figure comes from</Trans>
            </a>
          </p>
        </section>
        <WhatNoProofShows />
      </div>
    </div>
  )
}

function useWords() {
  const { t } = useLingui()
  return {
    // The chain names come first, because a text below may have the same key.
    ...Object.fromEntries(evmNetworks.map((network) => [network, networkName(network)])),
    progress: t`Entries checked`,
    begin: t`Reading the figures and the newest checkpoint…`,
    reading: t`${'{done}'} of ${'{size}'} entries checked`,
    agree: t`All figures agree`,
    differ: t`This does not agree`,
    unchecked: t`It could not be checked: ${'{message}'}`,
    found: t`${'{count}'} figures follow from ${'{size}'} signed entries.`,
    first: t`This was the first look from this browser; the next one compares with it.`,
    before: t`No change since the look of ${'{at}'}.`,
    fault: t`The log: ${'{message}'}`,
    wrong: t`Entry ${'{index}'} (${'{row}'}): ${'{message}'}`,
    more: t`And ${'{count}'} entries more.`,
    orders: t`The rows of approved orders, ${'{count}'} of them, are one by one what the journal says.`,
    noOrders: t`The rows of approved orders were not compared: there are none, or too many for this browser.`,
    order: t`Order ${'{order}'}. Shown: ${'{shown}'}. By the journal: ${'{journal}'}.`,
    moreOrders: t`Orders beside these that differ: ${'{count}'}.`,
    owed: t`${'{total}'} tokens were sold, given and granted. In delivery rounds and escrows: ${'{parts}'}. The seller still owes the other ${'{rest}'}.`,
    round: t`round ${'{which}'}`,
    escrow: t`escrow on ${'{which}'}`,
    since: t`since entry ${'{index}'} (${'{row}'})`,
    by: t`by ${'{difference}'}`,
    never: t`it never was that in the journal`,
    nothing: t`nothing`,
    figure: t`Figure`,
    shown: t`Shown`,
    journal: t`By the journal`,
    verdict: t`Found`,
    same: t`the same`,
    other: t`different`,
    wrongHead: t`Differences`,
    group: t`${'{group}'}: ${'{count}'} figures agree`,
    sale: t`The sale`,
    stages: t`Stages`,
    days: t`Days`,
    settings: t`Settings`,
    texts: t`Addresses and texts`,
    key: t`Key`,
    root: t`Root`,
  }
}
