/** The one event stream of this tab. */
export function useLive(): boolean {
  return true
}
