/** The one way to the clipboard, which a browser gives only to pages that are served over https and may refuse there too. */

/** @returns whether the text is there; where it is not, the page says how to copy by hand */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Without https there is no navigator.clipboard at all, although its type says so.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
