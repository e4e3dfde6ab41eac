/**
 * Renders each page without its data, by the pages' own components, at build time: index.html has what the browser
 * paints before the studio's script is there. Called with a language and the pages of vite.config.ts; prints a text, or
 * null, for each. A page cannot be hydrated: the studio renders its own beside it.
 */
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'

type Page = { path: string; kind: 'user' | 'visitor' | 'entrance' | 'public' }

const [locale = 'en', pages = '[]'] = process.argv.slice(2)

// What the studio's modules ask a browser for. No request gets a response.
const never = () => new Promise<never>(() => {})
Object.defineProperties(globalThis, {
  navigator: { value: { languages: [locale], locks: { request: never, query: never } } },
  location: { value: new URL('http://localhost/') },
  fetch: { value: never },
  Request: { value: class {} },
  matchMedia: { value: () => ({ matches: false }) },
  document: {
    value: {
      documentElement: { dataset: {} },
      visibilityState: 'hidden',
      addEventListener: () => {},
      // The service writes the values (server/src/http/studio.ts).
      getElementById: () => ({
        textContent: JSON.stringify({ name: '{{name}}', version: '{{version}}', hasExplore: true }),
      }),
    },
  },
})

async function renderAll(all: (Page | null)[]): Promise<(string | null)[]> {
  // After the language, in which some modules make their texts when they are evaluated.
  const { activateLocale } = await import('./i18n/activate.ts')
  await activateLocale()
  const { queryClient, sessionQuery } = await import('./api.ts')
  const { router } = await import('./routes.tsx')
  const rendered: (string | null)[] = []
  for (const each of all) {
    if (!each) {
      rendered.push(null)
      continue
    }
    const { path, kind } = each
    queryClient.setQueryData(sessionQuery.queryKey, kind === 'user' ? placeholderUser(path) : null)
    // The page of a team is there for its members alone.
    globalThis.kinoraTeam = path.startsWith('^/team') ? aTeam : undefined
    const history = createMemoryHistory({ initialEntries: [exampleOf(path, kind)] })
    const page = createRouter({ ...router.options, history })
    await page.load()
    const html = renderToString(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={page} />
        </QueryClientProvider>
      </I18nProvider>,
    )
    rendered.push(asFrame(html))
  }
  return rendered
}

/** Without titles, scripts and marks of router and React, ids (the studio has them too), style attributes. */
const asFrame = (html: string): string =>
  html
    .replaceAll(/<(title|script|template)\b.*?<\/\1>|<link [^>]*>|<!--.*?-->| id="[^"]*"/g, '')
    .replaceAll(' style="', ' data-style="')

const placeholderUser = (path: string) =>
  ({
    user: {
      id: '',
      name: '',
      email: '',
      role: path.startsWith('^/admin') ? 'admin' : 'user',
      language: locale,
      createdAt: new Date(0).toISOString(),
    },
    session: { impersonatedBy: null },
  }) as never

const aTeam = { chosen: { id: '', name: '', role: null }, headersOf: () => ({}) }

/** An address that the pattern of a page matches: `^/library/.` → `/library/-`; a visitor of `/` sees another page. */
const exampleOf = (pattern: string, kind: Page['kind']): string =>
  kind === 'visitor' && pattern === '^/$'
    ? '/welcome'
    : pattern
        .replace('^', '')
        .replace(/[(](.*)[)][?]/, '$1')
        .replace(/[/]?[?]?[$]$/, '')
        .replace(/[.]$/, '-') || '/'

process.stdout.write(JSON.stringify(await renderAll(JSON.parse(pages))), () => process.exit())
