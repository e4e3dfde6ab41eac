/**
 * Leaving for a page of the payment processor. The rule: nothing here counts as paid; what was paid is heard of from the
 * service alone.
 */
import { useSingleFlight } from '../single-flight.ts'

/** Asks for an address and goes there; it stays busy until the page is left. */
export function useLeave<Wish>(ask: (wish: Wish) => Promise<{ url: string }>) {
  return useSingleFlight({
    mutationFn: async (wish: Wish) => {
      const { url } = await ask(wish)
      const back = untilBack()
      window.location.assign(url)
      // The browser is on its way: the button must not be pressed a second time meanwhile.
      await back
    },
  })
}

/** Back by the browser's own button, the page is as it was left. */
const untilBack = (): Promise<void> =>
  new Promise((resolve) => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      window.removeEventListener('pageshow', onShow)
      resolve()
    }
    window.addEventListener('pageshow', onShow)
  })
