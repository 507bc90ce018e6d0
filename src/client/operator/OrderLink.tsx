import { Link } from 'react-router'
import { paths } from './paths.ts'

/** The number of an order, leading to the order's page; a dash where there is none. `strong` where the row is that order. */
export function OrderLink({ id, strong = false }: { id: number | null | undefined; strong?: boolean }) {
  return id ? (
    <Link
      className={`figures underline ${strong ? 'font-semibold underline-offset-2' : ''}`}
      to={paths.order(id)}
    >
      {id}
    </Link>
  ) : (
    '—'
  )
}
