import type { ReactNode } from 'react'

/** On narrow screens it scrolls or, if `stacked`, shows labelled blocks. */
export function TableOf({
  id,
  title,
  lead,
  head,
  empty,
  rows,
  stacked = false,
}: {
  id: string
  title: ReactNode
  lead?: ReactNode
  head: ReactNode[]
  empty: ReactNode
  rows: { key: string; cells: ReactNode[] }[]
  stacked?: boolean
}) {
  // Some screen readers ignore a table with block layout, so its roles are explicit.
  const role = (name: string) => (stacked ? { role: name } : {})
  const minimum = stacked ? 'max-sm:block' : head.length > 3 ? 'min-w-xl' : ''
  return (
    <section className="mt-16">
      <h2 id={id} className="display text-4xl">
        {title}
      </h2>
      {lead ? <div className="mt-3 max-w-3xl">{lead}</div> : null}
      {rows.length === 0 ? (
        <p className="mt-4 text-soft">{empty}</p>
      ) : (
        <div className="mt-4 overflow-x-auto" role="region" aria-labelledby={id} tabIndex={0}>
          <table className={`w-full text-start ${minimum}`} {...role('table')}>
            <thead className={`text-sm text-soft ${stacked ? 'max-sm:sr-only' : ''}`} {...role('rowgroup')}>
              <tr {...role('row')} className="[&>th]:pe-6 [&>th]:pb-2 [&>th]:font-normal">
                {head.map((cell, index) => (
                  <th key={`${id}-${index}`} scope="col" {...role('columnheader')}>
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className={stacked ? 'max-sm:block' : ''} {...role('rowgroup')}>
              {rows.map((row) => (
                <tr
                  key={row.key}
                  className={`border-t align-top ${stacked ? 'max-sm:block max-sm:py-3 [&>td]:pe-6 sm:[&>td]:py-3' : '[&>td]:py-3 [&>td]:pe-6'}`}
                  {...role('row')}
                >
                  {row.cells.map((cell, index) => (
                    <td
                      key={`${row.key}-${index}`}
                      className={`max-w-md break-words ${stacked ? 'max-sm:block max-sm:py-1 max-sm:empty:hidden' : ''}`}
                      {...role('cell')}
                    >
                      {stacked && cell ? (
                        <span className="block text-sm text-soft sm:hidden" aria-hidden="true">
                          {head[index]}
                        </span>
                      ) : null}
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
