/**
 * The cards of a list that is read page by page, of which those in view are mounted. CSS decides the layout: a grid has
 * its columns; in a wrapping flex box each line fills the width with cards of one height, about `--row`, each in its
 * own aspect ratio. The ratios are known before any image loads, so the layout does not shift.
 */
import { type CSSProperties, type Key, type ReactNode, useEffect, useRef } from 'react'
import { type InfiniteRows, InfiniteRowsProvider, useInfiniteRows, useLines } from './infinite-lines.ts'
import type { Place } from './infinite-pages.ts'

type Props<Row> = {
  label: string
  className?: string | undefined
  cardClass?: string | undefined
  isDense?: boolean
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  /** Stands for a card whose page is read again. */
  placeholder?: ReactNode
  children: (row: Row) => ReactNode
}

export function InfiniteCards<Row>(props: Props<Row>) {
  const infinite = useInfiniteRows()
  if (!infinite) return null
  return (
    <InfiniteRowsProvider value={null}>
      <Cards {...props} infinite={infinite} />
    </InfiniteRowsProvider>
  )
}

function Cards<Row>(props: Props<Row> & { infinite: InfiniteRows }) {
  const { label, className = '', cardClass, isDense, rows, keyOf, placeholder, children, infinite } = props
  const { shapes, before, outline, total, onInView } = infinite
  const element = useRef<HTMLUListElement>(null)
  const layout = useRef<Layout>({ shapes: [], place: undefined, lines: [] })
  const linesAt = (place: Place) => {
    // As long as neither changes: a list may have thousands of cards.
    if (layout.current.shapes !== shapes || layout.current.place !== place)
      layout.current = { shapes, place, lines: place.columns > 0 ? gridLines(shapes, place) : flexLines(shapes, place) }
    const { lines } = layout.current
    return { count: lines.length, heightOf: (line: number) => lines[line]?.height ?? 0 }
  }
  const { lines, rest, measure } = useLines({ element, outline, linesAt })
  const all = layout.current.lines
  const first = all[lines[0]?.index ?? 0]?.first ?? 0
  const lastLine = all[lines.at(-1)?.index ?? 0]
  const last = lastLine ? lastLine.first + lastLine.count - 1 : 0
  useEffect(() => onInView(first, last), [first, last, onInView])
  const cards = lines.flatMap(({ index, skipped, height }) => {
    const line = all[index]
    const indexes = Array.from({ length: line?.count ?? 0 }, (_, at) => (line?.first ?? 0) + at)
    return indexes.map((at, position) => {
      const row = rows[at - before]
      const style: CSSProperties & Record<'--ratio', number | undefined> = {
        '--ratio': shapes[at],
        alignSelf: 'stretch',
        marginTop: skipped || undefined,
        minHeight: row ? undefined : height,
        ...line?.styleOf?.(shapes[at] ?? 1, position),
      }
      return (
        <li
          key={row ? keyOf(row) : at}
          ref={position === 0 ? measure : undefined}
          data-index={index}
          aria-setsize={total ?? -1}
          aria-posinset={at + 1}
          className={cardClass}
          style={style}
        >
          {row ? children(row) : placeholder}
        </li>
      )
    })
  })
  return (
    <ul
      ref={element}
      className={`lines ${className}`}
      style={{ paddingBottom: rest }}
      data-dense={isDense || undefined}
      aria-label={label}
    >
      {cards}
    </ul>
  )
}

type CardLine = {
  /** The index of its first card. */
  first: number
  count: number
  /** About, until it is measured. */
  height: number
  styleOf?: (ratio: number, position: number) => CSSProperties
}
type Layout = { shapes: number[]; place: Place | undefined; lines: CardLine[] }

/** The text and the links below a picture. */
const CAPTION_HEIGHT = 80

function gridLines(shapes: number[], { width, columns, gap }: Place): CardLine[] {
  const cardWidth = (width - gap * (columns - 1)) / columns
  return Array.from({ length: Math.ceil(shapes.length / columns) }, (_, at) => {
    const first = at * columns
    const ratios = shapes.slice(first, first + columns)
    return { first, count: ratios.length, height: cardWidth / Math.min(...ratios) + CAPTION_HEIGHT }
  })
}

/** The lines as the browser breaks them where each card is as high as `row`, and then grows. */
function flexLines(shapes: number[], { width, gap, row }: Place): CardLine[] {
  const lines: CardLine[] = []
  if (width === 0) return lines
  for (let first = 0; first < shapes.length; ) {
    let [count, ratios, taken] = [0, 0, -gap]
    for (const ratio of shapes.slice(first, first + Math.ceil(width / gap))) {
      taken += gap + Math.min(width, ratio * row)
      if (count > 0 && taken > width) break
      ratios += ratio
      count += 1
    }
    // The last line has free space; a tall film alone in its line has, too.
    const isLast = first + count === shapes.length
    const height = Math.min(isLast ? row : row * 1.5, (width - gap * (count - 1)) / ratios)
    const free = width - gap * (count - 1) - height * ratios
    const styleOf = (ratio: number, position: number): CSSProperties => ({
      flex: 'none',
      maxWidth: 'none',
      // A hundredth less, so that rounding moves no card to the next line; the margin keeps out a card of that line.
      width: Math.floor(ratio * height * 100) / 100,
      marginInlineEnd: position === count - 1 && !isLast ? Math.max(0, Math.floor(free)) : undefined,
    })
    lines.push({ first, count, height: height + CAPTION_HEIGHT, styleOf })
    first += count
  }
  return lines
}
