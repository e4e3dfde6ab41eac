/** Several tabs of one browser: their visibility, and the event streams that they read. */
import type { BrowserContext, Page, Request } from 'playwright-core'

/** Counts the context's requests to the event stream: open now, and opened so far. */
export function countStreams(context: BrowserContext): { open: () => number; opened: () => number } {
  let open = 0
  let opened = 0
  const isStream = (request: Request) => request.url().endsWith('/video/events')
  const onEnd = (request: Request) => {
    if (isStream(request)) open -= 1
  }
  context.on('request', (request) => {
    if (!isStream(request)) return
    open += 1
    opened += 1
  })
  context.on('requestfinished', onEnd).on('requestfailed', onEnd)
  return { open: () => open, opened: () => opened }
}

/** Sets the visibility that the page sees: in a headless browser every tab stays visible. */
export const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
