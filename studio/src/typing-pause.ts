/** Tells when the user has stopped typing, so that a page that opens by itself interrupts no text. */

/** Longer than between two words. */
const PAUSE_MS = 2_000

let typedAtMs = Number.NEGATIVE_INFINITY
document.addEventListener('input', ({ timeStamp }) => {
  typedAtMs = timeStamp
})

/** Resolves at once, or when the user, who types, pauses. */
export async function typingPause(): Promise<void> {
  let restMs = typedAtMs + PAUSE_MS - performance.now()
  while (restMs > 0) {
    await new Promise((resolve) => setTimeout(resolve, restMs))
    restMs = typedAtMs + PAUSE_MS - performance.now()
  }
}
