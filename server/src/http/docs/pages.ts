/** What `/docs` consists of: the guides, which are files of the repository, and a chapter for each tag of the API. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { packageDir } from '../../config/package-dir.ts'
import type { OpenApiDocuments } from '../openapi/openapi.ts'
import { chapter } from './chapter.ts'
import type { Document } from './document.ts'

export type DocsPage = { name: string; title: string; about: string; part: string; markdown: () => Promise<string> }

const root = path.resolve(packageDir, '..')
/** In their order; one that an installation does not have is left out. */
const GUIDES: [name: string, file: string, title: string, about: string][] = [
  [
    'api',
    'docs/api.md',
    'The API',
    'requests, credentials, visitors of your pages, teams, limits, inputs, lists, projects',
  ],
  ['integrating', 'docs/integrating.md', 'First days', 'a shop page, and programs of five vendors, with minutes'],
  ['errors', 'docs/errors.md', 'Errors', 'each code, when it happens and what to do'],
  ['webhooks', 'docs/webhooks.md', 'Webhooks', 'events that are sent to your programs, and how to verify them'],
  [
    'compatibility',
    'docs/compatibility.md',
    'Compatible APIs',
    'programs written for OpenAI, Replicate, fal, OpenRouter, the AI SDK or MCP',
  ],
  ['provenance', 'docs/provenance.md', 'Provenance', 'how a film says that it is made by AI'],
  ['typescript', 'client/README.md', 'TypeScript client', 'the package @kinora/client, for Node and browsers'],
  ['python', 'python-client/README.md', 'Python client', 'the package kinora'],
  ['ai-sdk', 'ai-sdk-provider/README.md', 'AI SDK provider', 'the package @kinora/ai-sdk-provider'],
  ['command-line', 'user-cli/README.md', 'Command line', 'the package @kinora/command-line'],
]
const TITLES: Record<string, string> = {
  video: 'Films',
  asset: 'Assets',
  project: 'Projects',
  credit: 'Credits',
  billing: 'Billing',
  config: 'Models, plans, options',
  webhook: 'Webhook endpoints',
  team: 'Teams',
  account: 'Account and keys',
  providers: 'Callbacks',
  provenance: 'Check of provenance',
  auth: 'Sign-in',
  admin: 'Administration',
  desk: 'Help and upkeep',
}
const FILES: Record<string, string> = {
  'openapi.json': '/openapi.json',
  'openapi-operator.json': '/openapi-operator.json',
  ...Object.fromEntries(GUIDES.map(([name, file]) => [file, `/docs/${name}.md`])),
}

export function docsPages(documents: OpenApiDocuments): DocsPage[] {
  // Cast: the documents are plain JSON; openapi.ts composes them.
  const { openapi, 'openapi-operator': operator } = documents as Record<keyof OpenApiDocuments, Document>
  const guides = GUIDES.filter(([, file]) => existsSync(path.join(root, file))).map(([name, file, title, about]) => ({
    name,
    title,
    about,
    part: 'Guides',
    markdown: async () => withLinks(await readFile(path.join(root, file), 'utf8'), file),
  }))
  const chapters = (part: string, document: Document) =>
    document.tags.map(({ name, description }) => {
      const title = TITLES[name] ?? name
      return {
        name: `api-${name}`,
        title,
        about: description,
        part,
        markdown: async () => chapter(document, name, title),
      }
    })
  return [...guides, ...chapters('Operations', openapi), ...chapters('Sign-in and administration', operator)]
}

/** The list of all pages, by https://llmstxt.org. */
export function indexOf(pages: DocsPage[], siteName: string): string {
  const parts = [...new Set(pages.map(({ part }) => part))].map((part) =>
    [
      `## ${part}`,
      pages
        .filter((page) => page.part === part)
        .map(({ name, title, about }) => `- [${title}](/docs/${name}.md): ${about.replace(`${title}: `, '')}`)
        .join('\n'),
    ].join('\n\n'),
  )
  return [
    `# ${siteName} API`,
    '> Asynchronous AI video generation over HTTP, paid for with credits: a request returns at once, and the film follows by polling, an event stream or a webhook.',
    'Make a key on the page *API keys* of the studio, and send it as `x-api-key`. Each page is also Markdown, at its address with `.md`. [openapi.json](/openapi.json) describes every operation that takes a key, [openapi-operator.json](/openapi-operator.json) those of sign-in and administration.',
    ...parts,
    '',
  ].join('\n\n')
}

/** Links between files lead to pages here; what a reader of the service cannot open is text. */
function withLinks(markdown: string, file: string): string {
  return markdown.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, text: string, target: string) => {
    if (/^(#|https?:)/.test(target)) return whole
    const [name = '', fragment] = target.split('#')
    const url = FILES[path.posix.join(path.posix.dirname(file), name)]
    if (!url || whole.startsWith('!')) return text
    return `[${text}](${url}${fragment ? `#${fragment}` : ''})`
  })
}
