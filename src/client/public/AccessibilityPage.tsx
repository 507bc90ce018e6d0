import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useCampaign } from './frame.tsx'

export function AccessibilityPage() {
  const { seller } = useCampaign().settings
  const contact = seller.contact ? <bdi>{seller.contact}</bdi> : null
  return (
    <div className="wrap max-w-3xl py-12 lg:py-20">
      <h1 className="display text-title">
        <Trans>Accessibility</Trans>
      </h1>
      <p className="mt-4 text-lg text-soft">
        <Trans>
          The aim is level AA of WCAG 2.2. No outside expert has certified it, so this page lists the tests
          and their limits.
        </Trans>
      </p>
      <Part title={<Trans>Tested by machine before each version</Trans>}>
        <li>
          <Trans>
            Every page, in light and dark, against the rules of axe for levels A and AA. Such rules find a
            part of all faults, not all.
          </Trans>
        </li>
        <li>
          <Trans>
            A whole purchase by keyboard alone, with the focus always in sight and inside an open dialog.
          </Trans>
        </li>
        <li>
          <Trans>No page has to be scrolled sideways in a window of 320 pixels.</Trans>
        </li>
        <li>
          <Trans>In a wide window the parts of a page do not move by themselves.</Trans>
        </li>
        <li>
          <Trans>
            Log in and register work without a script; nothing is animated where the system asks for rest.
          </Trans>
        </li>
      </Part>
      <Part title={<Trans>Not tested</Trans>}>
        <li>
          <Trans>No screen reader, no magnifier and no voice control has been used on these pages.</Trans>
        </li>
        <li>
          <Trans>People who depend on such aids have not been asked to try them.</Trans>
        </li>
        <li>
          <Trans>
            Documents, pictures and announcements that the operator publishes, and other sites that are
            linked, are as their authors made them.
          </Trans>
        </li>
      </Part>
      <FallsShort />
      <h2 className="mt-10 text-xl font-semibold">
        <Trans>Something does not work for you?</Trans>
      </h2>
      <p className="mt-2">
        {contact ? <Trans>Write to {contact}.</Trans> : <Trans>The seller has named no address yet.</Trans>}
      </p>
    </div>
  )
}

function FallsShort() {
  return (
    <Part title={<Trans>Known to fall short</Trans>}>
      <li>
        <Trans>
          A rate is locked for some minutes, and an order waits for its payment for a limited time. Neither
          can be made longer.
        </Trans>
      </li>
      <li>
        <Trans>
          Where a mouse points, some buttons are 32 pixels high: allowed by level AA, but small. Under a
          finger they are 44.
        </Trans>
      </li>
      <li>
        <Trans>On phones parts of some pages still move a little while they load for the first time.</Trans>
      </li>
    </Part>
  )
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className="mt-10 text-xl font-semibold">{title}</h2>
      <ul className="mt-3 flex list-disc flex-col gap-2 ps-5">{children}</ul>
    </section>
  )
}
