/** Shots that are read from a text or from CSV, and written as CSV. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitText } from '../../src/project/split-text.ts'
import { csvOf, readCsv } from '../../src/text/csv.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { first, openProjects, PROJECTS, type Project, promptsOf, settingsOf } from '../support/projects.ts'

const kinora = await openKinora()
const { make, read } = openProjects(kinora)

const shotsOf = (text: string) => splitText(text).map(({ settings, notes }) => [settings.prompt, notes])
const send = (as: Person, id: string, body: object) =>
  kinora.call<Project>('POST', `${PROJECTS}/${id}/shots`, { as, body })
const download = async (as: Person, id: string) => {
  const response = await fetch(`${kinora.url}${PROJECTS}/${id}/shots.csv`, {
    headers: { authorization: `Bearer ${as.token}` },
  })
  return { text: await response.text(), headers: response.headers }
}

const texts: [what: string, text: string, shots: string[][]][] = [
  [
    'blank lines',
    'A boat leaves\nthe harbour.\n\n\nA storm.',
    [
      ['A boat leaves the harbour.', ''],
      ['A storm.', ''],
    ],
  ],
  [
    'numbers and labels',
    '1. A boat.\n2) A storm.\nShot 3: The light.\n镜头 4：灯塔。\nScene 5\n\nDawn.',
    [
      ['A boat.', '1'],
      ['A storm.', '2'],
      ['The light.', 'Shot 3'],
      ['灯塔。', '镜头 4'],
      ['Dawn.', 'Scene 5'],
    ],
  ],
  [
    'headings of places, for all below them',
    'INT. KITCHEN – DAY\n\nAnn cooks.\n\nThe cat looks.\nEXT. SEA - NIGHT\nWaves.',
    [
      ['INT. KITCHEN – DAY\nAnn cooks.', ''],
      ['INT. KITCHEN – DAY\nThe cat looks.', ''],
      ['EXT. SEA - NIGHT\nWaves.', ''],
    ],
  ],
  [
    'numbers that begin no shot',
    'A clock.\n12.5 seconds pass.\r\n1999 was a year.',
    [['A clock. 12.5 seconds pass. 1999 was a year.', '']],
  ],
  ['nothing', ' \n\n', []],
]
for (const [what, text, shots] of texts)
  test(`text: ${what} → its shots`, () => {
    assert.deepEqual(shotsOf(text), shots)
  })

test('csv: cells with commas, quotation marks, lines, formulas → read as they were written', () => {
  const rows = [
    ['a', 'b'],
    ['1,2;3', 'he said "go"'],
    ['two\r\nlines', '=1+1'],
    ["'@mara", '@mara'],
    ['', '-'],
  ]
  assert.deepEqual(readCsv(csvOf(rows)), rows)
  assert.match(csvOf(rows), /'=1\+1/)
  assert.deepEqual(readCsv('\ufeffa;b\n"1";2\n\n;\n3;'), [
    ['a', 'b'],
    ['1', '2'],
    ['3', ''],
  ])
  assert.throws(() => readCsv('a,b\n"1,2'), /Row 2/)
})

test('200: a text, CSV, and either as the body itself → shots with the settings beside it', async () => {
  const ann = await kinora.person()
  const { data: project } = await make(ann)
  const { prompt: _, ...settings } = settingsOf('')
  const { data: split } = await send(ann, project.id, { text: '1. A boat.\n2. A storm.', settings })
  assert.deepEqual([promptsOf(split), split.shots[1]?.notes], [['A boat.', 'A storm.'], '2'])
  assert.deepEqual(first(split).settings, { ...settings, prompt: 'A boat.' })
  const csv = 'Prompt,duration,audio,options\r\nA lamp,6,true,"{""style"":""warm""}"\r\n'
  const { data: listed } = await send(ann, project.id, { csv, settings })
  assert.deepEqual(listed.shots[2]?.settings, {
    ...settings,
    ...{ prompt: 'A lamp', duration: 6, audio: true, options: { style: 'warm' } },
  })
  const post = async (type: string, body: string) => {
    const response = await fetch(`${kinora.url}${PROJECTS}/${project.id}/shots`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': type },
      body,
    })
    return response.status
  }
  assert.equal(await post('text/plain', 'One.\n\nTwo.'), 200)
  assert.equal(await post('text/csv; charset=utf-8', csv), 200)
  assert.equal((await read(ann, project.id)).shots.length, 6)
})

test('200: shots.csv of a project, sent to another one → the same shots', async () => {
  const ann = await kinora.person()
  const inputs = [{ role: 'start', url: 'https://pictures.example/boat.png' }]
  const { data: one } = await make(ann, ['@mara sails, "fast"\n=then rests', settingsOf('B', { inputs, seed: 7 })])
  const { text, headers } = await download(ann, one.id)
  assert.match(headers.get('content-disposition') ?? '', /The lighthouse\.csv/)
  const { data: two } = await make(ann)
  const { data: copy } = await send(ann, two.id, { csv: text })
  assert.deepEqual(
    copy.shots.map(({ settings, notes }) => ({ settings, notes })),
    one.shots.map(({ settings, notes }) => ({ settings, notes })),
  )
})

test('400: CSV with an unknown column or a value of another kind, a text without a shot or with too many → none is made', async () => {
  const ann = await kinora.person()
  const { data: project } = await make(ann)
  const refusals = [
    { csv: 'prompt,colour\nA,red' },
    { csv: 'prompt,duration\nA,four' },
    { csv: 'prompt,inputs\nA,"[{""role"":""none""}]"' },
    { csv: 'prompt' },
    { text: ' ' },
    { text: Array.from({ length: 51 }, (_, i) => `${i + 1}. A`).join('\n') },
    { text: 'x'.repeat(5001) },
  ]
  for (const body of refusals) {
    const response = await send(ann, project.id, body)
    assert.equal(response.status, 400, JSON.stringify(body).slice(0, 100))
    assert.ok(pathsOf(response).length > 0)
  }
  assert.equal((await read(ann, project.id)).shots.length, 0)
})
