import { Trans, useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'

/** The question is at the end of the page, so that it covers nothing. */
export function CountingQuestion({ children, ...rest }: ComponentProps<'section'>) {
  const { t } = useLingui()
  return (
    <section
      {...rest}
      aria-label={t`Analytics`}
      className="sticky bottom-3 z-50 mx-3 mb-3 max-w-xl rounded-lg border border-line-strong bg-raised p-4 lifted sm:ml-auto"
    >
      <p className="text-sm">
        <Trans>
          May we count this visit? Until you agree, nothing that counts is loaded. The answer is kept in one
          cookie.
        </Trans>
      </p>
      <div className="mt-3 flex gap-3">{children}</div>
    </section>
  )
}
