/** The frame of a table. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * A table that scrolls inside its own frame when it is wider than the page. The frame is a tab stop only while it
 * scrolls, so that keyboard users need no extra Tab for a table that fits.
 */
export function TableFrame({
  label,
  rowCount,
  children,
}: {
  label: string
  rowCount?: number | undefined
  children: ReactNode
}) {
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
      <table aria-rowcount={rowCount}>{children}</table>
    </section>
  )
}
