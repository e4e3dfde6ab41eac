/** `BRAND_NAME`: what a user or a visitor reads names the operator's service, and the product nowhere. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { compose } from '../../src/mail/compose.ts'
import { accountKinds, NOTICES } from '../../src/mail/kinds.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'

const NAME = 'Acme & Films'
const studioDir = await mkdtemp(path.join(tmpdir(), 'kinora-brand-'))
after(() => rm(studioDir, { recursive: true }))
await writeFile(
  path.join(studioDir, 'index.html'),
  `<!doctype html><script id="site"></script><title>Kinora</title>
<script id="pages">{"pages":[{"path":"^/share/.","kind":"public","reads":["/api/v1/share/:last"]}]}</script><script id="reads"></script>`,
)
const kinora = await openKinora({ env: { BRAND_NAME: NAME, STUDIO_DIR: studioDir }, simulator: true })

test('mail: every kind and language → the operator’s name in sender and texts, the product’s nowhere', () => {
  const { app } = kinora
  const at = app.now().toISOString()
  const data = {
    at,
    expiresAt: at,
    available: 1,
    threshold: 2,
    credits: 3,
    status: 'COMPLETED',
    teamId: 't',
    team: 'T',
  }
  let named = 0
  for (const kind of [...Object.keys(accountKinds), ...NOTICES])
    for (const language of ['en', 'zh-Hans'])
      for (const each of [data, { ...data, teamId: undefined }]) {
        const { subject, text, html } = compose(app, { kind, userId: 'u', data: each, language }, 'https://x.example/')
        assert.doesNotMatch(subject + text + html, /kinora(?!\.)/i, kind)
        assert.ok(html.includes('Acme &#38; Films'), kind)
        if (subject.includes(NAME)) named += 1
      }
  assert.ok(named > 20)
  assert.equal(app.config.mail.from.name, NAME)
})

test('pages: shared film and its preview, programs, API document, metadata, passkey, MCP → the operator’s name, the product’s nowhere', async () => {
  const ann = await kinora.person({ credits: 100 })
  const uuid = await completedVideo(kinora, ann)
  const shared = await kinora.call<{ share: { url: string } }>('PUT', `/api/v1/video/${uuid}/share`, {
    as: ann,
    body: {},
  })
  const page = new URL(shared.data.share.url).pathname
  const html = { accept: 'text/html' }
  const read = async (path: string) => (await kinora.call('GET', path, { as: ann, headers: html })).text
  const shown = [await read(page), await read('/share/none'), await read('/sign-in'), await read('/oauth/apps')]
  for (const text of shown) assert.ok(/<title>[^<]*Acme &(amp|#38);? ?Films<\/title>/.test(text), text.slice(0, 300))
  assert.match(shown[0] ?? '', /og:site_name" content="Acme &#38; Films"/)
  const other = [
    await read('/.well-known/oauth-protected-resource'),
    await read('/api/auth/passkey/generate-register-options'),
    JSON.stringify(JSON.parse(await read('/openapi.json')).info),
  ]
  const body = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }
  const mcp = { accept: 'application/json, text/event-stream' }
  other.push((await kinora.call('POST', '/mcp', { as: ann, body, headers: mcp })).text)
  for (const text of other) assert.ok(text.includes(NAME), text.slice(0, 300))
  for (const text of [...shown, ...other.slice(0, 2)]) assert.doesNotMatch(text.replaceAll(kinora.url, ''), /Kinora/)
})
