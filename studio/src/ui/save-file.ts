/** Downloads what the page has made or read, as a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download starts asynchronously after click(): revoking the URL now would cancel it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
