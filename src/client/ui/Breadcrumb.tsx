import { useLingui } from '@lingui/react/macro'
import { Fragment, type ReactNode } from 'react'

export function Breadcrumb({ trail }: { trail: readonly { key: string; node: ReactNode }[] }) {
  const { t } = useLingui()
  return (
    <nav aria-label={t`Breadcrumb`} className="min-w-0">
      <ol className="flex items-center gap-2 overflow-hidden text-sm text-soft">
        {trail.map((step, index) => (
          <Fragment key={step.key}>
            {index > 0 ? (
              <li aria-hidden="true" className="text-line-strong max-sm:hidden">
                /
              </li>
            ) : null}
            <li
              aria-current={index === trail.length - 1 ? 'page' : undefined}
              className="truncate last:text-ink max-sm:not-last:hidden [&_a]:hover:underline"
            >
              {step.node}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}
