import { Link } from 'react-router'
import { paths } from './paths.ts'

/** The number of an order, leading to the order's page; a dash where there is none. */
export function OrderLink({ id }: { id: number | null | undefined }) {
  return id ? (
    <Link className="figures underline" to={paths.order(id)}>
      {id}
    </Link>
  ) : (
    '—'
  )
}
