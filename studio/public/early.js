/**
 * Runs before the first paint and before the studio's script is there: applies theme and colours, shows the frame of the page, and begins
 * to load what the page at this address needs. A classic script, which blocks the paint, so the wrong theme never flashes; a file, because
 * the Content-Security-Policy forbids inline scripts.
 */
{
  const root = document.documentElement
  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key))
    } catch {
      // Storage is disabled or holds invalid JSON.
      return null
    }
  }
  const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent || '{}')

  const theme = stored('kinora.theme')
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
  for (const [name, value] of Object.entries(dataOf('site').colours ?? {})) root.style.setProperty(name, value)

  // The studio writes this (shell/shell.tsx). It decides what is shown first, never what may be seen.
  const isSignedIn = stored('kinora.signed-in') === true
  const pages = dataOf('pages').pages ?? []
  const page = pages.find(
    ({ path, kind }) => new RegExp(path).test(location.pathname) && (kind !== 'visitor' || !isSignedIn),
  )
  if (isSignedIn && page?.kind === 'user') root.dataset.frame = 'shell'
  for (const href of page?.files ?? []) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href })
    document.head.append(link)
  }

  // src/read-gate.ts takes the responses, each once. A page for all, such as a shared film, asks for no session.
  const early = new Map()
  globalThis.kinoraEarly = early
  const STREAM_OPENING_MAX_MS = 400
  /** `after` resolves to whether the read is worth it. A body is read at once, because one that no page takes would stay open. */
  const read = (url, after, isStream = false) => {
    const abort = new AbortController()
    const send = async () => {
      if (!(await after)) return null
      const headers = isStream ? { accept: 'text/event-stream' } : {}
      const response = await fetch(url, { headers, signal: abort.signal })
      return isStream || !response.ok ? response : new Response(await response.blob(), response)
    }
    const response = send().catch(() => null)
    early.set(url, { response, abort })
    return response
  }
  const hasSession = async (response) => Boolean(response?.ok && (await response.clone().json()))
  /** One tab follows the stream, and a hidden one does not: then another tab's is as good. */
  const mayFollow = async () => {
    if (!navigator.locks || document.visibilityState !== 'visible') return false
    return !(await navigator.locks.query()).held.some(({ name }) => name.startsWith('kinora.events.'))
  }
  if (page && page.kind !== 'public') {
    let ready = read('/api/auth/get-session', true)
    if (page.kind === 'user') {
      early.areNewer = false
      const signedIn = ready.then(hasSession)
      const follows = signedIn.then((is) => is && mayFollow())
      // The stream first, so that the reads are newer than its start; they do not wait for one that hangs.
      const stream = read('/api/v1/video/events', follows, true)
      const timeout = new Promise((resolve) => setTimeout(resolve, STREAM_OPENING_MAX_MS, null))
      ready = Promise.race([stream, timeout]).then((response) => {
        early.areNewer = response?.ok === true
        return signedIn
      })
    }
    for (const url of page.reads) read(url, ready)
  }
}
