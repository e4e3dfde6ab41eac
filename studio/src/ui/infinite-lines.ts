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
  /** Its own height, which it keeps while its rows are read again: a correction would end a scroll under way. */
  height: number
}

/**
 * @returns the mounted lines, which have their index as `data-index` and `measure` as ref; `rest`: the height of those
 * behind them
 */
export function useLines({ element, outline, linesAt }: Options) {
  const { place, dialog } = usePlace(element, outline)
  const { count, heightOf } = linesAt(place)
  const isWhole = count <= LINES_WHOLE
  const isGoingHome = useGoingHome(element)
  const options = {
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
  const ofWindow = useWindowVirtualizer<HTMLElement>({ ...options, enabled: !dialog })
  const ofDialog = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    enabled: dialog !== null,
    getScrollElement: () => dialog,
  })
  const virtualizer = dialog ? ofDialog : ofWindow
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }: { start: number }) =>
    !isGoingHome.current && start < (virtualizer.scrollOffset ?? 0)
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

/** Where the list is, and the dialog that scrolls it, if it is in one. */
function usePlace(element: RefObject<HTMLElement | null>, outline: Outline) {
  const [place, setPlace] = useState(outline.place ?? NOWHERE)
  const [dialog, setDialog] = useState<HTMLElement | null>(null)
  const update = useEffectEvent(() => {
    if (!element.current) return
    const around = element.current.closest<HTMLElement>('dialog')
    setDialog(around)
    const next = placeOf(element.current, around)
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
  return { place, dialog }
}

/**
 * Whether the user went to the top by key and has not moved on: a correction on the way would end the browser's scroll
 * beside it. A correction just before the key ends it too, so what ends elsewhere is taken to the top.
 */
function useGoingHome(element: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isGoingHome = useRef(false)
  useEffect(() => {
    const onInput = (event: Event) => {
      const isInField = event.target instanceof Element && event.target.closest('input, textarea, select')
      isGoingHome.current = event instanceof KeyboardEvent && event.key === 'Home' && !isInField
    }
    const onScrollEnd = ({ target }: Event) => {
      const scroller = target instanceof Element ? target : document.documentElement
      if (isGoingHome.current && scroller.contains(element.current)) scroller.scrollTop = 0
    }
    const inputs = ['keydown', 'wheel', 'pointerdown']
    for (const input of inputs) window.addEventListener(input, onInput, { passive: true })
    // Of a dialog that scrolls, it does not bubble.
    window.addEventListener('scrollend', onScrollEnd, { capture: true })
    return () => {
      for (const input of inputs) window.removeEventListener(input, onInput)
      window.removeEventListener('scrollend', onScrollEnd, { capture: true })
    }
  }, [element])
  return isGoingHome
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
