import type { ReactNode } from 'react'

/** Placeholders that an island fills. */
export const slot = {
  level: '{level}',
  bonus: '{bonus}',
  amount: '{amount}',
  count: '{count}',
  total: '{total}',
  base: '{base}',
}

export function Claim({
  id,
  title,
  lead,
  children,
}: {
  id?: string
  title: ReactNode
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <article
      id={id}
      className="flex min-w-0 flex-col border-b py-10 lg:px-10 lg:py-12 lg:odd:border-e lg:odd:ps-0 lg:even:pe-0"
    >
      <h3 className="display text-4xl">{title}</h3>
      <p className="mt-2 max-w-lg text-soft">{lead}</p>
      <div className="mt-6 flex flex-1 flex-col">{children}</div>
    </article>
  )
}
