// slow
/**
 * Fuzzing: generated requests to every operation of openapi.json, raw HTTP, hostile URLs and mutated media. No response
 * may contain what a foreign user or team has. `npm run fuzz` makes the full run; here a short one with a fixed seed.
 * FUZZ_SEED repeats a run, FUZZ_ONLY=<n> one request of it.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { Pool } from 'undici'
import { catalogue } from '../../server/src/catalogue/catalogue.ts'
import { inspectAsset } from '../../server/src/media/asset/inspect.ts'
import { inspectFilm } from '../../server/src/media/film/inspect.ts'
import { inspectImage } from '../../server/src/media/image/inspect.ts'
import { MediaRefused } from '../../server/src/media/refusal.ts'
import { FetchError } from '../../server/src/net/fetch-error.ts'
import { openSafeFetch } from '../../server/src/net/safe-fetch.ts'
import { canary, limits, openCanary } from '../../server/test/support/fetch-canary.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { readDocuments } from '../../server/test/support/served-document.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { filmFixtures, imageFixtures, mutations, soundFixtures, uploadedFilmFixtures } from '../fuzz/media.ts'
import { readOperations } from '../fuzz/operations.ts'
import { pick } from '../fuzz/random.ts'
import { exchange, mutatedShape, shapes } from '../fuzz/raw.ts'
import { asCurl, type FuzzRequest, type Known, makeRequest, sendRequest } from '../fuzz/requests.ts'
import { hostileUrl } from '../fuzz/urls.ts'

const numberOf = (name: string, fallback: number) => Number(process.env[name] || fallback)
const SEED = numberOf('FUZZ_SEED', 1)
const REQUESTS = numberOf('FUZZ_REQUESTS', 400)
const MEDIA = numberOf('FUZZ_MEDIA', 12)
const URLS = numberOf('FUZZ_URLS', 500)
/** Mutated files that are inspected at a time, one of each kind. */
const CONCURRENCY = 4
const SHAPES = numberOf('FUZZ_SHAPES', 40)
/** A person may be signed out or deleted by a request; after so many requests there are new ones. */
const PEOPLE_FOR = 25
const PROBLEMS_MAX = 20
/** The server sends nothing for 200 ms: it waits for the rest of a request. */
const SILENCE_MS = 400

const kinora = await openKinora()
const teams = openTeams(kinora)
openCanary()
/** What the run did, for docs/reliability.md. */
const figures: Record<string, unknown> = { seed: SEED }
after(async () => {
  if (process.env.FUZZ_REPORT) await writeFile(process.env.FUZZ_REPORT, JSON.stringify(figures))
})

type Caller = 'anonymous' | 'user' | 'key' | 'test key' | 'owner' | 'member' | 'administrator'
const callers: Caller[] = ['anonymous', 'user', 'key', 'test key', 'owner', 'member', 'administrator']
/** In names and prompts of a user and a team that only administrators may read. Their ids are known values. */
const FOREIGN = 'Quetzalcoatlus'
type People = { headers: Record<Caller, Record<string, string>>; known: Known }

/** New people with rows of every kind, and the values of these rows by the names of the parameters that take them. */
async function openPeople(): Promise<People> {
  const bearer = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
  const [ann, bob, root] = [
    await kinora.person({ credits: 200 }),
    await kinora.person({ credits: 100 }),
    await kinora.person({ role: 'admin', credits: 50 }),
  ]
  const keyOf = async (limits: object) => {
    const { text } = await kinora.call('POST', '/api/auth/api-key/create', {
      as: bob,
      body: { name: 'fuzz', ...limits },
    })
    return (JSON.parse(text) as { key?: string }).key ?? ''
  }
  const { team, foreign } = { team: await openTeam(ann, bob, 'North'), foreign: await openForeign() }
  const made = [await kinora.generate(ann), await kinora.generate(bob), await kinora.generate(root)]
  const uuids = [...made.map(({ data }) => data.uuid), ...team.uuids, ...foreign.uuids]
  const users = [ann, bob, root].map(({ userId }) => userId).concat(team.id, foreign.ids)
  const models = [...catalogue(kinora.app.config).values()].filter(({ enabled }) => enabled)
  const packages = await kinora.app.sql<
    { id: string }[]
  >`select id from kinora.credit_package where user_id = any(${users})`
  const known = {
    uuid: uuids,
    id: users,
    userId: users,
    actorId: users,
    packageId: packages.map(({ id }) => id),
    cursor: [...uuids, ...users],
    model: models.map(({ id }) => id),
    duration: [4, 5, 6, 8, 10],
    aspectRatio: ['16:9', '9:16', '1:1'],
    quality: ['480p', '720p', '1080p', '4k'],
    startImageUrl: ['https://example.com/boat.png', 'http://127.0.0.1/', 'https://metadata.google.internal/'],
    provider: ['provider-a', 'provider-b', 'provider-z'],
    email: [ann.email, root.email, 'new@example.com'],
    credits: [1, 5, 100],
    page: [1, 2],
    pageSize: [1, 100],
    'idempotency-key': ['fuzz-1', 'fuzz-2'],
  }
  const ofTeam = { 'x-team': team.id }
  const headers = {
    anonymous: {},
    user: bearer(ann),
    key: { 'x-api-key': await keyOf({}) },
    'test key': { 'x-api-key': await keyOf({ test: true }) },
    owner: { ...bearer(ann), ...ofTeam },
    member: { ...bearer(bob), ...ofTeam },
    administrator: bearer(root),
  }
  return { headers, known }
}

/** A team of two with a film, a key and a webhook endpoint. `ids`: of its key and endpoint. */
async function openTeam(owner: Person, member: Person, name: string) {
  const { data } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: owner, body: { name } })
  const { id } = data
  await addMember(kinora.app, id, member)
  await kinora.grant({ ...owner, userId: id }, 100)
  const film = await teams.generate(member, id, { prompt: `A boat of ${name}` })
  const key = await teams.call<{ id: string }>(owner, id, 'POST', '/api/v1/team/keys', { name })
  const endpoint = { url: `https://hooks.example/${name}` }
  const webhook = await teams.call<{ id: string }>(owner, id, 'POST', '/api/v1/webhook/endpoints', endpoint)
  return { id, uuids: [film.data.uuid], ids: [key.data.id, webhook.data.id] }
}

/** A user and a team whom no caller knows. */
async function openForeign(): Promise<{ uuids: string[]; ids: string[] }> {
  const [zoe, yan] = [await kinora.person({ credits: 100 }), await kinora.person()]
  await kinora.app.sql`update public."user" set name = ${FOREIGN} where id = ${zoe.userId}`
  const { id, uuids, ids } = await openTeam(zoe, yan, FOREIGN)
  const own = await kinora.generate(zoe, { prompt: `A boat of ${FOREIGN}` })
  return { uuids: [...uuids, own.data.uuid], ids: [zoe.userId, yan.userId, id, ...ids] }
}

test('fuzz: generated requests to every operation as every caller → documented statuses and bodies, no 5xx, nothing of others', async () => {
  const { operations, problemOf } = readOperations(JSON.stringify(await readDocuments(kinora)))
  const pool = new Pool(kinora.url, { connections: 4 })
  const problems = new Map<string, string>()
  const statuses: Record<string, number> = {}
  let people = await openPeople()
  const only = process.env.FUZZ_ONLY === undefined ? null : Number(process.env.FUZZ_ONLY)
  for (let n = only ?? 0; n < (only === null ? REQUESTS : only + 1); n += 1) {
    if (n % PEOPLE_FOR === 0) people = await openPeople()
    const operation = operations[n % operations.length]
    const caller = callers[Math.floor(n / operations.length) % callers.length] ?? 'anonymous'
    if (!operation) continue
    const made = await makeRequest(operation, SEED, n, people.known)
    const request: FuzzRequest = { ...made, headers: { ...made.headers, ...people.headers[caller] } }
    const response = await sendRequest(pool, request).catch((error: Error) => error)
    const problem =
      response instanceof Error
        ? `no response: ${response.message}`
        : caller !== 'administrator' && response.text.includes(FOREIGN)
          ? 'it has what is of other people'
          : problemOf(operation, response, request.isOtherRoute)
    if (!(response instanceof Error)) statuses[response.status] = (statuses[response.status] ?? 0) + 1
    const title = `${operation.id}: ${problem}`
    if (problem && !problems.has(title)) {
      const shown = response instanceof Error ? '' : response.text.slice(0, 300)
      problems.set(title, `${title} (request ${n}, ${caller})\n  ${asCurl(kinora.url, request)}\n  ${shown}`)
      // The failure is printed at once: a long run may be stopped before its end.
      console.error(problems.get(title))
    }
    if (problems.size >= PROBLEMS_MAX) break
  }
  await pool.close()
  Object.assign(figures, { requests: REQUESTS, operations: operations.length, statuses, problems: problems.size })
  assert.equal(problems.size, 0, `FUZZ_SEED=${SEED}\n${[...problems.values()].join('\n')}`)
})

test('fuzz: raw HTTP shapes, and changed ones → no 5xx, no smuggled request, the server keeps answering', async () => {
  const check = async (name: string, bytes: string, responsesMax: number) => {
    const received = await exchange(kinora.url, bytes, SILENCE_MS)
    const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
    const shown = `${name}: ${JSON.stringify(bytes.slice(0, 300))} → ${JSON.stringify(received.slice(0, 300))}`
    assert.ok(
      statuses.every((status) => status < 500),
      shown,
    )
    assert.ok(statuses.length <= responsesMax, `a second request was read: ${shown}`)
    if (received) assert.match(received, /^HTTP\/1\.1 \d{3} /, shown)
  }
  for (const [name, bytes, responsesMax] of shapes) await check(name, bytes, responsesMax)
  for (let n = 0; n < SHAPES; n += 1) {
    const { name, bytes } = pick(mutatedShape, SEED, n)
    await check(name, bytes, Number.POSITIVE_INFINITY)
  }
  assert.equal((await kinora.call('GET', '/healthz')).status, 200)
  figures.shapes = shapes.length + SHAPES
})

test('fuzz: hostile URLs to the SSRF guard → refused without a connection', async () => {
  const safeFetch = openSafeFetch({ allow: [], lookup: async () => ['127.0.0.1'] })
  for (let n = 0; n < URLS; n += 1) {
    const url = pick(hostileUrl, SEED, n)
    const error = await safeFetch.get(url, limits).then(
      () => assert.fail(`FUZZ_SEED=${SEED}: ${JSON.stringify(url)} was fetched`),
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof FetchError, `FUZZ_SEED=${SEED}: ${JSON.stringify(url)}: ${error}`)
    assert.match(error.code, /REFUSED$/, `FUZZ_SEED=${SEED}: ${JSON.stringify(url)}: ${error.message}`)
  }
  await safeFetch.close()
  assert.deepEqual(canary.from, [])
  figures.urls = URLS
})

test('fuzz: mutated films, images and sounds → accepted or refused with a reason, no child hangs', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'kinora-fuzz-'))
  // Mutations of an index take the CPU time that a child has, which is much for films that are turned upright.
  const limits = { cpuMaxS: 15 }
  const upload = (file: string, outputFile: string) => inspectAsset(file, { outputFile, limits })
  type Inspect = (file: string, output: string) => Promise<unknown>
  const kinds: [kind: string, fixtures: Buffer[], inspect: Inspect][] = [
    ['image', await imageFixtures(), (file, outputFile) => inspectImage(file, { outputFile })],
    ['film', await filmFixtures(), (file, thumbnailFile) => inspectFilm(file, { thumbnailFile })],
    ['uploaded film', await uploadedFilmFixtures(), upload],
    ['sound', await soundFixtures(), upload],
  ]
  const outcomes: Record<string, number> = {}
  const check = async (n: number) => {
    const [kind, fixtures, inspect] = kinds[n % kinds.length] ?? assert.fail()
    const file = path.join(dir, String(n))
    await writeFile(file, pick(mutations, SEED, n)(pick(fc.constantFrom(...fixtures), SEED, n)))
    const output = `${file}.out`
    const inspecting = inspect(file, output)
    const outcome = await inspecting.then(
      () => 'accepted',
      (error: unknown) => {
        assert.ok(error instanceof MediaRefused, `FUZZ_SEED=${SEED}, ${kind} ${n}: ${error}`)
        assert.match(error.message, /^[^\n]{1,200}\.$/, `FUZZ_SEED=${SEED}, ${kind} ${n}`)
        return `${error.code}`
      },
    )
    outcomes[`${kind} ${outcome}`] = (outcomes[`${kind} ${outcome}`] ?? 0) + 1
    await rm(file)
    await rm(output, { force: true })
  }
  try {
    // One of a kind runs at a time: a fast file does not wait for a slow one.
    const checkEvery = async (first: number) => {
      for (let n = first; n < MEDIA; n += CONCURRENCY) await check(n)
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, (_, first) => checkEvery(first)))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
  Object.assign(figures, { media: MEDIA, outcomes })
})
