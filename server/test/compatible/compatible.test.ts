// slow
/**
 * The compatible APIs, each by the official client of the service whose format it serves, all on one service. Its tests
 * are the lists of docs/compatibility.md.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { disconnection } from '../../src/http/request/request.ts'
import { openKinora } from '../support/harness.ts'
import { openReceiver } from '../support/webhook-receiver.ts'
import { aiGatewayIsLimited, testAiGateway } from './ai-gateway.ts'
import { testBetterAuth } from './better-auth.ts'
import { testCallersFields } from './callers-fields.ts'
import { customer, hooksOf, rows } from './clients.ts'
import { testEveryMode } from './every-mode.ts'
import { falIsLimited, testFal } from './fal.ts'
import { kinoraProviderIsLimited, testKinoraProvider } from './kinora-provider.ts'
import { mcpIsLimited, testMcp } from './mcp.ts'
import { testMcpConformance } from './mcp-conformance.ts'
import { testModelFields } from './model-fields.ts'
import { openAiIsLimited, testOpenAi } from './openai.ts'
import { testOpenAiJson } from './openai-json.ts'
import { openRouterIsLimited, testOpenRouter } from './openrouter.ts'
import { openRouterProviderIsLimited, testOpenRouterProvider } from './openrouter-provider.ts'
import { replicateIsLimited, testReplicate } from './replicate.ts'

// The AI SDK prints its warnings otherwise.
globalThis.AI_SDK_LOG_WARNINGS = false

const receiver = await openReceiver({ after })
const kinora = await openKinora({ simulator: true, env: { WEBHOOK_ALLOW: receiver.host } })
const hooks = hooksOf(kinora, receiver)

testOpenAi(kinora)
testOpenAiJson(kinora)
testMcp(kinora)
testMcpConformance(kinora)
testReplicate(kinora, hooks)
testFal(kinora, hooks)
testOpenRouter(kinora, hooks)
testOpenRouterProvider(kinora)
testAiGateway(kinora)
testKinoraProvider(kinora, hooks)
testBetterAuth(kinora)
testCallersFields(kinora)
testModelFields(kinora)
testEveryMode(kinora)

test('429: 61st request to generate in a minute → the rate limit error of every client', async () => {
  const ann = await customer(kinora)
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const headers = { authorization: `Bearer ${ann.apiKey}`, 'content-type': 'application/json' }
    const wrong = () => fetch(`${url}/v1/videos`, { method: 'POST', headers, body: '{}' })
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await wrong()).status))
    assert.deepEqual(new Set(statuses), new Set([400]))
    await openAiIsLimited(url, ann.apiKey)
    await mcpIsLimited(url, ann.apiKey)
    await replicateIsLimited(url, ann.apiKey)
    await falIsLimited(url, ann.apiKey)
    await openRouterIsLimited(url, ann.apiKey)
    await openRouterProviderIsLimited(url, ann.apiKey)
    await aiGatewayIsLimited(url, ann.apiKey)
    await kinoraProviderIsLimited(url, ann.apiKey)
  })
})

test('wait for a film: client that is gone before a wait begins → the wait ends at once', async () => {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = http.get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  client.on('error', () => undefined)
  const [, raw] = (await once(server, 'request')) as [http.IncomingMessage, http.ServerResponse]
  assert.equal(disconnection({ raw }).aborted, false)
  client.destroy()
  await once(raw, 'close')
  assert.equal(disconnection({ raw }).aborted, true)
  server.close()
})

test('docs/compatibility.md: its lists of calls → the tests of this file (UPDATE_DOCS=1 writes it)', async () => {
  const file = new URL('../../../docs/compatibility.md', import.meta.url)
  const text = await readFile(file, 'utf8')
  const packages: Record<string, string[]> = {
    OpenAI: ['openai'],
    MCP: ['@modelcontextprotocol/client', '@modelcontextprotocol/conformance'],
    Replicate: ['replicate'],
    fal: ['@fal-ai/client'],
    OpenRouter: ['@openrouter/sdk'],
    'OpenRouter’s AI SDK provider': ['ai', '@openrouter/ai-sdk-provider'],
    'AI SDK gateway': ['ai', '@ai-sdk/gateway'],
    'Kinora’s AI SDK provider': ['ai'],
    Accounts: ['better-auth'],
  }
  const versions: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies }
  const lists = Object.entries(packages).map(([api, names]) => {
    const title = `### ${api}: ${names.map((name) => `\`${name}\` ${versions[name]}`).join(' and ')}`
    const calls = rows.filter((row) => row.api === api).map(({ call }) => `- ${call}`)
    return [title, '', ...new Set(calls)].join('\n')
  })
  const [before = ''] = text.split('<!-- generated -->')
  const current = `${before}<!-- generated -->\n\n${lists.join('\n\n')}\n`
  if (process.env.UPDATE_DOCS) await writeFile(file, current)
  else assert.equal(text, current)
})
