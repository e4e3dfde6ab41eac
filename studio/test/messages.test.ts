/** The studio's texts: every one passes through Lingui, and the Chinese catalogue has exactly those. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { extractMessagesFromFiles } from '@lingui/native-tools'
import { untranslatedTexts } from './untranslated.ts'

const studio = path.join(import.meta.dirname, '..')
const sources = globSync('src/**/*.{ts,tsx}', { cwd: studio }).sort()

const planted = `
import { t } from '@lingui/core/macro'
export const labels = { done: 'Done', due: \`\${days} days left\`, id: 'video-done', role: t\`User\` }
export const Page = ({ error }: Props) => (
  <main className="page wide" aria-label="Main page">
    <h1>Hello <b>there</b></h1>
    <Field label={error ? 'Not a name' : t\`Name\`} name="user name" placeholder="you@example.com" />
    <Fact name="Length">{status === 'COMPLETED' ? \`\${seconds} s\` : 'running'}</Fact>
    <Trans>Read <a href="/docs">the docs</a></Trans> <code>kinora verify</code> Kinora {plural(films, { one: '# film', other: '# films' })}
    <img alt="" src="/a b.png" onClick={() => toast({ text: 'It is done.' })} />
  </main>
)
if (!root) throw new Error('There is no root.')
`

test('texts: hard-coded in JSX, an attribute or a string → reported', () => {
  assert.deepEqual(untranslatedTexts(planted), [
    '3: Done',
    '3: {} days left',
    '5: Main page',
    '6: Hello',
    '6: there',
    '7: Not a name',
    '7: you@example.com',
    '8: Length',
    '8: {} s',
    '8: running',
    '10: It is done.',
  ])
})

test('texts: sources of the studio → every text passes through Lingui', () => {
  const found = sources.flatMap((file) =>
    untranslatedTexts(readFileSync(path.join(studio, file), 'utf8')).map((text) => `${file}:${text}`),
  )
  assert.deepEqual(found, [])
})

test('catalogue: Chinese → has every text of the sources, with the same placeholders, and no other', async () => {
  const { messages, warnings } = await extractMessagesFromFiles(sources.map((file) => path.join(studio, file)))
  assert.deepEqual(warnings, [])
  assert.ok(messages.length > 500)
  const catalogue = await readChinese()
  const english = new Map(messages.map(({ id, message }) => [id, message ?? id]))
  const missing = [...english].filter(([id]) => !catalogue[id]?.translation).map(([, message]) => message)
  assert.deepEqual(missing, [], 'without a Chinese text: run `npm run messages` and translate them')
  const unused = Object.entries(catalogue).filter(([id]) => !english.has(id))
  assert.deepEqual(unused, [], 'no source has these texts any more: `npm run messages` removes them')
  const differing = [...english].filter(([id, message]) => {
    const translation = catalogue[id]?.translation ?? ''
    return placeholders(message) !== placeholders(translation)
  })
  assert.deepEqual(differing, [])
  const apart = [...english.values()].filter((message) => message.endsWith(' …'))
  assert.deepEqual(apart, [], 'an ellipsis follows the word without a space')
})

async function readChinese() {
  const filename = path.join(studio, 'src/i18n/catalogues/zh-Hans.po')
  const context = { locale: 'zh-Hans', sourceLocale: 'en', filename }
  return await formatter().parse(readFileSync(filename, 'utf8'), context)
}

/** In Chinese each is the same word as another text of its page. */
const ALIKE = ['Invite', 'Times']

test('catalogue: texts of one source that differ in more than number, article or case → differ in Chinese', async () => {
  const texts = new Map<string, string[]>()
  for (const [id, { message = id, translation, origin = [] }] of Object.entries(await readChinese()))
    for (const [source] of ALIKE.includes(message) ? [] : origin) {
      const key = `${source}: ${translation}`
      const plain = message.toLowerCase().replace(/^an? |\bthe |s$/g, '')
      texts.set(key, [...(texts.get(key) ?? []), plain])
    }
  const alike = [...texts].filter(([, messages]) => new Set(messages).size > 1)
  assert.deepEqual(alike, [])
})

/** The arguments and tags of a message, sorted. */
function placeholders(message: string): string {
  const names = new Set<string>(message.match(/<\/?\d+\/?>/g) ?? [])
  const collect = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      names.add(`{${token[0]}${token[1] ? `, ${token[1]}` : ''}}`)
      if (typeof token[2] === 'object' && token[2] !== null) for (const value of Object.values(token[2])) collect(value)
    }
  }
  collect(compileMessageOrThrow(message))
  return [...names].sort().join(' ')
}
