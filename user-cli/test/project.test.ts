// slow
/** `kinora project …` against the real service: from a text or CSV to one file. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { inFolder, start } from './installed.ts'

const kinora = await openKinora({ simulator: true, worker: true })

async function user() {
  const as = await kinora.person({ credits: 60 })
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'cli' } })
  const env = { KINORA_URL: kinora.url, KINORA_API_KEY: JSON.parse(text).key as string }
  return { as, env, run: (...args: string[]) => start(['project', ...args], env).ended }
}

test('project: text → shots with their prices; generate says the sum first; one file of all, ZIP, deleted', async () => {
  const { as, run } = await user()
  writeFileSync(inFolder('script.txt'), 'Shot 1: A lighthouse at dawn\n\nShot 2: A boat comes closer\n')
  const made = await run('new', 'The lighthouse', '--from', 'script.txt', '--model', 'delta-1-5', '--duration', '4')
  assert.deepEqual([made.status, made.stderr.split(';')[0]], [0, '2 shots'], made.stderr)
  const id = made.stdout.trim()
  assert.match((await run('list')).stdout, new RegExp(`^ID .*\n${id} +2 +16:9 +The lighthouse\n$`))
  const shown = await run('show', id)
  assert.match(
    shown.stdout,
    /^SHOT .*\n1 +no take +16 +delta-1-5 +A lighthouse at dawn\n2 +no take .*\n\nThe lighthouse: 2 films for 32 credits of 60\.\nNo film of all yet: Shots 1, 2 have .*\n$/,
  )

  const unasked = await run('generate', id)
  assert.deepEqual(
    [unasked.status, unasked.stderr],
    [2, 'This generates 2 films for 32 credits of 60. Add --yes to agree.\n'],
  )
  assert.equal((await kinora.balance(as)).available, 60)
  const one = await run('generate', id, '--shot', '2', '--yes', '--json')
  assert.deepEqual([one.status, JSON.parse(one.stdout).length], [0, 1], one.stderr)
  const rest = await run('generate', id, '--yes')
  assert.equal(rest.status, 0, rest.stderr)
  assert.match(rest.stderr, /^([0-9a-f-]{36} [A-Z]+ \d+ %\n)+$/)
  assert.equal((await kinora.balance(as)).used, 32)
  const again = await run('generate', id, '--yes')
  assert.deepEqual([again.status, /Each shot has a take/.test(again.stderr)], [1, true])

  assert.match((await run('show', id)).stdout, /: each shot has a take\.\nThe film of all: 8 s, 0 credits\.\n$/)
  const rendered = await run('render', id, '--output', 'lighthouse.mp4')
  assert.match(rendered.stdout, /^[0-9a-f-]{36} lighthouse\.mp4 \d+ bytes, 0 credits\n$/, rendered.stderr)
  assert.equal(readFileSync(inFolder('lighthouse.mp4')).subarray(4, 8).toString('latin1'), 'ftyp')
  assert.equal((await run('archive', id)).status, 0)
  assert.equal(
    readFileSync(inFolder(`${id}.zip`))
      .subarray(0, 2)
      .toString('latin1'),
    'PK',
  )
  assert.equal((await run('delete', id)).status, 0)
  assert.equal((await run('show', id)).status, 4)
})

test('project new: CSV as show --csv writes it → the same shots; with a mistake → no project', async () => {
  const { run } = await user()
  writeFileSync(inFolder('shots.csv'), 'prompt,model,duration,aspectRatio\nDawn,delta-1-5,4,16:9\nNight,,4,16:9\n')
  const id = (await run('new', 'Products', '--from', 'shots.csv')).stdout.trim()
  const csv = await run('show', id, '--csv')
  assert.match(csv.stdout, /^prompt,notes,model,.*\r\nDawn,,delta-1-5,4,16:9,.*\r\nNight,,,4,16:9,/)
  const refused = await run('generate', id, '--yes')
  assert.deepEqual([refused.status, refused.stderr], [2, 'Shot 2: Choose a model.\n'])
  assert.match((await run('quote', id)).stdout, /\n2 +no take +refused +Choose a model\.\n\n.*1 refused\.\n$/)
  writeFileSync(inFolder('wrong.csv'), 'prompt,colour\nDawn,red\n')
  const wrong = await run('new', 'Wrong', '--from', 'wrong.csv', '--json')
  assert.match(JSON.parse(wrong.stderr).error.message, /The first row names the columns: .*“colour” is none/)
  assert.equal(JSON.parse((await run('list', '--json')).stdout).length, 1)
  assert.deepEqual((await run('archive', id)).status, 1)
})

test('project generate: Ctrl-C while films are made → 130, and how to go on; they end all the same', async () => {
  const { as, env, run } = await user()
  writeFileSync(inFolder('slow.txt'), '[slow: 1s] Dawn\n\n[slow: 1s] Night\n')
  const id = (await run('new', 'Slow', '--from', 'slow.txt', '--model', 'delta-1-5', '--duration', '4')).stdout.trim()
  const generating = start(['project', 'generate', id, '--yes'], env)
  await generating.seen(/ \d+ %\n/)
  generating.child.kill('SIGINT')
  const { status, stderr } = await generating.ended
  assert.deepEqual(
    [status, stderr.split('\n').at(-2)],
    [130, `The films go on; look at them with: kinora project show ${id}`],
  )
  const { data } = await kinora.call<{ shots: { takeId: string }[] }>('GET', `/api/v1/project/${id}`, { as })
  for (const { takeId } of data.shots) assert.equal((await kinora.finish(as, takeId)).status, 'COMPLETED')
})

test('project: no command, or one that is not there → status 2, and where to look', async () => {
  const { run } = await user()
  assert.match((await run()).stderr, /"kinora project --help" lists it/)
  assert.match((await run('remove')).stderr, /There is no command "project remove"/)
  assert.match((await run('--help')).stdout, /^ {2}kinora project list (.*\n)+ {2}kinora project delete /)
})
