/**
 * Runs before the first paint and before the studio's script is there: applies theme and colours, shows the page as the
 * build has rendered it without data (prerender.tsx), and begins to load what the page at this address needs. The build
 * writes it into index.html, ahead of the style sheet, for which a script waits; its hash is in the
 * Content-Security-Policy.
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
  // src/chosen-team.ts. A team makes the requests about films, projects, subjects, credits, payments, webhooks and
  // itself; the others are about the user alone.
  const OF_A_TEAM =
    /^(?!POST \/api\/v1\/team$)\w+ \/api\/v1\/(video|project|writer|asset|credit|billing|webhook|team|key|limits|subject)(\/(?!gift|redeem|invitations\/(accept|open)$)|$)/
  // The link of a mail, and the address to which a checkout returns, name the team that they are about.
  const named = new URLSearchParams(location.search).get('team')
  const before = stored('kinora.team')
  const isNamed = named && named !== before?.id
  const chosen = isNamed ? { id: named, name: '', role: null } : before
  const team = {
    chosen: /^[\da-f-]{36}$/i.test(chosen?.id)
      ? { id: chosen.id, name: String(chosen.name), role: chosen.role ?? null }
      : null,
    headersOf: (method, url) =>
      team.chosen && OF_A_TEAM.test(`${method} ${new URL(url, location.href).pathname}`)
        ? { 'x-team': team.chosen.id }
        : {},
  }
  globalThis.kinoraTeam = team
  // Stored at once: the user may leave before the page has found the team, and then added its name or forgotten a team
  // of others.
  if (isNamed && team.chosen)
    try {
      localStorage.setItem('kinora.team', JSON.stringify(team.chosen))
    } catch {
      // Storage is disabled.
    }
  const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent || '{}')

  const theme = stored('kinora.theme')
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
  for (const [name, value] of Object.entries(dataOf('site').colours ?? {})) root.style.setProperty(name, value)

  const pages = dataOf('pages').pages ?? []
  // As in i18n/locale.ts.
  const language = [stored('kinora.locale') ?? navigator.languages].flat().find((each) => /^(en|zh)\b/i.test(each))
  const locale = /^zh/i.test(language) ? 'zh-Hans' : 'en'
  const frame = () => document.getElementById('frame')
  const showFrame = (page, isSignedIn) => {
    const template = document.querySelector(`template[data-page="${pages.indexOf(page)}"][lang="${locale}"]`)
    if (!template || (page.kind !== 'public' && isSignedIn !== (page.kind === 'user'))) return
    const content = document.importNode(template.content, true)
    // The policy ignores style attributes of the HTML.
    for (const element of content.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style
    if (!dataOf('site').hasExplore)
      for (const link of content.querySelectorAll('a[href$="/explore"]')) (link.closest('li') ?? link).remove()
    frame()?.append(content)
  }
  /**
   * Fills the images of EarlyPoster (video/poster.tsx), each in an element that has its film's aspect ratio; shows what
   * stands there without films.
   */
  const showPosters = ({ videos, films = videos, ...film }) => {
    const empty = films?.length === 0 && frame()?.querySelector('[data-if-empty]')
    if (empty) [empty.hidden, empty.nextElementSibling.hidden] = [false, true]
    for (const image of frame()?.querySelectorAll('[data-poster]') ?? []) {
      const { thumbnailUrl, aspectRatio } = (films ?? [film])[image.dataset.poster] ?? {}
      const cell = image.closest('[data-style]')
      cell.hidden = !aspectRatio
      if (!thumbnailUrl) continue
      const [width, height] = aspectRatio.split(':')
      cell.style.setProperty('--ratio', width / height)
      image.src = thumbnailUrl
    }
  }

  // read-gate.ts takes the responses, each once. A page for all, such as a shared film, asks for no session.
  const early = new Map()
  globalThis.kinoraEarly = early
  const SESSION = '/api/auth/get-session'
  const STREAM_OPENING_MAX_MS = 400
  const HAS_POSTERS = /^\/api\/v1\/(video|share|explore)\b/
  const hasSession = async (response) => Boolean(response?.ok && (await response.clone().json()))
  /** One tab follows the stream, and a hidden one does not: then another tab's is as good. */
  const mayFollow = async () => {
    if (!navigator.locks || document.visibilityState !== 'visible') return false
    return !(await navigator.locks.query()).held.some(({ name }) => name.startsWith('kinora.events.'))
  }
  /** `at`, `reads`: what the service has read for the user or the team (server/src/http/studio.ts), and when. */
  const readAll = (page, { at, reads = {} }) => {
    /**
     * `after` resolves to whether the read is worth it. A body is read at once, because one that no page takes would
     * stay open.
     */
    const read = (url, after, streamHeaders) => {
      const abort = new AbortController()
      const show = ({ data }) => HAS_POSTERS.test(url) && showPosters(data)
      const send = async () => {
        if (!(await after)) return null
        const headers = { ...team.headersOf('GET', url), ...streamHeaders }
        const response = await fetch(url, { headers, signal: abort.signal })
        if (streamHeaders || !response.ok) return response
        const body = await response.json()
        show(body ?? {})
        return Response.json(body)
      }
      const isThere = Object.hasOwn(reads, url)
      if (isThere) show(reads[url] ?? {})
      const response = isThere ? Promise.resolve(Response.json(reads[url])) : send().catch(() => null)
      early.set(url, { response, abort })
      return response
    }
    let ready = page.kind === 'public' || read(SESSION, true)
    if (page.kind === 'user') {
      const signedIn = ready.then(hasSession)
      const follows = signedIn.then((is) => is && mayFollow())
      const stream = read('/api/v1/video/events', follows, {
        accept: 'text/event-stream',
        ...(at && { 'last-event-id': at }),
      })
      Object.assign(early, { at, areNewer: false })
      // The stream first, so that the reads are newer than its start, unless it resumes; they do not wait for one that
      // hangs.
      const timeout = new Promise((resolve) => setTimeout(resolve, STREAM_OPENING_MAX_MS, null))
      ready = at
        ? signedIn
        : Promise.race([stream, timeout]).then((response) => {
            early.areNewer = response?.ok === true
            return signedIn
          })
    }
    const [last] = location.pathname.split('/').slice(-1)
    for (const url of page.reads) {
      // A user's page gets all of its data together: what comes first would move when the rest arrives.
      const isPublic = page.kind !== 'user' && url.startsWith('/api/v1/config/')
      read(url.replace(':last', last), isPublic || ready)
    }
  }
  const preload = (files) => {
    for (const href of files) {
      const link = document.createElement('link')
      Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href })
      document.head.append(link)
    }
  }
  // The end of the parsing, before a paint and before any module.
  const start = () => {
    const given = dataOf('reads')
    const session = given.reads?.[SESSION]
    // A request with a session's cookie has a time; the studio writes the mark (shell/shell.tsx). Both decide what is
    // shown first, never what may be seen.
    const hasMark = given.at !== undefined || stored('kinora.signed-in') === true
    const isSignedIn = session === undefined ? hasMark : session !== null
    const page = pages.find(
      ({ path, kind }) =>
        new RegExp(path).test(location.pathname) &&
        (kind !== 'visitor' || !isSignedIn) &&
        // Without a team the router leads to the studio.
        (path !== '^/team' || team.chosen),
    )
    if (!page) return
    showFrame(page, isSignedIn)
    // The service knows the choice of a team from a cookie, which this browser may have lost or not sent.
    readAll(page, given.team === team.chosen?.id ? given : {})
    // After the posters: a browser requests an image in a microtask, and five of its six connections have files of
    // every page.
    setTimeout(preload, 0, page.files)
  }
  document.addEventListener('readystatechange', start, { once: true })
}
