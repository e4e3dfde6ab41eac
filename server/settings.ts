/** `npm run settings`: writes docs/settings.md and the secrets that the Helm chart refuses. */
import { readFile, writeFile } from 'node:fs/promises'
import { DURATION } from './src/config/setting-kinds.ts'
import { headings, namesOf, type Setting, type SettingName, settings } from './src/config/settings.ts'

const settingsPage = new URL('../docs/settings.md', import.meta.url)
const chartSchema = new URL('../deploy/helm/kinora/values.schema.json', import.meta.url)

const INTRODUCTION = `# Settings

Settings are environment variables. \`npm run settings\` writes this page from \`server/src/config/settings.ts\`.

Outside production all are optional: \`npm start\` generates what it needs. With \`NODE_ENV=production\` nothing is generated, and the service
does not start with a missing, short, equal or guessable secret. Required then: \`AUTH_SECRET\`, \`DATABASE_URL\` (the command \`kinora\` has
the embedded PostgreSQL in its place, and warns), and the key of an AI provider, with its address where it has no public one. Set
\`PUBLIC_URL\` too: no other machine reaches its default, which stands in links, mails and callbacks.

A **secret** may be in a file: \`AUTH_SECRET_FILE=/run/secrets/auth\` instead of \`AUTH_SECRET\`. A **time** is such as 90s, 15m, 24h or 7d.
A blank value counts as none.
`

const cell = (text: string): string => text.replaceAll('|', '\\|')
const linked = (text: string): string => text.replace(/docs\/([\w-]+)\.md(#[\w-]+)?/g, '[$1]($1.md$2)')

function rowOf([name, { kind, fallback, meaning, secret }]: [string, Setting<unknown>]): string {
  const title = headings[name as SettingName]
  const heading = title ? `\n## ${title}\n\n| Setting | Value | Default | |\n|---|---|---|---|\n` : ''
  const names = namesOf(name).map((each) => `\`${each}\``)
  const value = kind.form.replace(DURATION, 'a time')
  const form = secret ? `**secret**: ${value}` : value
  return `${heading}| ${[names.join(', '), form, fallback, linked(meaning)].map(cell).join(' | ')} |\n`
}

/** The text of docs/settings.md. */
export const describeSettings = (): string =>
  INTRODUCTION + Object.entries<Setting<unknown>>(settings).map(rowOf).join('')

/** Names that the chart refuses among `settings`, as a RegExp: every secret, and a name that ends like one. */
export const secretNames = (): string => {
  const secrets = Object.entries<Setting<unknown>>(settings).flatMap(([name, { secret }]) =>
    secret ? namesOf(name) : [],
  )
  return `^(${secrets.map((name) => name.replace(/<\w+>/, '[A-Z0-9_]+')).join('|')}|.*_(SECRET|PASSWORD|TOKEN))$`
}

if (import.meta.main) {
  await writeFile(settingsPage, describeSettings())
  const schema = await readFile(chartSchema, 'utf8')
  await writeFile(
    chartSchema,
    schema.replace(/("not": \{\s+"pattern": )"[^"]*"/, (_, before) => before + JSON.stringify(secretNames())),
  )
}
