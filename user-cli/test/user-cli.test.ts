// slow
/**
 * The command line for users, against the real service: packed by npm, installed from its file alone into an empty
 * folder without a network, and run as a child process whose output is a pipe.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { adjust } from '../../server/src/credit/ledger.ts'
import { addModel, models } from '../../server/test/support/changed-models.ts'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import * as images from '../../server/test/support/images.ts'
import { silence, sound } from '../../server/test/support/sounds.ts'
import {
  addStage,
  askedOf,
  STAGE,
  type StageRequest,
  sentRolesOf,
  stageRequests,
} from '../../server/test/support/stage.ts'
import { openTeams } from '../../server/test/support/teams.ts'
import { HELP } from '../src/help.ts'
import { type Ended, files, folder, inFolder, start } from './installed.ts'

const kinora = await openKinora({ simulator: true, worker: true })

async function user(limits: object = {}, credits = 60) {
  const as = await kinora.person({ credits })
  const key = await keyOf(as, limits)
  const env = { KINORA_URL: kinora.url, KINORA_API_KEY: key }
  return { as, key, env, run: (...args: string[]) => start(args, env).ended }
}

async function keyOf(as: Person, limits: object): Promise<string> {
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'cli', ...limits } })
  return JSON.parse(text).key
}

const film = ['generate', 'A paper boat', '--model', 'delta-1-5', '--duration', '4']

test('package: contents → one program, README and licences, without a dependency', () => {
  assert.deepEqual(files.sort(), ['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/kinora.js', 'package.json'])
  assert.deepEqual(
    readdirSync(inFolder('node_modules')).filter((name) => !name.startsWith('.')),
    ['@kinora'],
  )
  assert.doesNotMatch(readFileSync(inFolder('package-lock.json'), 'utf8'), /"dependencies": \{\s*"(?!@kinora)/)
})

test('generate --output: in a pipe → a line for each change on stderr, the film in the file', async () => {
  const { run } = await user()
  const { status, stdout, stderr } = await run(...film, '--output', 'film.mp4')
  assert.equal(status, 0, stderr)
  assert.match(
    stderr,
    /^([0-9a-f-]{36}) (PENDING|GENERATING|UPLOADING) \d+ %\n(\1 [A-Z]+ \d+ %\n)*\1 COMPLETED 100 %\n$/,
  )
  assert.match(stdout, /^[0-9a-f-]{36} film\.mp4 \d+ bytes, 16 credits\n$/)
  const bytes = readFileSync(inFolder('film.mp4'))
  assert.equal(bytes.subarray(4, 8).toString('latin1'), 'ftyp')
  assert.equal(stdout.split(' ')[2], String(bytes.length))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  )

  const again = await run(...film, '--output', 'film.mp4')
  assert.deepEqual([again.status, again.stderr], [2, 'film.mp4 exists already; name another file or add --force.\n'])
})

test('generate --n: two films → both in their files, one JSON document', async () => {
  const { run } = await user()
  const { status, stdout, stderr } = await run(...film, '--n', '2', '--output', 'two.mp4', '--json')
  assert.equal(status, 0, stderr)
  assert.deepEqual(
    JSON.parse(stdout).map(({ file, status: state }: { file: string; status: string }) => [file, state]),
    [
      ['two-1.mp4', 'COMPLETED'],
      ['two-2.mp4', 'COMPLETED'],
    ],
  )
  for (const file of ['two-1.mp4', 'two-2.mp4']) assert.ok(statSync(inFolder(file)).size > 1000)
  const again = await run(...film, '--n', '2', '--output', 'two.mp4')
  assert.deepEqual([again.status, again.stderr], [2, 'two-1.mp4 exists already; name another file or add --force.\n'])
})

addModel('upscaler', {
  modes: {
    upscale: {
      prompt: 'none',
      duration: { follows: 'film', from: 4, to: 4 },
      quality: ['1080p'],
      aspectRatio: 'follows the image',
    },
  },
  routes: [{ account: 'provider-a', input: { video_url: 'film' } }],
})
after(() => models().delete('upscaler'))

test('generate --upscale: film of one’s own → a larger copy; with what its film decides → names that', async () => {
  const { as, run } = await user()
  const source = await completedVideo(kinora, as)
  const upscale = ['generate', '--model', 'upscaler', '--upscale', source, '--no-wait', '--json']
  const made = await run(...upscale)
  assert.equal(made.status, 0, made.stderr)
  const { upscaledFrom } = JSON.parse((await run('get', JSON.parse(made.stdout).uuid, '--json')).stdout)
  assert.equal(upscaledFrom, source)
  for (const [other, message] of [
    [['A boat'], 'The film of --upscale decides the text; leave it out.'],
    [['--n', '2'], 'The film of --upscale decides --n; leave it out.'],
    [['--duration', '8'], 'The film of --upscale decides --duration; leave it out.'],
    [['--image', 'boat.png'], 'The film of --upscale decides --image; leave it out.'],
  ] as const) {
    const { status, stderr } = await run(...upscale, ...other)
    assert.deepEqual([status, JSON.parse(stderr).error.message], [2, message])
  }
})

addModel('rich', {
  modes: {
    'first-last': { duration: [4], quality: ['720p'], aspectRatio: ['16:9'] },
    reference: { inputs: { reference: { from: 1, to: 2 } } },
  },
  options: {
    audio: { type: 'boolean', default: true },
    negativePrompt: { type: 'string', maxLength: 20 },
    style: { type: 'string', enum: ['film', '1'], default: 'film' },
    strength: { type: 'number', minimum: 0, maximum: 1 },
    loop: { type: 'boolean', default: false },
  },
  routes: [{ account: 'provider-a', model: 'vendor/rich', input: { text: 'prompt' } }],
})
after(() => models().delete('rich'))

addStage()

test('generate --input: files and a film of one’s own, of every mode → a film of each; wrong ones → what is there', async () => {
  const { as, run } = await user({}, 1000)
  const film = await completedVideo(kinora, as)
  const files = { picture: 'stage.png', sound: 'stage.wav' }
  writeFileSync(inFolder(files.picture), await images.plain(320, 180))
  writeFileSync(inFolder(files.sound), await sound('pcm-s16', 3))
  const generate = async ({ mode, model, prompt, inputs }: StageRequest) => {
    const given = inputs.flatMap(({ role, at, asset, video }) => [
      '--input',
      `${role}${at === undefined ? '' : `@${at}`}=${asset ?? video}`,
    ])
    const { status, stdout, stderr } = await run(
      ...['generate', ...(prompt ? [prompt] : []), '--model', model, '--mode', mode, ...given, '--no-wait', '--json'],
    )
    assert.equal(status, 0, stderr)
    const { uuid } = JSON.parse(stdout)
    const ended = await kinora.finish(as, uuid)
    assert.deepEqual([ended.status, ended.error], ['COMPLETED', null])
    const roles = inputs.map(({ role }) => role)
    assert.deepEqual([await askedOf(kinora, uuid), await sentRolesOf(kinora, uuid)], [{ mode, roles }, roles])
  }
  await Promise.all(stageRequests({ ...files, film }).map(generate))
  const wrong = await run('generate', '--model', STAGE, '--input', 'stage.wav')
  assert.match(wrong.stderr, /is no <role>=<what>, such as sound=voice\.mp3/)
  const unreadable = await run('generate', '--model', STAGE, '--input', 'sound=none.mp3')
  assert.match(unreadable.stderr, /The file none\.mp3 cannot be read/)
})

test('generate --input: large sound, killed while it is sent and given again → the rest alone is sent; one asset', async () => {
  const { as, env, run } = await user({}, 1000)
  const source = await completedVideo(kinora, as)
  writeFileSync(inFolder('long.wav'), silence(360, 360 * 48_000, 48_000))
  const voices = [
    'generate',
    '--model',
    STAGE,
    '--mode',
    'lip-sync',
    '--no-wait',
    '--input',
    `film=${source}`,
    '--input',
    'sound=long.wav',
  ]
  const first = start(voices, env)
  await first.seen(/long\.wav: [2-9]\d % sent/)
  first.child.kill('SIGKILL')
  await first.ended
  const { stderr } = await run(...voices)
  // It is longer than the model takes.
  assert.match(stderr, /sound/)
  const uploads = await kinora.app.sql<{ pieces: number[]; isComplete: boolean }[]>`
    select pieces, asset_id is not null as is_complete from kinora.asset_upload where user_id = ${as.userId}
  `
  assert.deepEqual([...uploads], [{ pieces: [], isComplete: true }])
  assert.equal(readFileSync(inFolder('.config/kinora/uploads.json'), 'utf8'), '{}')
})

test('generate: last image, references, negative prompt, sound and options → in the request; wrong ones → what is there', async () => {
  const { run } = await user({}, 1000)
  writeFileSync(inFolder('first.png'), await images.plain(640, 360))
  writeFileSync(inFolder('last.png'), await images.plain(1280, 720))
  const rich = ['generate', 'A boat', '--model', 'rich', '--no-wait', '--json']
  const own = [
    '--negative-prompt',
    'rain',
    '--no-sound',
    '--option',
    'style=1',
    '--option',
    'strength=0.5',
    '--option',
    'loop=true',
    '--metadata',
    'order=12=34',
    '--metadata',
    'shop=a',
  ]
  const made = await run(...rich, '--image', 'first.png', '--end-image', 'last.png', ...own)
  assert.equal(made.status, 0, made.stderr)
  const detailOf = async ({ stdout }: Ended) => JSON.parse((await run('get', JSON.parse(stdout).uuid, '--json')).stdout)
  const { startImageUrl, endImageUrl, negativePrompt, audio, options, metadata } = await detailOf(made)
  assert.ok(startImageUrl && endImageUrl && startImageUrl !== endImageUrl)
  assert.deepEqual(
    { negativePrompt, audio, options, metadata },
    {
      negativePrompt: 'rain',
      audio: false,
      options: { style: '1', strength: 0.5, loop: true },
      metadata: { order: '12=34', shop: 'a' },
    },
  )
  const references = ['--reference', 'first.png', '--reference', 'last.png']
  const referring = await detailOf(await run(...rich, ...references, '--sound'))
  assert.deepEqual([referring.referenceImageUrls.length, referring.audio], [2, true])
  const mistakes: [string[], RegExp][] = [
    [['--option', 'colour=red'], /^The model rich has no option colour; choose one of style, strength, loop\.$/m],
    [['--option', 'style'], /^--option style is no <name>=<value>\.$/m],
    [['--metadata', 'order'], /^--metadata order is no <name>=<value>\.$/m],
    [['--sound', '--no-sound'], /^Choose one of --sound and --no-sound\.$/m],
    [['--reference', 'none.png'], /^The file none\.png cannot be read\.$/m],
    [[...references, '--option', 'strength=much'], /strength/],
  ]
  for (const [args, message] of mistakes) {
    const ended = await run(...rich.slice(0, -1), ...args)
    assert.deepEqual([ended.status, message.test(ended.stderr)], [2, true], `${ended.stderr}, ${message}`)
  }
  const plain = await run('generate', 'A boat', '--model', 'delta-1-5', '--option', 'style=film')
  assert.match(plain.stderr, /^The model delta-1-5 has no options\.$/m)
})

test('--json: of each command → one JSON document on stdout, errors on stderr', async () => {
  const { run } = await user()
  writeFileSync(inFolder('boat.png'), await images.plain(640, 360))
  const made = await run(...film, '--image', 'boat.png', '--seed', '0', '--json')
  assert.equal(made.stderr, '')
  const video = JSON.parse(made.stdout)
  assert.deepEqual([video.status, video.creditsUsed, video.seed], ['COMPLETED', 16, 0])
  assert.ok(video.startImageUrl)
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)
  assert.deepEqual(
    (await json('list')).map(({ uuid }: { uuid: string }) => uuid),
    [video.uuid],
  )
  assert.equal((await json('get', video.uuid)).uuid, video.uuid)
  assert.equal((await json('balance')).available, 44)
  assert.equal((await json('download', video.uuid, '--output', 'second.mp4')).file, 'second.mp4')
  assert.ok((await json('models')).some(({ id }: { id: string }) => id === 'delta-1-5'))
  assert.equal((await json('history')).length, 2)
  const wrong = await run('get', 'none', '--json')
  assert.deepEqual([wrong.status, JSON.parse(wrong.stderr).error.code, wrong.stdout], [4, 'NOT_FOUND', ''])
})

test('list, get, balance, history --csv, models: for people → tables, and CSV with a row for each movement', async () => {
  const { run, as } = await user()
  assert.equal((await run('list')).stdout, '')
  const { data } = await kinora.generate(as, { prompt: 'A boat\u001b[31m in red' })
  await kinora.finish(as, data.uuid)
  assert.match(
    (await run('list')).stdout,
    new RegExp(`^ID .*PROMPT\\n${data.uuid}  COMPLETED  delta-1-5  16 +A boat\\[31m in red\\n$`),
  )
  assert.match((await run('get', data.uuid)).stdout, /^id {7}[0-9a-f-]{36}\nstatus {3}COMPLETED\n(.*\n)*film {5}http/)
  assert.match(
    (await run('balance')).stdout,
    /^available +44\nreserved for films in progress +0\nused +16\nexpired +0\nclaimed back +0\ntotal +60\n/,
  )
  assert.match((await run('models')).stdout, /\ndelta-1-5 +4–12 s .*720p 4\/s/)
  const { stdout } = await run('history', '--csv')
  const [header, ...lines] = stdout.trimEnd().split('\r\n')
  assert.equal(header, 'createdAt,transNo,transType,credits,balanceAfter,state,videoUuid,orderNo,remark,id')
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', new RegExp(`^20[^,]+,[^,]+,VIDEO_CONSUME,-16,44,settled,${data.uuid},`))
})

test('history --csv: remark that begins a formula with a mathematical minus → escaped with an apostrophe', async () => {
  const { run, as } = await user({}, 0)
  const { userId } = as
  const grant = { adminId: userId, userId, credits: 5, expiryDays: 1, remark: '`−1+cmd', idempotencyKey: null }
  await adjust(kinora.app, grant)
  assert.match((await run('history', '--csv')).stdout, /,'`−1\+cmd,[^,]+\r\n$/)
})

test('kinora: Ctrl-C during generate → says how to go on, ends with 130; that command downloads the same film', async () => {
  const { env, run } = await user()
  const started = start(['generate', '[slow: 3s]', ...film.slice(2), '--output', 'slow.mp4'], env)
  await started.seen(/ (PENDING|GENERATING) /)
  started.child.kill('SIGINT')
  const { status, stdout, stderr } = await started.ended
  assert.deepEqual([status, stdout], [130, ''])
  const [, next = ''] =
    /The film goes on; go on with: kinora (get [0-9a-f-]{36} --output slow\.mp4)\n$/.exec(stderr) ?? []
  assert.ok(next, stderr)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('slow')),
    [],
  )
  const gone = await run(...next.split(' '))
  assert.equal(gone.status, 0, gone.stderr)
  assert.ok(statSync(inFolder('slow.mp4')).size > 1000)
  assert.equal(JSON.parse((await run('balance', '--json')).stdout).used, 16)
})

test('kinora: generate --no-wait, repeated with its idempotency key → the id of one film', async () => {
  const { run } = await user()
  const slow = ['generate', '[slow: 3600s]', ...film.slice(2), '--no-wait', '--idempotency-key', 'one']
  const [first, second] = [await run(...slow), await run(...slow)]
  assert.match(first.stdout, /^[0-9a-f-]{36}\n$/)
  assert.equal(second.stdout, first.stdout)
  const download = await run('download', first.stdout.trim())
  assert.equal(download.status, 1)
  assert.match(download.stderr, /not ready yet; wait for it with: kinora get/)
})

test('cancel: a film that no provider has → its credits are back; again → the same', async () => {
  const { run } = await user()
  const id = (await run('generate', '[down: 20]', ...film.slice(2), '--no-wait')).stdout.trim()
  let cancelled = await run('cancel', id)
  // While a task is being sent, the film cannot be cancelled.
  while (/may have this video/.test(cancelled.stderr)) cancelled = await run('cancel', id)
  assert.deepEqual(
    [cancelled.status, cancelled.stdout],
    [0, `${id}: Cancelled before it began; your credits are back.\n`],
  )
  assert.equal(JSON.parse((await run('balance', '--json')).stdout).available, 60)
  assert.deepEqual(await run('cancel', id), cancelled)
})

test('exit status: each kind of failure → its own, with a sentence that says what to do', async () => {
  const ann = await user({ scopes: ['read', 'generate'], budget: { credits: 5, period: 'day' } })
  const poor = await user({}, 3)
  const reader = await user({ scopes: ['read'] })
  const cases: [Ended | Promise<Ended>, number, RegExp][] = [
    [
      ann.run(...film),
      5,
      /^This film costs 16 credits, and this API key has used 0 of its 5 today; its budget begins anew at/,
    ],
    [poor.run(...film), 5, /costs 16 credits and you have 3/],
    [reader.run(...film), 3, /needs an API key with the scope generate/],
    [ann.run('get', 'none'), 4, /./],
    [ann.run('generate', 'x', '--model', 'none'), 2, /There is no model none; choose one of .*delta-1-5/],
    [ann.run('generate', 'x'), 2, /^Name a --model; choose one of /],
    [ann.run('generate', '--model', 'delta-1-5'), 2, /kinora generate needs a prompt/],
    [ann.run('generate', 'a', 'b', '--model', 'delta-1-5'), 2, /put quotation marks around it/],
    [ann.run(...film, '--seed', '2147483648'), 2, /^--seed is a whole number from 0 to 2147483647\.$/m],
    [ann.run('list', '--colour'), 2, /--colour.*"kinora help" lists the options/],
    [ann.run('make'), 2, /There is no command "make"/],
    [
      start(['balance'], { KINORA_URL: kinora.url, KINORA_API_KEY: 'kin_wrong' }).ended,
      3,
      /refuses this API key.*kinora login/,
    ],
    [start(['balance'], { KINORA_URL: 'http://127.0.0.1:9', KINORA_API_KEY: 'k' }).ended, 7, /cannot be reached/],
    [start(['balance'], {}).ended, 3, /run kinora login, or set KINORA_URL and KINORA_API_KEY/],
    [poor.run('help'), 0, /^$/],
  ]
  for (const [running, status, message] of cases) {
    const ended = await running
    assert.deepEqual([ended.status, message.test(ended.stderr)], [status, true], `${ended.stderr}, ${message}`)
  }
  const rich = await user()
  const failed = await rich.run('generate', '[fail: no luck]', ...film.slice(2))
  assert.equal(failed.status, 6)
  assert.match(failed.stderr, /no luck/)
})

test('--team, KINORA_TEAM: balance → that of the team; of a team of others → exit status 4', async () => {
  const { id, owner } = await openTeams(kinora).newTeam({ credits: 100 })
  const env = { KINORA_URL: kinora.url, KINORA_API_KEY: await keyOf(owner, {}) }
  const available = async (args: string[], more = {}) =>
    JSON.parse((await start(['balance', '--json', ...args], { ...env, ...more }).ended).stdout).available
  assert.deepEqual([await available([]), await available(['--team', id])], [60, 100])
  assert.equal(await available([], { KINORA_TEAM: id }), 100)
  const other = await user()
  assert.equal((await other.run('balance', '--team', id)).status, 4)
})

test('exit status: error page of a proxy → 7 for 502, 503 and 504, 1 for 500', async (t) => {
  // Responds with the status that the path begins with.
  const proxy = http.createServer(({ url }, response) =>
    response.writeHead(Number(url?.slice(1, 4)), { 'content-type': 'text/html' }).end('<h1>Error</h1>'),
  )
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  for (const [status, exit] of Object.entries({ 500: 1, 502: 7, 503: 7, 504: 7 })) {
    const env = { KINORA_URL: `${origin}/${status}`, KINORA_API_KEY: 'k' }
    assert.equal((await start(['balance'], env).ended).status, exit, status)
  }
})

test('login: a key from a pipe → stored for its owner only, sent to its own address only, until logout', async () => {
  const { key } = await user({ budget: { credits: 40, period: 'week' } })
  const env = { XDG_CONFIG_HOME: inFolder('config') }
  const wrong = await start(['login', '--url', kinora.url], env, 'kin_wrong\n').ended
  assert.equal(wrong.status, 3)
  const made = await start(['login', '--url', `${kinora.url}/`], env, `${key}\n`).ended
  assert.equal(made.status, 0, made.stderr)
  assert.match(made.stdout, /It may read, generate, account, and spend 40 credits a week\.\n$/)
  assert.ok(!(made.stdout + made.stderr).includes(key))
  const file = inFolder('config/kinora/config.json')
  assert.deepEqual([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777], [0o600, 0o700])
  assert.equal((await start(['balance'], env).ended).status, 0)
  const elsewhere = await start(['balance'], { ...env, KINORA_URL: 'http://127.0.0.1:9' }).ended
  assert.deepEqual(
    [elsewhere.status, /No API key is known for http:\/\/127\.0\.0\.1:9/.test(elsewhere.stderr)],
    [3, true],
  )
  const other = await start(['balance'], { ...env, KINORA_API_KEY: 'kin_other' }).ended
  assert.equal(other.status, 3, 'KINORA_API_KEY wins over the file')
  const empty = await start(['balance'], { ...env, KINORA_API_KEY: '' }).ended
  assert.equal(empty.status, 0, 'an empty KINORA_API_KEY is none')
  assert.equal((await start(['logout'], env).ended).status, 0)
  assert.equal((await start(['balance'], env).ended).status, 3)
  assert.match((await start(['logout'], env).ended).stdout, /^No key was stored/)
})

test('logout: damaged file → removed', async () => {
  const env = { XDG_CONFIG_HOME: inFolder('damaged') }
  const file = inFolder('damaged/kinora/config.json')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '{"url":"https://films.example.com","apiKey":"kin_')
  assert.match((await start(['balance'], env).ended).stderr, /cannot be read; run kinora login again/)
  const { status, stdout, stderr } = await start(['logout'], env).ended
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^The key is removed from this machine/)
  assert.ok(!existsSync(file))
})

test('README: help and exit statuses → the text of kinora help', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  assert.ok(readme.includes(`\n\`\`\`text\n${HELP}\`\`\`\n`), 'a code block with the help and nothing else')
  assert.equal((await start(['help'], {}).ended).stdout, HELP)
  const { stdout } = await start(['generate', '--help'], {}).ended
  assert.match(stdout, /^ {2}kinora generate "<prompt>" (.*\n)+ {6}--option (.*\n)+\nWith every command:\n/)
  assert.doesNotMatch(stdout, /kinora list/)
})
