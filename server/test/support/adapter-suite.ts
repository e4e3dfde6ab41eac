/** What every adapter must do, run against the simulator's dialect of its vendor. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Account,
  Adapter,
  Callback,
  Handle,
  Provider,
  ReceivedCallback,
  Report,
  Task,
} from '../../src/provider/provider.ts'
import { assertHostileAnswers } from './hostile-vendor.ts'
import { plain } from './images.ts'
import { atScriptedVendor } from './scripted-vendor.ts'
import { sharedSimulator, startSimulator } from './simulator.ts'

export type AdapterCase = {
  /** The name of the account and of the dialect. */
  id: string
  adapter: Adapter
  /** In titles, where an adapter has several cases. */
  name?: string
  model: string
  /** That of a start image, where it has another name. */
  imageModel?: string
  /** The smallest film, as a route would ask for it. `image`: a link, or what the adapter's `upload` returned. */
  input: (prompt: string, image?: string) => Record<string, unknown>
  /** Whether the vendor promises that a 503 has accepted nothing. */
  isBusyCertain?: boolean
  /** A key that the adapter can read, where it is not a text of any kind. */
  apiKey?: (address: string) => string
  webhookKey?: string
  /** `queued`: the vendor cancels no task that has begun. */
  cancels?: 'queued'
  /** What this vendor's protocol cannot express, each with the reason. */
  without?: Partial<
    Record<
      | 'ok-error'
      | 'forgotten'
      | 'expired-link'
      | 'bad-parameters'
      | 'failure-text'
      | 'no-film'
      | 'unknown-status'
      | 'image'
      | 'callback'
      | 'changed-body'
      | 'cancel'
      | 'find',
      string
    >
  >
  /** The vendor's own client makes a film at `address`, in place of all the vendor's hosts. @returns bytes or a link */
  client?: (address: string, prompt: string) => Promise<Uint8Array | string>
}

/** The first value that is done; asks every 20 ms. */
export const settled = async <T>(get: () => Promise<T | null>, isDone: (value: T) => boolean): Promise<T> => {
  for (let turn = 0; turn < 600; turn += 1) {
    const value = await get()
    if (value !== null && isDone(value)) return value
    await sleep(20)
  }
  throw new Error('the task does not end')
}
export const isMp4 = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(4, 8)).toString('latin1') === 'ftyp'

const SHORT_TIMEOUT_S = 0.4

/** Counts over all cases, since a simulator tells videos apart by their ids. */
let films = 0

/** @returns what further tests of the adapter need */
export async function adapterSuite(each: AdapterCase) {
  const { webhookKey = null } = each
  const simulator = webhookKey
    ? await startSimulator({ env: { [`PROVIDER_${each.id.toUpperCase()}_WEBHOOK_KEY`]: webhookKey } })
    : await sharedSimulator()
  const address = `${simulator.url}/${each.id}`
  const apiKey = each.apiKey?.(address) ?? 'key'
  const account: Account = { id: each.id, url: address, apiKey, webhookKey, timeoutS: 20 }
  const provider = each.adapter.open(account)
  const short = each.adapter.open({ ...account, timeoutS: SHORT_TIMEOUT_S })
  const png = await plain(64, 64)
  const inbox = await openInbox(png)
  const title = (text: string) => `${each.name ?? each.id}: ${text}`
  const { capabilities } = each.adapter
  const isSynchronous = capabilities.submit === 'synchronous'
  const { without = {} } = each

  before(async () => {
    assert.equal(Boolean(provider.readCallback), capabilities.callback !== null)
    assert.equal(Boolean(provider.poll), !isSynchronous)
  })
  after(async () => {
    await Promise.all([provider.close(), short.close(), inbox.close(), simulator.stop()])
  })

  const taskOf = (sentinels: string, image?: string): Task => {
    films += 1
    const videoId = `0199aaaa-0000-7000-8000-${String(films).padStart(12, '0')}`
    const callbackUrl = `${inbox.url}/${videoId}?ref=${each.id}.${videoId}&sig=00`
    const model = image === undefined ? each.model : (each.imageModel ?? each.model)
    return { videoId, callbackUrl, model, input: each.input(`A boat ${films} ${sentinels}`, image) }
  }
  const accepted = async (task: Task, by: Provider = provider): Promise<{ handle: Handle; report?: Report }> => {
    const outcome = await by.submit(task)
    assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome))
    return outcome as Extract<typeof outcome, { kind: 'accepted' }>
  }
  const poll = async (handle: Handle): Promise<Report | null> => (await provider.poll?.(handle)) ?? null
  const ended = (handle: Handle) =>
    settled(
      () => poll(handle),
      ({ kind }) => kind !== 'running',
    )
  const filmOf = async (handle: Handle, report: Report): Promise<Uint8Array> => {
    assert.equal(report.kind, 'completed', JSON.stringify(report))
    const { result } = report as Extract<Report, { kind: 'completed' }>
    const opened = provider.openResult
      ? await provider.openResult(handle, result)
      : { kind: 'link' as const, url: result }
    assert.ok(opened && opened.kind !== 'gone', JSON.stringify(opened))
    if (opened.kind === 'bytes') return opened.bytes
    const response = await fetch(opened.url, { headers: 'headers' in opened ? (opened.headers ?? {}) : {} })
    assert.equal(response.status, 200)
    return new Uint8Array(await response.arrayBuffer())
  }
  const filmAfter = async (task: Task): Promise<Uint8Array> => {
    const { handle, report } = await accepted(task)
    return filmOf(handle, report?.kind === 'completed' ? report : await ended(handle))
  }

  test(title('a task → accepted, then completed with a film'), async () => {
    assert.ok(isMp4(await filmAfter(taskOf(''))))
  })
  if (!without.image) {
    test(title('a start image → taken, then a film'), async () => {
      const uploaded = provider.upload
        ? await provider.upload({ file: new Blob([new Uint8Array(png)]), contentType: 'image/png', name: 'start.png' })
        : null
      if (uploaded) assert.equal(uploaded.kind, 'uploaded', JSON.stringify(uploaded))
      assert.ok(isMp4(await filmAfter(taskOf('', uploaded?.kind === 'uploaded' ? uploaded.value : inbox.imageUrl))))
    })
  }
  refusals()
  if (isSynchronous) immediateResults()
  else results()
  if (provider.cancel && !without.cancel) cancels(provider.cancel)
  if (provider.readCallback && !without.callback) callbacks(provider.readCallback)
  if (provider.find && !without.find) finds(provider.find)
  test(title('a response with any field replaced → an outcome within the contract'), async () => {
    await assertHostileAnswers(
      each.adapter,
      account,
      () => taskOf(''),
      (by, handle) =>
        settled(
          async () => (await by.poll?.(handle)) ?? null,
          ({ kind }) => kind !== 'running',
        ),
    )
  })
  if (provider.checkKey) {
    test(title('checkKey → a good key is accepted, a wrong one refused'), async () => {
      assert.equal((await provider.checkKey?.())?.kind, 'accepted')
      const wrong = each.adapter.open({ ...account, apiKey: 'wrong' })
      assert.equal((await wrong.checkKey?.())?.kind, 'refused')
      await wrong.close()
    })
  }
  const { client } = each
  if (client) {
    test(title("the vendor's own client → a film from the same dialect"), async () => {
      const film = await client(address, 'A boat of the client')
      const bytes = typeof film === 'string' ? new Uint8Array(await (await fetch(film)).arrayBuffer()) : film
      assert.ok(isMp4(bytes))
    })
  }

  return { provider, short, taskOf, accepted, ended }

  function refusals(): void {
    test(title('refused for its content → CONTENT_REFUSED with the text'), async () => {
      const outcome = await provider.submit(taskOf('[refuse: This prompt breaks our content policy]'))
      assert.equal(outcome.kind, 'refused', JSON.stringify(outcome))
      const { failure } = outcome as Extract<typeof outcome, { kind: 'refused' }>
      assert.equal(failure.code, 'CONTENT_REFUSED')
      assert.match(failure.message, /breaks our content policy/)
    })
    if (!without['bad-parameters']) {
      test(title('refused for its parameters → PARAMETERS_REFUSED with the text'), async () => {
        const outcome = await provider.submit(taskOf('[bad-parameters: seconds must be 5 or 10]'))
        assert.equal(outcome.kind, 'refused', JSON.stringify(outcome))
        const { failure } = outcome as Extract<typeof outcome, { kind: 'refused' }>
        assert.equal(failure.code, 'PARAMETERS_REFUSED')
        assert.match(failure.message, /seconds must be 5 or 10/)
      })
    }
    const notAccepted: [string, string, boolean][] = [
      ['our balance', '[balance]', false],
      ['too many requests', '[rate-limit]', true],
    ]
    for (const [what, sentinel, retryable] of notAccepted) {
      test(
        title(`${what} → not accepted, ${retryable ? 'retryable' : 'at fault until an operator acts'}`),
        async () => {
          const outcome = await provider.submit(taskOf(sentinel))
          assert.deepEqual(
            { ...outcome, reason: '' },
            { kind: 'not_accepted', reason: '', retryable, ...retryAfterOf(outcome) },
          )
        },
      )
    }
    if (!each.apiKey) {
      test(title('a wrong key → not accepted, at fault until an operator acts'), async () => {
        const wrong = each.adapter.open({ ...account, apiKey: 'wrong' })
        const outcome = await wrong.submit(taskOf(''))
        await wrong.close()
        assert.deepEqual({ ...outcome, reason: '' }, { kind: 'not_accepted', reason: '', retryable: false })
      })
    }
    if (!without['ok-error']) {
      test(title('HTTP 200 with an error and no task → refused with its text'), async () => {
        const outcome = await provider.submit(taskOf('[ok-error: The engine is broken]'))
        assert.equal(outcome.kind, 'refused', JSON.stringify(outcome))
        assert.match((outcome as Extract<typeof outcome, { kind: 'refused' }>).failure.message, /The engine is broken/)
      })
    }
    test(title('503 → certain only where the vendor promises it'), async () => {
      const { kind } = await provider.submit(taskOf('[down: 1]'))
      assert.equal(kind, each.isBusyCertain ? 'not_accepted' : 'unknown')
    })
    test(title(`${isSynchronous ? '' : '500, '}no response → unknown; no connection → not accepted`), async () => {
      if (!isSynchronous) assert.equal((await provider.submit(taskOf('[vague]'))).kind, 'unknown')
      // A vendor with a sign-in is asked for a token first: without one in time the task was certainly not sent.
      while (!isSynchronous && (await short.submit(taskOf(''))).kind === 'not_accepted');
      // A submit that returns the film may last longer than other calls: its caller ends it.
      const options = isSynchronous ? { signal: AbortSignal.timeout(SHORT_TIMEOUT_S * 1000) } : {}
      assert.equal((await short.submit(taskOf('[hang]'), options)).kind, 'unknown')
      const nowhere = each.adapter.open({ ...account, url: 'http://127.0.0.1:9' })
      assert.equal((await nowhere.submit(taskOf(''))).kind, 'not_accepted')
      await nowhere.close()
    })
  }

  function immediateResults(): void {
    test(title('a film that failed → its text, and the task is no longer unknown'), async () => {
      const outcome = await provider.submit(taskOf('[fail: the engine ran out of steam]'))
      assert.equal(outcome.kind, 'refused', JSON.stringify(outcome))
      const { failure } = outcome as Extract<typeof outcome, { kind: 'refused' }>
      assert.equal(failure.code, 'PROVIDER_ERROR')
      assert.match(failure.message, /ran out of steam/)
    })
    test(title('a response without a film → failed with the text, or no film'), async () => {
      assert.equal((await provider.submit(taskOf('[no-film: nothing came out]'))).kind, 'refused')
      assert.deepEqual((await accepted(taskOf('[no-film]'))).report, { kind: 'no_film' })
    })
  }

  function results(): void {
    test(title(`a failed task → ${without['failure-text'] ? 'failed' : 'its text'}`), async () => {
      const { handle } = await accepted(taskOf('[fail: the engine ran out of steam]'))
      const report = await ended(handle)
      assert.equal(report.kind, 'failed', JSON.stringify(report))
      if (without['failure-text']) return
      assert.match((report as Extract<Report, { kind: 'failed' }>).failure.message, /ran out of steam/)
    })
    if (!without['no-film']) {
      test(title('completed without a film → failed with the text, or no film'), async () => {
        const { handle } = await accepted(taskOf('[no-film: nothing came out]'))
        const report = await ended(handle)
        assert.equal(report.kind, 'failed', JSON.stringify(report))
        const silent = await accepted(taskOf('[no-film]'))
        assert.match((await ended(silent.handle)).kind, /^(no_film|failed)$/)
      })
    }
    if (!without.forgotten) {
      test(title('a task that the vendor has forgotten → lost'), async () => {
        const { handle } = await accepted(taskOf('[forgotten]'))
        assert.deepEqual(await poll(handle), { kind: 'lost' })
      })
    }
    if (!without['unknown-status']) {
      test(title('an unknown status → running, with the word'), async () => {
        const { handle } = await accepted(taskOf('[unknown-status] [silent]'))
        const report = await settled(
          () => poll(handle),
          (found) => found.kind !== 'running' || found.note !== undefined,
        )
        assert.match((report as Extract<Report, { kind: 'running' }>).note ?? '', /simmering/i)
      })
    }
    if (provider.openResult && !without['expired-link']) {
      test(title('a link that has expired → opened again'), async () => {
        assert.ok(isMp4(await filmAfter(taskOf('[expired-link]'))))
      })
    }
    test(title('no answer to a poll → null'), async () => {
      const nowhere = each.adapter.open({ ...account, url: 'http://127.0.0.1:9' })
      const { handle } = await accepted(taskOf('[silent]'))
      assert.equal(await nowhere.poll?.(handle), null)
      await nowhere.close()
    })
    test(title('a poll that a proxy answers with an error → null, never a failure'), async () => {
      const { handle } = await accepted(taskOf('[silent]'))
      const message = 'Bad gateway'
      const body = { status: 'failed', state: 'fail', error: { message }, message, detail: message }
      const page = { status: 404, body: '<h1>Not found</h1>' }
      for (const reply of [...[401, 429, 500, 502].map((status) => ({ status, body })), page]) {
        await atScriptedVendor(each.adapter, [reply], async (proxied) => {
          assert.equal(await proxied.poll?.(handle), null, JSON.stringify(reply))
        })
      }
    })
  }

  function cancels(cancel: NonNullable<Provider['cancel']>): void {
    const isQueuedOnly = each.cancels === 'queued'
    test(title(`cancelled while it ${isQueuedOnly ? 'waits' : 'runs'} → CANCELLED`), async () => {
      const { handle } = await accepted(taskOf(`[silent] [slow: 60s] ${isQueuedOnly ? '[queued: 60s]' : ''}`))
      const answer = await cancel(handle)
      assert.ok(answer === 'cancelled' || answer === 'requested', String(answer))
      if (answer === 'cancelled') return
      const report = await ended(handle)
      assert.equal((report as Extract<Report, { kind: 'failed' }>).failure?.code, 'CANCELLED', JSON.stringify(report))
    })
    if (isQueuedOnly) {
      test(title('cancelled while it runs → too late'), async () => {
        const { handle } = await accepted(taskOf('[silent] [slow: 60s]'))
        assert.equal(await cancel(handle), 'too_late')
        assert.equal((await poll(handle))?.kind, 'running')
      })
    }
    test(title('cancelled when it has ended → too late, and the film stays'), async () => {
      const { handle } = await accepted(taskOf(''))
      await ended(handle)
      assert.equal(await cancel(handle), 'too_late')
      assert.ok(isMp4(await filmOf(handle, await ended(handle))))
    })
  }

  function callbacks(readCallback: NonNullable<Provider['readCallback']>): void {
    const received = async (task: Task): Promise<ReceivedCallback> => {
      await accepted(task)
      return settled(
        async () => inbox.find(task.videoId),
        () => true,
      )
    }
    test(title('a callback → its report, or a poll'), async () => {
      assert.match(summary(await readCallback(await received(taskOf('')))), /^(report completed|poll)$/)
      assert.match(
        summary(await readCallback(await received(taskOf('[fail: out of steam]')))),
        /^(report failed|poll)$/,
      )
    })
    test(title('an unreadable callback → unreadable or forged, never a report'), async () => {
      const { headers } = await received(taskOf(''))
      for (const text of ['{"taskId":"', '[]', 'null', 'upstream connect error', '']) {
        const callback = { body: Buffer.from(text), headers, query: new URLSearchParams(), now: new Date() }
        assert.match((await readCallback(callback)).kind, /^(unreadable|forged)$/)
      }
    })
    if (capabilities.callback !== 'signed') return
    test(title('a forged callback: other body, no signature, old signature → forged'), async () => {
      const good = await received(taskOf(''))
      const changed = { ...good, body: Buffer.from(good.body.toString('utf8').replace('task-', 'tusk-')) }
      const unsigned = { ...good, headers: {} }
      const old = { ...good, now: new Date(Date.now() + 6 * 60_000) }
      for (const callback of without['changed-body'] ? [unsigned, old] : [changed, unsigned, old]) {
        assert.deepEqual(await readCallback(callback), { kind: 'forged' })
      }
      if (without['changed-body']) assert.equal((await readCallback(changed)).kind, 'poll')
      assert.match(summary(await readCallback(good)), /^(report completed|poll)$/)
    })
  }

  function finds(find: NonNullable<Provider['find']>): void {
    test(title('an unknown submit → found, or certainly none'), async () => {
      const task = taskOf('[hang]')
      const sentAt = new Date()
      assert.equal((await short.submit(task)).kind, 'unknown')
      const found = await find(task, sentAt)
      assert.equal(found?.kind, 'found', JSON.stringify(found))
      const never = await find(taskOf(''), new Date(Date.now() - 600_000))
      assert.equal(never?.kind, 'none', JSON.stringify(never))
    })
  }
}

const summary = (callback: Callback): string =>
  callback.kind === 'report' ? `report ${callback.report.kind}` : callback.kind
const retryAfterOf = (outcome: object) => ('retryAfterS' in outcome ? { retryAfterS: outcome.retryAfterS } : {})

/** Receives callbacks as they are, by the first segment of their path, and serves a start image. */
async function openInbox(image: Buffer) {
  const received = new Map<string, ReceivedCallback>()
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'image/png' }).end(image)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '', 'http://inbox')
    const headers = request.headers as ReceivedCallback['headers']
    const { challenge } = JSON.parse(body.toString('utf8') || '{}') as { challenge?: string }
    if (challenge === undefined)
      received.set(url.pathname.slice(1), { body, headers, query: url.searchParams, now: new Date() })
    response.end(JSON.stringify(challenge === undefined ? {} : { challenge }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    imageUrl: `${url}/start.png`,
    find: (videoId: string) => received.get(videoId) ?? null,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
