/**
 * Redirects to a page that the payment processor hosts (checkout, billing portal). The return from it proves no
 * payment: only the service, which receives the processor's webhooks, reports what was paid.
 */
import { useSingleFlight } from '../single-flight.ts'

/** Requests the URL of the page and navigates to it; the mutation stays pending until the studio is unloaded. */
export function useProcessorRedirect<Variables>(requestUrl: (variables: Variables) => Promise<{ url: string }>) {
  return useSingleFlight({
    mutationFn: async (variables: Variables) => {
      const { url } = await requestUrl(variables)
      const restored = untilRestored()
      window.location.assign(url)
      // The navigation takes a while: the pending mutation keeps the button disabled meanwhile.
      await restored
    },
  })
}

/** Resolves when the browser's back button restores the page from the back/forward cache, with all of its state. */
const untilRestored = (): Promise<void> =>
  new Promise((resolve) => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      window.removeEventListener('pageshow', onPageShow)
      resolve()
    }
    window.addEventListener('pageshow', onPageShow)
  })
