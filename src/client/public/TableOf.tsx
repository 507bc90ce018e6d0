import type { ReactNode } from 'react'

/** A titled table that scrolls within itself where the screen is narrow. */
export function TableOf({
  id,
  title,
  lead,
  head,
  empty,
  rows,
}: {
  id: string
  title: ReactNode
  lead?: ReactNode
  head: ReactNode[]
  empty: ReactNode
  rows: { key: string; cells: ReactNode[] }[]
}) {
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
          <table className={`w-full text-left ${head.length > 3 ? 'min-w-xl' : ''}`}>
            <thead className="text-sm text-soft">
              <tr className="[&>th]:pr-6 [&>th]:pb-2 [&>th]:font-normal">
                {head.map((cell, index) => (
                  <th key={`${id}-${index}`} scope="col">
                    {cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key} className="border-t align-top [&>td]:py-3 [&>td]:pr-6">
                  {row.cells.map((cell, index) => (
                    <td key={`${row.key}-${index}`} className="max-w-md break-words">
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
