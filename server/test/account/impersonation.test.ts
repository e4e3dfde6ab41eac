/** Impersonation ends with the administrator's session and rights, reads only without a reason, and is seen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleRequest } from '../../src/film/fields.ts'
import { bearer, openAuthCalls } from '../support/auth-calls.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openStream } from '../support/event-stream-client.ts'
import { readDocuments } from '../support/served-document.ts'
import { waitFor } from '../support/video-row.ts'

const { kinora, call, signUp, openAdministrator } = await openAuthCalls({ EXPLORE: 'on' })
const { sql } = kinora.app
const root = await openAdministrator()
const REASON = 'The user asked for help'

type Administrator = Awaited<ReturnType<typeof openAdministrator>>

async function impersonate(userId: string, { headers }: Pick<Administrator, 'headers'>, reason?: string) {
  const { status, json } = await call('impersonateUser', { userId, ...(reason && { reason }) }, headers)
  assert.equal(status, 200, JSON.stringify(json))
  return { session: json.session, headers: bearer(json.session.token), token: String(json.session.token) }
}

type Kind = 'read' | 'spend' | 'change'
const acts: Record<Kind, [method: string, path: string, body?: object]> = {
  read: ['GET', '/api/v1/credit/balance'],
  spend: ['POST', '/api/v1/video/generate', exampleRequest],
  change: ['POST', '/api/v1/video/arrange', { uuids: ['01939b1e-0000-7000-8000-000000000001'], favourite: true }],
}
const statusOf = async (kind: Kind, headers: Record<string, string>) => {
  const [method, path, body] = acts[kind]
  return (await kinora.call(method, path, { headers, body })).status
}

const ends: Record<string, (administrator: Administrator) => Promise<unknown>> = {
  demoted: ({ userId }) => call('setRole', { userId, role: 'user' }, root.headers),
  'demoted by an operator': ({ userId }) => sql`update public."user" set role = null where id = ${userId}`,
  banned: ({ userId }) => call('banUser', { userId }, root.headers),
  deleted: ({ userId }) =>
    kinora.call('DELETE', `/api/v1/admin/users/${userId}`, { headers: root.headers, body: { reason: 'Has left' } }),
  'signed out': ({ headers }) => call('signOut', undefined, headers),
  'sessions revoked': ({ userId }) => call('revokeUserSessions', { userId }, root.headers),
}
for (const [name, end] of Object.entries(ends)) {
  test(`401: impersonation whose administrator is ${name} → reads, spends and changes nothing, and its event stream ends`, async () => {
    const administrator = await openAdministrator()
    const { userId } = await kinora.person()
    const { headers, token } = await impersonate(userId, administrator, REASON)
    for (const kind of Object.keys(acts) as Kind[]) assert.equal(await statusOf(kind, headers), 200, kind)
    const stream = await openStream(kinora.url, { userId, token, email: '' })
    await end(administrator)
    assert.equal(await stream.ended(), 'clean')
    for (const kind of Object.keys(acts) as Kind[]) assert.equal(await statusOf(kind, headers), 401, kind)
    assert.deepEqual(
      [...(await sql`select from public.session where "userId" = ${userId} and "impersonatedBy" is not null`)],
      [],
    )
  })
}

test('200: session of the administrator that began no impersonation signed out → the impersonation goes on', async () => {
  const { userId, email } = await signUp()
  await sql`update public."user" set role = 'admin' where id = ${userId}`
  const [first, second] = [
    await call('signIn', { email, password: 'correct horse battery' }),
    await call('signIn', { email, password: 'correct horse battery' }),
  ]
  const ann = await kinora.person()
  const { headers } = await impersonate(ann.userId, { headers: bearer(first.json.token) })
  await call('signOut', undefined, bearer(second.json.token))
  assert.equal((await call('getSession', undefined, headers)).json.user.id, ann.userId)
})

test('getSession: impersonation of a program → ends after an hour all the same', async () => {
  const ann = await kinora.person()
  const { session, headers } = await impersonate(ann.userId, root)
  await call('getSession', undefined, headers)
  const [row] = await sql<[{ end: Date }]>`select "expiresAt" as end from public.session where id = ${session.id}`
  assert.equal(row?.end.toISOString(), session.expiresAt)
})

test('403: impersonation without a reason → spends and changes nothing', async () => {
  const ann = await kinora.person()
  const { headers } = await impersonate(ann.userId, root)
  assert.equal(await statusOf('read', headers), 200)
  assert.equal(await statusOf('spend', headers), 403)
  assert.equal(await statusOf('change', headers), 403)
})

test('400: blank reason → no impersonation begins', async () => {
  const ann = await kinora.person()
  assert.equal((await call('impersonateUser', { userId: ann.userId, reason: ' ' }, root.headers)).status, 400)
})

test('403: impersonation → begins no second one, has no rights of an administrator, and ends when its user becomes one', async () => {
  const [ann, ben] = [await kinora.person(), await kinora.person()]
  const { headers } = await impersonate(ann.userId, root, REASON)
  assert.equal((await call('impersonateUser', { userId: ben.userId }, headers)).json.code, 'FORBIDDEN')
  assert.equal((await kinora.call('GET', '/api/v1/admin/users', { headers })).status, 403)
  const other = await openAdministrator()
  assert.equal(
    (await call('impersonateUser', { userId: other.userId }, root.headers)).json.code,
    'YOU_CANNOT_IMPERSONATE_ADMINS',
  )
  await call('setRole', { userId: ann.userId, role: 'admin' }, root.headers)
  await waitFor('the end', async () => (await statusOf('read', headers)) === 401)
})

test('listSessions: impersonation → the user sees who began it, and ends it', async () => {
  const ann = await signUp()
  const { headers } = await impersonate(ann.userId, root, REASON)
  const sessions = (await call('listSessions', undefined, ann.headers)).json
  const shown = sessions.find((each: { impersonatedBy: string | null }) => each.impersonatedBy !== null)
  assert.deepEqual([shown.impersonatedBy, shown.impersonationReason], [root.userId, REASON])
  await call('revokeSession', { token: shown.token }, ann.headers)
  await waitFor('the end', async () => (await statusOf('read', headers)) === 401)
})

test('audit: each request that changes something for a user → names the administrator and the user', async () => {
  const ann = await kinora.person()
  const { headers } = await impersonate(ann.userId, root, REASON)
  for (const kind of Object.keys(acts) as Kind[]) await statusOf(kind, headers)
  const { data } = await kinora.call('GET', `/api/v1/admin/audit?userId=${ann.userId}&action=user.act`, {
    headers: root.headers,
  })
  const entries = data.entries as { actorEmail: string; userEmail: string; after: { path: string }; reason: string }[]
  assert.deepEqual(
    entries.map(({ actorEmail, userEmail, after, reason }) => [actorEmail, userEmail, after.path, reason]),
    ['/api/v1/video/arrange', '/api/v1/video/generate'].map((path) => [root.email, ann.email, path, REASON]),
  )
})

/** What an impersonation may do with a reason. A new change is refused until it is added here. */
const CHANGES = [
  'addShots',
  'arrangeVideos',
  'cancelVideo',
  'changeAsset',
  'changeProject',
  'changeShot',
  'createVideoFolder',
  'generateProject',
  'generateVideo',
  'makeProject',
  'publishVideo',
  'renameVideoFolder',
  'renderProject',
  'revokeShare',
  'shareVideo',
  'unpublishVideo',
  'uploadAsset',
  'uploadImage',
]
/** Exports, and the ways to sign in. */
const REFUSED_READS = [
  'archiveProject',
  'archiveVideos',
  'downloadCreditUsage',
  'downloadShots',
  'exportAccount',
  'exportTeam',
  'listAccounts',
  'listPasskeys',
  'passkeyCreationOptions',
]

test('403: every operation that changes something → refused without a reason, and all but the listed ones with it', async () => {
  const { paths } = await readDocuments<{
    paths: Record<string, Record<string, { operationId?: string; security?: unknown[] }>>
  }>(kinora)
  const ann = await kinora.person()
  const [reading, changing] = [await impersonate(ann.userId, root), await impersonate(ann.userId, root, REASON)]
  const isRefused = async (method: string, path: string, headers: Record<string, string>) => {
    const url = kinora.url + path.replaceAll(/\{\w+\}/g, '01939b1e-0000-7000-8000-000000000001')
    const sent = { ...headers, 'content-type': 'application/json' }
    const controller = new AbortController()
    const response = await fetch(url, {
      method,
      headers: sent,
      signal: controller.signal,
      ...(method === 'GET' ? {} : { body: '{}' }),
    })
    const refused =
      response.status === 403 && /signed in for another user|Only an administrator/.test(await response.text())
    controller.abort()
    return refused
  }
  const [permitted, withReason, refusedReads]: string[][] = [[], [], []]
  for (const [path, operations] of Object.entries(paths)) {
    for (const [name, { operationId, security }] of Object.entries(operations)) {
      const method = name.toUpperCase()
      // The walk itself would end with these two.
      if (!operationId || !security?.length || /stream|stopImpersonating|signOut/i.test(operationId)) continue
      const [plain, reasoned] = [
        await isRefused(method, path, reading.headers),
        await isRefused(method, path, changing.headers),
      ]
      if (!plain && method !== 'GET') permitted?.push(operationId)
      if (plain && !reasoned) withReason?.push(operationId)
      if (reasoned && method === 'GET' && !path.includes('/admin/')) refusedReads?.push(operationId)
    }
  }
  assert.deepEqual(permitted?.sort(), ['hasPermission', 'quoteProject', 'quoteVideo'])
  assert.deepEqual(withReason?.sort(), CHANGES)
  assert.deepEqual(refusedReads?.sort(), REFUSED_READS)
})

test('404: film that an administrator shared and published for a user → ends with the administrator’s rights; what the user takes over stays', async () => {
  const [ann, administrator] = [await kinora.person(), await openAdministrator()]
  const [uuid, kept] = [await completedVideo(kinora, ann), await completedVideo(kinora, ann)]
  const { headers } = await impersonate(ann.userId, administrator, REASON)
  const put = async (of: string, sent: Record<string, string>) => {
    const { data: shared } = await kinora.call('PUT', `/api/v1/video/${of}/share`, { headers: sent, body: {} })
    const { data } = await kinora.call('PUT', `/api/v1/video/${of}/publication`, { headers: sent, body: {} })
    const share = shared.share as { url: string; administratorId: string | null }
    const publication = data.publication as { id: string; administratorId: string | null }
    assert.equal(share.administratorId, publication.administratorId)
    return {
      paths: [`/api/v1/share/${share.url.split('/').at(-1)}`, `/api/v1/explore/${publication.id}`],
      by: share.administratorId,
    }
  }
  const statuses = (paths: string[]) => Promise.all(paths.map(async (path) => (await kinora.call('GET', path)).status))
  const [of, taken] = [await put(uuid, headers), await put(kept, headers)]
  assert.deepEqual([of.by, await statuses(of.paths)], [administrator.userId, [200, 200]])
  assert.equal((await put(kept, bearer(ann.token))).by, null)
  await call('setRole', { userId: administrator.userId, role: 'user' }, root.headers)
  assert.deepEqual(
    [await statuses(of.paths), await statuses(taken.paths)],
    [
      [404, 404],
      [200, 200],
    ],
  )
  await call('setRole', { userId: administrator.userId, role: 'admin' }, root.headers)
  assert.deepEqual(await statuses(of.paths), [404, 404], 'promoted again')
})

test('403: webhookUrl of a generation while impersonating with a reason → refused, and nothing is made', async () => {
  const ann = await kinora.person()
  const { headers } = await impersonate(ann.userId, root, REASON)
  const body = { ...exampleRequest, webhookUrl: 'https://hooks.example.com/kinora' }
  const { status, error } = await kinora.call('POST', '/api/v1/video/generate', { headers, body })
  assert.deepEqual([status, error?.details], [403, { reason: 'impersonating' }])
  assert.deepEqual([...(await sql`select from kinora.video where user_id = ${ann.userId}`)], [])
})
