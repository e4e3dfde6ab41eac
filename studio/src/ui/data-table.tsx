/** A table of rows: a page lists its columns, each with its head and the cell of a row. */
import { type Key, type ReactNode, useLayoutEffect, useRef } from 'react'
import './data-table.css'

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
  const table = (
    <TableFrame label={label}>
      <thead>
        <tr>
          {shown.map(({ head, isAction, isNumber }) => (
            <th key={head} scope="col" className={isNumber || isAction ? 'number' : undefined}>
              {isAction ? <span className="hidden-text">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {shown.map((column) => (
              <Cell key={column.head} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
  // A grid shrinks the frame itself, and not an element around it.
  return className ? <div className={className}>{table}</div> : table
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

/**
 * A table that scrolls inside its own frame when it is wider than the page. The frame is a tab stop only while it
 * scrolls, so that keyboard users need no extra Tab for a table that fits.
 */
export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
      else element.removeAttribute('tabindex')
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <section className="table-frame" ref={frame} aria-label={label}>
      <table>{children}</table>
    </section>
  )
}
