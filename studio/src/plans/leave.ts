/**
 * Leaving for a page of the payment processor. The rule: nothing here counts as paid; what was paid is heard of from the
 * service alone.
 */
import type { KinoraError } from '@kinora/client'
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Asks for an address and goes there; it stays busy until the page is left. */
export function useLeave<Wish>(
  ask: (wish: Wish) => Promise<{ url: string }>,
): UseMutationResult<unknown, KinoraError, Wish> {
  const leave = useMutation({
    mutationFn: async (wish: Wish) => {
      const { url } = await ask(wish)
      window.location.assign(url)
      // The browser is on its way: the button must not be pressed a second time meanwhile.
      await new Promise(() => {})
    },
  })
  const { reset } = leave
  useEffect(() => {
    // Back by the browser's own button, the page is as it was left, with the button still busy.
    const onShow = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [reset])
  return leave
}
