/** A table of rows: a page lists its columns, each with its head and the cell of a row. */
import { type Key, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import './data-table.css'
import { type InfiniteRows, InfiniteRowsProvider, useInfiniteRows, useLines } from './infinite-lines.ts'
import { TableFrame } from './table-frame.tsx'

export type Column<Row> = {
  head: string
  /** The buttons of a row, at the right: screen readers alone read their head. */
  isAction?: boolean
  isNumber?: boolean
  /** The cell names its row. */
  isRowHead?: boolean
  className?: string | undefined | ((row: Row) => string | undefined)
  lang?: string
  title?: (row: Row) => string | undefined
  cell: (row: Row) => ReactNode
  /** The small print below it. */
  below?: (row: Row) => ReactNode
}

type KeyOf<Row> = (row: Row) => Key

/** `keyOf` may be left out where rows have ids. */
type Props<Row> = {
  /** The class of the element around it. */
  className?: string | undefined
  label: string
  rows: readonly Row[]
  /** null: a column that this list does not have. */
  columns: (Column<Row> | null)[]
} & (Row extends { id: string } ? { keyOf?: KeyOf<Row> } : { keyOf: KeyOf<Row> })

export function DataTable<Row>({ className, label, rows, keyOf = idOf, columns }: Props<Row>) {
  const shown = columns.filter((column) => column !== null)
  const infinite = useInfiniteRows()
  const cellsOf = (row: Row) => shown.map((column) => <Cell key={column.head} column={column} row={row} />)
  const table = (
    <TableFrame label={label} rowCount={infinite ? (infinite.total ?? -2) + 1 : undefined}>
      <thead>
        <tr aria-rowindex={infinite ? 1 : undefined}>
          {shown.map(({ head, isAction, isNumber }) => (
            <th key={head} scope="col" className={isNumber || isAction ? 'number' : undefined}>
              {isAction ? <span className="hidden-text">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      {infinite ? (
        // What a row opens may have a table of its own.
        <InfiniteRowsProvider value={null}>
          <InfiniteBody {...{ infinite, rows, keyOf, cellsOf }} columnCount={shown.length} />
        </InfiniteRowsProvider>
      ) : (
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>{cellsOf(row)}</tr>
          ))}
        </tbody>
      )}
    </TableFrame>
  )
  // A grid shrinks the frame itself, and not an element around it.
  return className ? <div className={className}>{table}</div> : table
}

type BodyProps<Row> = {
  infinite: InfiniteRows
  rows: readonly Row[]
  keyOf: KeyOf<Row>
  cellsOf: (row: Row) => ReactNode
  columnCount: number
}

/** A row of one line. */
const ROW_HEIGHT = 41

/** The rows in view of a list that is read page by page. */
function InfiniteBody<Row>({ infinite, rows, keyOf, cellsOf, columnCount }: BodyProps<Row>) {
  const { shapes, before, outline, onInView } = infinite
  const element = useRef<HTMLTableSectionElement>(null)
  const linesAt = () => ({ count: shapes.length, heightOf: () => ROW_HEIGHT })
  const { lines, rest, isWhole, measure } = useLines({ element, outline, linesAt })
  const [first, last] = [lines[0]?.index ?? 0, lines.at(-1)?.index ?? 0]
  useEffect(() => onInView(first, last), [first, last, onInView])
  // Other rows have columns of other widths: each column stays as wide as it was.
  useLayoutEffect(() => {
    for (const head of element.current?.parentElement?.querySelectorAll('th[scope="col"]') ?? [])
      if (head instanceof HTMLElement) head.style.width = isWhole ? '' : `${head.getBoundingClientRect().width}px`
  })
  const space = (height: number, key: string) =>
    height > 0 ? (
      <tr key={key} inert>
        <td colSpan={columnCount} className="table-space" style={{ height }} />
      </tr>
    ) : null
  return (
    <tbody ref={element} className="lines">
      {lines.map(({ index, skipped, height }) => {
        const row = rows[index - before]
        return [
          space(skipped, `before ${index}`),
          <tr key={row ? keyOf(row) : `at ${index}`} ref={measure} data-index={index} aria-rowindex={index + 2}>
            {row ? cellsOf(row) : <td colSpan={columnCount} style={{ height }} />}
          </tr>,
        ]
      })}
      {space(rest, 'rest')}
    </tbody>
  )
}

const idOf = (row: unknown): Key => (row as { id: string }).id

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { isNumber, isAction, isRowHead, className, lang, title, cell, below } = column
  const ownClass = typeof className === 'function' ? className(row) : className
  const attributes = {
    className: [(isNumber || isAction) && 'number', ownClass].filter(Boolean).join(' ') || undefined,
    lang,
    title: title?.(row),
  }
  const small = below?.(row)
  const content = (
    <>
      {cell(row)}
      {small ? <span className="secondary">{small}</span> : null}
    </>
  )
  return isRowHead ? (
    <th scope="row" {...attributes}>
      {content}
    </th>
  ) : (
    <td {...attributes}>{content}</td>
  )
}
