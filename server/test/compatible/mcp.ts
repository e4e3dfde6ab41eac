/** `/mcp`, by the protocol's own client, in both eras. */
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beginFor } from '../support/citus/database.ts'
import { type Kinora, noCredits } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'
import {
  assertFilm,
  check as checkApi,
  completeOnly,
  customer,
  finishOnly,
  losingFetch,
  PROMPT,
  videosOf,
} from './clients.ts'

type Era = '2026-07-28' | '2025-11-25'
const film = { prompt: PROMPT, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }

export async function connectMcp(url: string, apiKey: string, era: Era = '2026-07-28', fetcher = fetch) {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
      fetch: fetcher,
    }),
  )
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
    const blocks = content as { type: string; text?: string; uri?: string; mimeType?: string }[]
    return {
      isError: isError === true,
      text: blocks[0]?.text ?? '',
      blocks,
      data: structuredContent as Record<string, unknown>,
    }
  }
  return { client, call }
}

export function testMcp(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('MCP', call, result, run)

  for (const era of ['2026-07-28', '2025-11-25'] as const) {
    check(`${era}: tools/list, generate_video, get_video`, 'a film, from prompt to bytes', async () => {
      const ann = await customer(kinora)
      const { client, call } = await connectMcp(kinora.url, ann.apiKey, era)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          'list_models',
          'get_model',
          'quote_video',
          'generate_video',
          'get_video',
          'list_videos',
          'cancel_video',
          'delete_video',
          'list_projects',
          'get_project',
          'quote_project',
          'create_project',
          'change_project',
          'add_shots',
          'change_shot',
          'delete_shot',
          'generate_project',
          'render_project',
          'get_credits',
        ],
      )
      const made = await call('generate_video', film)
      assert.deepEqual([made.isError, made.data.status, made.data.creditsUsed], [false, 'PENDING', 16])
      assert.deepEqual(JSON.parse(made.text), made.data)
      const waiting = call('get_video', { uuid: made.data.uuid, waitSeconds: 50 })
      await (era === '2026-07-28' ? finishOnly : completeOnly)(kinora, ann)
      const done = await waiting
      assert.equal(done.data.status, 'COMPLETED')
      const link = done.blocks.find(({ type }) => type === 'resource_link')
      assert.equal(link?.mimeType, 'video/mp4')
      assert.ok(!JSON.stringify(done.blocks).includes('"blob"'))
      await assertFilm(kinora, ann, new Uint8Array(await (await fetch(link?.uri ?? '')).arrayBuffer()))
      const { contents } = await client.readResource({ uri: `kinora://video/${made.data.uuid}` })
      assert.equal(JSON.parse((contents[0] as { text: string }).text).status, 'COMPLETED')
      await client.close()
    })
  }

  check(
    'list_models, quote_video, get_credits, list_videos',
    'models with prices, a price, the balance, the films',
    async () => {
      const ann = await customer(kinora)
      const { call, client } = await connectMcp(kinora.url, ann.apiKey)
      const { models } = (await call('list_models')).data as { models: { id: string }[] }
      assert.deepEqual(
        models.map(({ id }) => id),
        ['alpha-2', 'beta-3-1', 'delta-1-5'],
      )
      const quoted = {
        credits: 16,
        ceiling: false,
        available: 60,
        enough: true,
        mode: 'text-to-video',
        provider: 'provider-b',
      }
      const { prompt: _, ...withoutPrompt } = film
      for (const given of [film, withoutPrompt]) {
        assert.deepEqual((await call('quote_video', given)).data, { ...quoted, estimatedSeconds: 60 })
      }
      await call('generate_video', film)
      const { data: credits, text } = await call('get_credits')
      const native = await kinora.call<{ packages: object[] }>('GET', '/api/v1/credit/packages', { as: ann })
      assert.equal(native.data.packages.length, 1)
      const balance = { ...noCredits, available: 44, frozen: 16, total: 60 }
      assert.deepEqual(credits, { ...balance, packages: native.data.packages })
      assert.deepEqual(JSON.parse(text), credits)
      const { videos, total } = (await call('list_videos', { q: 'boat' })).data as { videos: object[]; total: number }
      assert.deepEqual([videos.length, total], [1, 1])
      assert.equal(((await call('list_videos', { q: 'other' })).data as { total: number }).total, 0)
      assert.equal((await client.readResource({ uri: 'kinora://models' })).contents.length, 1)
      await client.close()
    },
  )

  check('cancel_video, delete_video', 'credits back; gone from the list', async () => {
    const ann = await customer(kinora)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const { uuid } = (await call('generate_video', film)).data
    assert.equal((await call('cancel_video', { uuid })).data.status, 'FAILED')
    assert.equal((await call('get_credits')).data.available, 60)
    assert.deepEqual((await call('delete_video', { uuid })).data, { uuid, deleted: true })
    assert.match((await call('get_video', { uuid })).text, /^NOT_FOUND: /)
    await client.close()
  })

  check('resources/read', 'the models, a film; one that is not there is -32602 with its URI', async () => {
    const [ann, eve] = [await customer(kinora), await customer(kinora)]
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const other = await connectMcp(kinora.url, eve.apiKey)
    const uri = `kinora://video/${(await call('generate_video', film)).data.uuid}`
    const { contents } = await client.readResource({ uri })
    assert.equal((JSON.parse((contents[0] as { text: string }).text) as { status: string }).status, 'PENDING')
    for (const missing of ['kinora://video/none', uri]) {
      const error = { code: -32602, data: { uri: missing } }
      await assert.rejects(other.client.readResource({ uri: missing }), error)
    }
    await Promise.all([client.close(), other.client.close()])
  })

  check('resources/read while the database does not answer', '-32603 without what the database says', async () => {
    const ann = await customer(kinora)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const uri = `kinora://video/${(await call('generate_video', film)).data.uuid}`
    await beginFor(kinora.app.sql, ann.userId, async (sql) => {
      await sql`lock table kinora.video in access exclusive mode`
      await assert.rejects(client.readResource({ uri }), (error: Error & { code: number }) => {
        assert.equal(error.code, -32603)
        assert.match(error.message, /Another request of this account takes long; try again shortly\.$/)
        return true
      })
    })
    await client.close()
  })

  check('generate_video with maxCredits below the price', 'an error that names both; no film', async () => {
    const ann = await customer(kinora)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const refused = await call('generate_video', { ...film, maxCredits: 15 })
    assert.ok(refused.isError)
    assert.match(refused.text, /costs 16 credits, more than the maxCredits of 15/)
    assert.equal((await videosOf(kinora, ann)).length, 0)
    assert.equal((await call('generate_video', { ...film, maxCredits: 16 })).isError, false)
    await client.close()
  })

  check('generate_video and quote_video with n', 'the price of all films, and their uuids', async () => {
    const ann = await customer(kinora, 40)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const { data: quoted } = await call('quote_video', { ...film, n: 3 })
    assert.deepEqual([quoted.credits, quoted.available, quoted.enough], [48, 40, false])
    const refused = await call('generate_video', { ...film, n: 2, maxCredits: 31 })
    assert.match(refused.text, /These 2 films cost 32 credits, more than the maxCredits of 31/)
    assert.match((await call('generate_video', { ...film, n: 3 })).text, /^INSUFFICIENT_CREDITS: These 3 films cost 48/)
    const { data } = await call('generate_video', { ...film, n: 2 })
    const made = await videosOf(kinora, ann)
    assert.deepEqual(data.uuids, made.map(({ id }) => id).sort())
    assert.equal(data.uuid, data.batchId)
    await client.close()
  })

  check('generate_video without credits, or with wrong values', 'an error with its code; no film', async () => {
    const poor = await customer(kinora, 3)
    const { call, client } = await connectMcp(kinora.url, poor.apiKey)
    const refused = await call('generate_video', film)
    assert.ok(refused.isError)
    assert.match(refused.text, /^INSUFFICIENT_CREDITS: .*16 credits/)
    const cases: [change: object, message: RegExp][] = [
      [{ model: 'none' }, /^UNSUPPORTED_MODEL/],
      [{ duration: 99 }, /^DURATION_OUT_OF_RANGE/],
      [{ startImageUrl: 'https://127.0.0.1/a.png' }, /^INVALID_REQUEST: The startImageUrl/],
      [{ prompt: undefined }, /prompt/],
    ]
    for (const [change, message] of cases) {
      const wrong = await call('generate_video', { ...film, ...change })
      assert.ok(wrong.isError)
      assert.match(wrong.text, message)
    }
    await client.close()
  })

  check('generate_video with fields that are null, or unknown', 'absent; an error that names the field', async () => {
    const ann = await customer(kinora)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const unset = { quality: null, startImageUrl: null, maxCredits: null, waitSeconds: null, idempotencyKey: null }
    assert.equal((await call('generate_video', { ...film, ...unset })).data.status, 'PENDING')
    assert.equal((await call('list_videos', { q: null, page: null })).data.total, 1)
    for (const tool of ['generate_video', 'quote_video']) {
      const { isError, text } = await call(tool, { ...film, resolution: '1080p' })
      assert.ok(isError)
      assert.match(text, /^INVALID_REQUEST: This service does not support resolution here/)
    }
    assert.equal((await call('quote_video', { ...film, maxCredits: 20, waitSeconds: 5 })).data.credits, 16)
    assert.equal((await videosOf(kinora, ann)).length, 1)
    await client.close()
  })

  for (const era of ['2026-07-28', '2025-11-25'] as const) {
    check(
      `${era}: get_video with a progressToken, while it waits`,
      'progress notifications that increase',
      async () => {
        const ann = await customer(kinora)
        const { call, client } = await connectMcp(kinora.url, ann.apiKey, era)
        const { uuid } = (await call('generate_video', film)).data
        const seen: { progress: number; total?: number | undefined; message?: string | undefined }[] = []
        const waiting = client.callTool(
          { name: 'get_video', arguments: { uuid, waitSeconds: 50 } },
          { onprogress: (progress) => seen.push(progress) },
        )
        // The first one, and a heartbeat: the film makes no progress until a worker has it.
        await waitFor('two notifications', () => seen.length > 1)
        await completeOnly(kinora, ann)
        const { structuredContent } = await waiting
        assert.equal((structuredContent as { status: string }).status, 'COMPLETED')
        assert.deepEqual(
          seen.slice(0, 2).map(({ progress, total, message }) => [progress, total, message]),
          [
            [0, 100, 'PENDING'],
            [0.01, 100, 'PENDING'],
          ],
        )
        await client.close()
      },
    )
  }

  check('generate_video with startImageUrl', 'the picture begins the film', async () => {
    const ann = await customer(kinora)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const startImageUrl = 'https://example.com/boat.png'
    assert.equal((await call('generate_video', { ...film, startImageUrl })).data.status, 'PENDING')
    assert.deepEqual(
      (await videosOf(kinora, ann)).map((video) => video.startImageUrl),
      [startImageUrl],
    )
    await client.close()
  })

  check('generate_video of a film that fails', 'FAILED with the reason; credits are back', async () => {
    const ann = await customer(kinora)
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const waiting = call('generate_video', { ...film, prompt: '[fail: no luck]', waitSeconds: 50 })
    await finishOnly(kinora, ann)
    const { data } = await waiting
    assert.deepEqual([data.status, data.creditsUsed], ['FAILED', 0])
    assert.match(String(data.error), /no luck/)
    assert.equal((await call('get_credits')).data.available, 60)
    await client.close()
  })

  check('generate_video whose response is lost, again with its idempotencyKey', 'the same film', async () => {
    const ann = await customer(kinora)
    const lost = losingFetch((body) => body.includes('tools/call'))
    const given = { ...film, idempotencyKey: 'boat-1', startImageUrl: 'https://example.com/boat.png' }
    const { call, client } = await connectMcp(kinora.url, ann.apiKey)
    const losing = await connectMcp(kinora.url, ann.apiKey, '2026-07-28', lost.fetch)
    await assert.rejects(losing.call('generate_video', given))
    const again = await call('generate_video', given)
    assert.equal((await call('generate_video', given)).data.uuid, again.data.uuid)
    // The price has risen meanwhile.
    assert.equal((await call('generate_video', { ...given, maxCredits: 15 })).data.uuid, again.data.uuid)
    assert.deepEqual(
      (await videosOf(kinora, ann)).map(({ id }) => id),
      [again.data.uuid],
    )
    await client.close()
  })

  check('any call with a wrong key, or from a page elsewhere', '401 with WWW-Authenticate; 403', async () => {
    await assert.rejects(connectMcp(kinora.url, 'kin_wrong'))
    const ann = await customer(kinora)
    const send = (headers: Record<string, string>, method = 'POST') =>
      fetch(`${kinora.url}/mcp`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) } : {}),
      })
    const refused = await send({})
    assert.equal(refused.status, 401)
    assert.match(
      refused.headers.get('www-authenticate') ?? '',
      /^Bearer realm="Kinora", resource_metadata="[^"]+", scope="read generate"$/,
    )
    assert.equal(((await refused.json()) as { jsonrpc: string }).jsonrpc, '2.0')
    const authorization = `Bearer ${ann.apiKey}`
    assert.equal((await send({ authorization, origin: 'http://evil.example' })).status, 403)
    assert.equal((await send({ authorization, origin: kinora.url })).status, 200)
    assert.equal((await send({ authorization }, 'GET')).status, 405)
    assert.equal((await send({ authorization }, 'HEAD')).status, 405)
  })
}

/** Whether generate_video is refused by the rate limit. */
export async function mcpIsLimited(url: string, apiKey: string): Promise<void> {
  const { call, client } = await connectMcp(url, apiKey)
  const refused = await call('generate_video', film)
  assert.ok(refused.isError)
  assert.match(refused.text, /^RATE_LIMITED: /)
  await client.close()
}
