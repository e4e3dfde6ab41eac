// slow
/** `kinora samples`: what it says first, the films that it has made, and how each becomes the sample of its model. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSamplesArgs, samplesCommand, type Terminal } from '../../src/operator/samples-command.ts'
import { UsageError } from '../../src/process/command-arguments.ts'
import { adapter } from '../../src/provider/adapter/provider-a.ts'
import { addModel } from '../support/changed-models.ts'
import { completeSlowVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { sql } = kinora.app
/** The oldest administrator. */
const root = await kinora.person({ role: 'admin', credits: 1000 })
const PROMPT = 'A red kite over a field'

type Model = { id: string; sample: string[]; sampleThumbnailUrl: string | null }
/** Samples are read again after 5 s. No two sums of these steps are alike, as tests begin at the real time. */
let stepMs = 10_000
async function samples(): Promise<Record<string, Pick<Model, 'sample' | 'sampleThumbnailUrl'>>> {
  stepMs *= 2
  kinora.turnClock(stepMs)
  const { data } = await kinora.call<{ models: Model[] }>('GET', '/api/v1/config/models')
  return Object.fromEntries(
    data.models.map(({ id, sample, sampleThumbnailUrl }) => [id, { sample, sampleThumbnailUrl }]),
  )
}
const none = { sample: [], sampleThumbnailUrl: null }
const videos = async (as: Person = root) =>
  (
    await kinora.call<{ videos: { uuid: string; model: string; prompt: string }[] }>('GET', '/api/v1/video/list', {
      as,
    })
  ).data.videos
/** Runs the command in this process, which knows the models of the test. */
async function run(args: string[], change: Partial<Terminal> = {}): Promise<{ status: number; output: string }> {
  const lines: string[] = []
  const terminal = { print: (line: string) => lines.push(line), ask: null, interrupted: new AbortController().signal }
  const status = await samplesCommand(kinora.app, readSamplesArgs(args), { ...terminal, ...change })
  return { status, output: lines.join('\n') }
}

test('kinora samples: no terminal and no --yes, another answer than yes, too few credits → says all of it, makes nothing', async () => {
  const refused = await runCommand(kinora, ['samples'])
  assert.equal(refused.status, 2)
  assert.match(refused.output, /^alpha-2 – 4 s, 720p, text-to-video, at provider-a – 24 credits, \$0\.32$/m)
  assert.match(refused.output, /^delta-1-5 – 4 s, 720p, text-to-video, at provider-b – 16 credits, \$0\.20$/m)
  assert.match(
    refused.output,
    new RegExp(`^3 films: 53 of the 1000 credits of ${root.email}; at the providers \\$0\\.70\\.$`, 'm'),
  )
  assert.match(refused.output, /nothing was made\. Run it at a terminal, which asks, or add --yes\.$/m)
  const asked: string[] = []
  const declined = await run([], {
    ask: async (question) => {
      asked.push(question)
      return ''
    },
  })
  assert.deepEqual([declined.status, asked], [1, ['Make them? [y/N] ']])
  assert.match(declined.output, /^Nothing was made\.$/m)
  const poor = await kinora.person({ credits: 20 })
  const unpaid = await run(['--yes', '--user', poor.email])
  assert.equal(unpaid.status, 1)
  assert.match(unpaid.output, /53 of the 20 credits .*\n.* has too few credits: grant some/)
  for (const args of [['--user', 'nobody@example.com'], ['--model', 'gamma-2-6'], ['--nothing']])
    await assert.rejects(run(['--yes', ...args]), UsageError)
  assert.deepEqual(
    [await videos(), await videos(poor), await samples()].map((each) => Object.keys(each).length),
    [0, 0, 4],
  )
})

test('kinora samples: --yes → a film of each model from the prompt, paid, served to all; again → nothing to make', async () => {
  const { status, output } = await runCommand(kinora, ['samples', '--yes', '--prompt', PROMPT])
  assert.equal(status, 0, output)
  assert.match(output, /^alpha-2: made\.$/m)
  assert.match(output, /^3 of 3 made\.$/m)
  const films = await videos()
  assert.deepEqual(
    films.map(({ model, prompt }) => [model, prompt]).sort(),
    ['alpha-2', 'beta-3-1', 'delta-1-5'].map((id) => [id, PROMPT]),
  )
  assert.equal((await kinora.balance(root)).used, 53)
  const shown = await samples()
  assert.deepEqual(shown['gamma-2-6'], none)
  const uuid = films.find(({ model }) => model === 'alpha-2')?.uuid
  const folder = `${kinora.url}/sample/${uuid}`
  assert.deepEqual(shown['alpha-2'], {
    sample: [`${folder}/film.mp4`],
    sampleThumbnailUrl: `${folder}/thumbnail.jpg`,
  })
  const part = await fetch(`${folder}/film.mp4`, { headers: { range: 'bytes=4-7' } })
  assert.deepEqual([part.status, await part.text()], [206, 'ftyp'])
  assert.equal((await fetch(`${folder}/thumbnail.jpg`)).headers.get('content-type'), 'image/jpeg')
  assert.equal((await fetch(`${folder}/other.mp4`)).status, 404)
  const entries =
    await sql`select after from kinora.audit where action = 'catalogue.sample' and user_id = ${root.userId}`
  assert.deepEqual(entries.map(({ after }) => after.name).sort(), ['alpha-2', 'beta-3-1', 'delta-1-5'])
  const again = await run(['--yes'])
  assert.equal(again.status, 0)
  assert.match(again.output, /^alpha-2 has a sample; --again makes another\.$/m)
  assert.match(again.output, /^There is nothing to make\.$/m)
})

test('kinora samples: one model fails, one needs an image → the others are made; the next run makes only what lacks', async (_t) => {
  const ids = ['broken', 'of-images', 'with-link']
  addModel('broken', {
    routes: [{ account: 'provider-a', input: { ...adapter.input, prompt: "'[fail: no luck]'" } }],
  })
  addModel('of-images', { modes: { 'image-to-video': { duration: [4], quality: ['720p'], aspectRatio: ['16:9'] } } })
  addModel('with-link', {
    sample: ['https://films.example.com/a.mp4'],
    routes: [{ account: 'provider-a', cost: { per: 'second', usd: 0.05, asOf: '2026-11-26', source: 'example.com' } }],
  })
  const args = ['--yes', ...['alpha-2', ...ids].flatMap((id) => ['--model', id])]
  const first = await run([...args, '--again'])
  assert.equal(first.status, 1)
  assert.match(first.output, /^of-images makes films of images alone; --image has the link to one\.$/m)
  assert.match(first.output, /^with-link – 4 s, .* – 16 credits, \$0\.20$/m)
  assert.match(first.output, /; at the providers \$0\.52, the cost of 1 is not in the catalogue\.$/m)
  assert.match(first.output, /^broken failed: .*no luck.* Its credits are back\.$/m)
  assert.match(first.output, /^2 of 3 made\. Failed: broken; run the command again for them\.$/m)
  const shown = await samples()
  const newest = (await videos()).find(({ model }) => model === 'alpha-2')
  assert.match(shown['alpha-2']?.sample.join() ?? '', new RegExp(`^[^,]+/sample/${newest?.uuid}/film.mp4$`))
  assert.deepEqual(shown.broken, none)
  assert.match(shown['with-link']?.sample.join() ?? '', /\/sample\/.*,https:\/\/films\.example\.com\/a\.mp4$/)
  const second = await run(args)
  assert.match(second.output, /^with-link has a sample/m)
  assert.match(second.output, /^0 of 1 made\. Failed: broken;/m)
})

test('kinora samples: interrupted → the film goes on; the next run waits for it and makes no other', async () => {
  const eve = await kinora.person({ credits: 100 })
  const args = ['--yes', '--again', '--model', 'delta-1-5', '--user', eve.email, '--prompt', 'A mill [slow: 60s]']
  const interrupted = await runCommand(kinora, ['samples', ...args], {}, 'delta-1-5: being made.')
  assert.equal(interrupted.status, 1)
  assert.match(
    interrupted.output,
    /^0 of 1 made\.\nInterrupted: films that were begun become samples when they are made\./m,
  )
  const [film] = await videos(eve)
  const begun = Promise.withResolvers<void>()
  const lines: string[] = []
  const next = run(['--model', 'delta-1-5'], {
    print: (line) => {
      lines.push(line)
      if (line === 'delta-1-5: being made.') begun.resolve()
    },
  })
  await begun.promise
  await completeSlowVideo(kinora, eve, film?.uuid ?? '')
  assert.equal((await next).status, 0)
  assert.deepEqual(lines, [
    'delta-1-5: the film of an earlier run is being made.',
    'delta-1-5: being made.',
    'delta-1-5: made.',
    '1 of 1 made.',
  ])
  assert.equal((await videos(eve)).length, 1)
  assert.match((await samples())['delta-1-5']?.sample.join() ?? '', new RegExp(`/sample/${film?.uuid}/`))
})

test('kinora samples: several at once → one makes the film, the others nothing, also while the first one asks', async (_t) => {
  addModel('wanted', { routes: [{ account: 'provider-a' }] })
  const fay = await kinora.person({ credits: 100 })
  const args = ['--model', 'wanted', '--user', fay.email]
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  const ask = async () => {
    asked.resolve()
    return answer.promise
  }
  const first = run(args, { ask })
  await asked.promise
  const others = [runCommand(kinora, ['samples', '--yes']), run([...args, '--yes'])]
  for (const { status, output } of await Promise.all(others)) {
    assert.equal(status, 1)
    assert.match(
      output,
      /^Another kinora samples is asking or making films, so this one made nothing: wait for its end\.$/m,
    )
  }
  answer.resolve('n')
  assert.equal((await first).status, 1)
  await Promise.all([1, 2, 3, 4].map(() => run([...args, '--yes'])))
  assert.equal((await videos(fay)).length, 1)
})

test('404: sample whose account is locked or whose film is deleted → no sample any more, at once; file of no sample', async () => {
  const ann = await kinora.person({ credits: 100 })
  const made = async () => {
    assert.equal((await run(['--yes', '--again', '--model', 'delta-1-5', '--user', ann.email])).status, 0)
    const [film] = await videos(ann)
    return film?.uuid ?? assert.fail()
  }
  const uuid = await made()
  const link = `${kinora.url}/sample/${uuid}/film.mp4`
  for (const [banned, status] of [
    [true, 404],
    [false, 200],
  ] as const) {
    await sql`update public."user" set banned = ${banned} where id = ${ann.userId}`
    assert.equal((await fetch(link)).status, status)
  }
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
  assert.equal((await fetch(link)).status, 404)
  assert.deepEqual((await samples())['delta-1-5'], none)
  for (const id of ['nonsense', root.userId])
    assert.equal((await fetch(`${kinora.url}/sample/${id}/film.mp4`)).status, 404)
})
