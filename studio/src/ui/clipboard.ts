/** Clipboard access, which a browser grants only in a secure context (https, localhost) and may deny there too. */

/** @returns whether the text was copied; when it was not, the caller explains how to copy by hand */
export async function copyText(text: string): Promise<boolean> {
  try {
    // navigator.clipboard is undefined outside a secure context, although its type says otherwise.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
