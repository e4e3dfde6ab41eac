/** Whether an element has been near the viewport, so that cards far down a long list send no requests. Never resets. */
import { type RefObject, useEffect, useState } from 'react'

export function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (isInView || !element.current) return
    const observer = new IntersectionObserver((entries) => setInView(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isInView, element])
  return isInView
}
