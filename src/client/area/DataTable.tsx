import type { Key, ReactNode } from 'react'
import { EmptyRow, type SortDirection, Table, TBody, Td, THead, Th, Tr } from '../ui/Table.tsx'
import { useRowKeys } from './keyboard.ts'

export interface Column<Row, Sort extends string = string> {
  label: string
  /** Replaces the label in the column's heading. */
  head?: ReactNode
  cell: (row: Row) => ReactNode
  numeric?: boolean
  sort?: Sort
  className?: string
  headClassName?: string
  /** No label on a phone. */
  unlabelled?: boolean
  /** The column of buttons: at the right edge, without a label on a phone. */
  actions?: boolean
}

export interface Sorting<Sort extends string> {
  by: Sort | undefined
  direction: SortDirection
  onSort: (by: Sort) => void
}

/** Below 640 px its rows become labelled blocks, unless `scrolls`. */
export function DataTable<Row, Sort extends string = string>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  sorting,
  rowClassName,
  className,
  scrolls = false,
}: {
  caption: string
  columns: readonly (Column<Row, Sort> | null)[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => Key
  empty?: ReactNode
  sorting?: Sorting<Sort>
  rowClassName?: (row: Row) => string | undefined
  className?: string
  scrolls?: boolean
}) {
  const rowKeys = useRowKeys()
  const shown = columns.filter((column) => column !== null)
  return (
    <Table caption={caption} stack={!scrolls} className={className}>
      <THead>
        {shown.map((column) => (
          <HeadCell key={column.label} column={column} sorting={sorting} />
        ))}
      </THead>
      <TBody {...rowKeys}>
        {rows.length === 0 && empty !== undefined ? (
          <EmptyRow columns={shown.length}>{empty}</EmptyRow>
        ) : null}
        {rows.map((row, index) => (
          <Tr key={keyOf(row, index)} data-row={keyOf(row, index)} className={rowClassName?.(row)}>
            {shown.map((column) => (
              <Td
                key={column.label}
                label={column.actions || column.unlabelled || scrolls ? undefined : column.label}
                numeric={column.numeric}
                className={column.actions ? 'text-right max-sm:justify-end!' : column.className}
              >
                {column.cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </TBody>
    </Table>
  )
}

function HeadCell<Row, Sort extends string>({
  column,
  sorting,
}: {
  column: Column<Row, Sort>
  sorting: Sorting<Sort> | undefined
}) {
  const { sort } = column
  return (
    <Th
      numeric={column.numeric}
      className={column.actions ? 'text-right' : column.headClassName}
      {...(sort && sorting
        ? { sort: sorting.by === sort ? sorting.direction : null, onSort: () => sorting.onSort(sort) }
        : {})}
    >
      {column.head ?? column.label}
    </Th>
  )
}
