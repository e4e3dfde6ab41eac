/** Several tabs of one browser: their visibility, and the event streams that they read. */
import type { BrowserContext, Page, Request } from 'playwright-core'

/** Counts the context's requests to the event stream: open now, in all or of one page, and opened so far. */
export function countStreams(context: BrowserContext): { open: (page?: Page) => number; opened: () => number } {
  const open = new Map<Request, Page>()
  let opened = 0
  context.on('request', (request) => {
    if (!request.url().endsWith('/video/events')) return
    open.set(request, request.frame().page())
    opened += 1
  })
  const onEnd = (request: Request) => void open.delete(request)
  context.on('requestfinished', onEnd).on('requestfailed', onEnd)
  return {
    open: (page) => [...open.values()].filter((each) => page === undefined || each === page).length,
    opened: () => opened,
  }
}

/** Sets the visibility that the page sees: in a headless browser every tab stays visible. */
export const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate(`{
    Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
