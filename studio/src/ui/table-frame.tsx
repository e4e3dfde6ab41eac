/**
 * A table in a frame of its own: one that is wider than the page scrolls inside, and only then it can be reached by
 * keyboard, so that nobody has to tab through a frame that does nothing.
 */
import { type ReactNode, useLayoutEffect, useRef } from 'react'

export function TableFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const watch = new ResizeObserver(() => {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
      else element.removeAttribute('tabindex')
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return (
    <section className="table-frame" ref={frame} aria-label={label}>
      <table>{children}</table>
    </section>
  )
}
