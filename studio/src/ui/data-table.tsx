/** A table of rows: a page lists its columns, each with its head and the cell of a row. */
import { type Key, type ReactNode, useLayoutEffect, useRef } from 'react'
import './data-table.css'

export type Column<Row> = {
  head: string
  /** Read by screen readers alone, above buttons. */
  isHeadHidden?: boolean
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

type Props<Row> = {
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  /** null: a column that this list does not have. */
  columns: (Column<Row> | null)[]
}

export function DataTable<Row>({ label, rows, keyOf, columns }: Props<Row>) {
  const shown = columns.filter((column) => column !== null)
  return (
    <TableFrame label={label}>
      <thead>
        <tr>
          {shown.map(({ head, isHeadHidden, isNumber }) => (
            <th key={head} scope="col" className={isNumber ? 'number' : undefined}>
              {isHeadHidden ? <span className="hidden-text">{head}</span> : head}
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
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { isNumber, isRowHead, className, lang, title, cell, below } = column
  const ownClass = typeof className === 'function' ? className(row) : className
  const attributes = {
    className: [isNumber && 'number', ownClass].filter(Boolean).join(' ') || undefined,
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
 * A table that scrolls inside its own frame when it is wider than the page. The frame is a tab stop only while it scrolls, so
 * that keyboard users need no extra Tab for a table that fits.
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
