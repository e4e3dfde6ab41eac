/**
 * The lines of a long list that are mounted: those in view and some around them, and the one with the focus. Nodes stay
 * as few however long the list is; one of a few lines is whole.
 */
import { defaultRangeExtractor, useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  createContext,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Extent, Outline, Place } from './infinite-pages.ts'

/** What a list of pages tells the table or the cards in it. */
export type InfiniteRows = Omit<Extent, 'isAtEnd'> & {
  outline: Outline
  /** Of all rows, as far as the API tells. */
  total: number | undefined
  onInView: (first: number, last: number) => void
}

const Rows = createContext<InfiniteRows | null>(null)
export const InfiniteRowsProvider = Rows.Provider
export const useInfiniteRows = (): InfiniteRows | null => useContext(Rows)

/** Up to as many lines are all mounted. */
const LINES_WHOLE = 30
/** Lines beyond each edge of the screen. */
const OVERSCAN = 4

const NOWHERE: Place = { margin: 0, width: 0, columns: 1, gap: 0, rowGap: 0, row: 0 }

type Options = {
  element: RefObject<HTMLElement | null>
  outline: Outline
  linesAt: (place: Place) => { count: number; heightOf: (line: number) => number }
}

type Line = {
  index: number
  /** The height of the lines before it that are not mounted. */
  skipped: number
  /** Its own height, which it keeps while its rows are read again: a correction would end a scroll that is under way. */
  height: number
}

/**
 * @returns the mounted lines, which have their index as `data-index` and `measure` as ref; `rest`: the height of those
 * behind them
 */
export function useLines({ element, outline, linesAt }: Options) {
  const [place, setPlace] = useState(outline.place ?? NOWHERE)
  const { count, heightOf } = linesAt(place)
  const isWhole = count <= LINES_WHOLE
  const dialogOf = () => element.current?.closest<HTMLElement>('dialog') ?? null
  const [isInDialog, setInDialog] = useState(false)
  /** The browser scrolls on by itself, as after Home: a correction would have it end beside its goal. */
  const flight = useRef({ offset: 0, isFast: false })
  const options = {
    onChange: ({
      scrollOffset,
      scrollRect,
    }: {
      scrollOffset: number | null
      scrollRect: { height: number } | null
    }) => {
      const offset = scrollOffset ?? 0
      flight.current = { offset, isFast: Math.abs(offset - flight.current.offset) > (scrollRect?.height ?? 0) }
    },
    count,
    gap: place.rowGap,
    overscan: isWhole ? LINES_WHOLE : OVERSCAN,
    estimateSize: heightOf,
    scrollMargin: place.margin,
    initialMeasurementsCache: outline.measured ?? [],
    rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
      const lines = defaultRangeExtractor(range)
      const focused = document.activeElement?.closest<HTMLElement>('[data-index]')
      const index = Number(focused?.dataset.index)
      if (!focused || !element.current?.contains(focused) || lines.includes(index) || index >= count) return lines
      return [...lines, index].sort((a, b) => a - b)
    },
  }
  const ofWindow = useWindowVirtualizer<HTMLElement>({ ...options, enabled: !isInDialog })
  const ofDialog = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    enabled: isInDialog,
    getScrollElement: dialogOf,
  })
  const virtualizer = isInDialog ? ofDialog : ofWindow
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }: { start: number }) =>
    !flight.current.isFast && start < (virtualizer.scrollOffset ?? 0)

  const update = useEffectEvent(() => {
    if (!element.current) return
    const dialog = dialogOf()
    setInDialog(dialog !== null)
    const next = placeOf(element.current, dialog)
    setPlace((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next))
  })
  useLayoutEffect(() => update())
  useEffect(() => {
    const observer = new ResizeObserver(() => update())
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  useEffect(() => {
    outline.place = place
  }, [outline, place])
  useEffect(
    () => () => {
      outline.measured = virtualizer.takeSnapshot()
    },
    [outline, virtualizer],
  )

  let end = place.margin
  const lines: Line[] = virtualizer.getVirtualItems().map(({ index, start, end: next, size }, at) => {
    const skipped = Math.max(0, start - end - (at > 0 ? place.rowGap : 0))
    end = next
    return { index, skipped, height: size }
  })
  const rest = Math.max(0, virtualizer.getTotalSize() - (end - place.margin))
  return { lines, rest, isWhole, measure: virtualizer.measureElement }
}

function placeOf(element: HTMLElement, dialog: HTMLElement | null): Place {
  const { top, width } = element.getBoundingClientRect()
  const style = getComputedStyle(element)
  const px = (text: string) => Number.parseFloat(text) || 0
  return {
    margin: Math.round(dialog ? top - dialog.getBoundingClientRect().top + dialog.scrollTop : top + window.scrollY),
    width,
    columns: style.display === 'grid' ? style.gridTemplateColumns.split(' ').length : 0,
    gap: px(style.columnGap),
    rowGap: px(style.rowGap),
    row: px(style.getPropertyValue('--row')),
  }
}
