/** Projects in the studio: shots, their order and takes, the cut, and two people at once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { addModel, models } from '../../server/test/support/changed-models.ts'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { film } from './films.ts'
import { createUser } from './named-user.ts'

const kinora = await openKinora({ simulator: true, env: { MAX_IN_PROGRESS: '2' } })
const browser = await openBrowser(kinora)
const { newTeam } = openTeams(kinora)

after(() => models().delete('extending'))
addModel('extending', {
  name: 'Extending',
  modes: { 'text-to-video': { duration: [4, 8], quality: ['720p'], aspectRatio: ['16:9'] }, extend: {} },
})

type Shot = {
  id: string
  settings: { prompt?: string; inputs?: { role: string }[] }
  notes: string
  takeId: string | null
  inMs: number | null
  outMs: number | null
  version: number
  takes: { uuid: string; mode: string }[]
}
type Project = { id: string; name: string; shots: Shot[]; aspectRatio: string }
type As = { as: Person; headers?: Record<string, string> }

const PROJECTS = '/api/v1/project'
const settings = (prompt: string) => ({ prompt, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' })
const make = async (who: As, prompts: string[]): Promise<Project> => {
  const body = { name: 'The lighthouse', shots: prompts.map((prompt) => ({ settings: settings(prompt) })) }
  return (await kinora.call<Project>('POST', PROJECTS, { ...who, body })).data
}
const read = async (who: As, id: string): Promise<Project> =>
  (await kinora.call<Project>('GET', `${PROJECTS}/${id}`, who)).data
const shotOf = ({ shots }: Project, at: number): Shot => shots[at] ?? assert.fail(`no shot ${at}`)
const changeShot = (who: As, { id }: Project, shot: Shot, body: object) =>
  kinora.call<Shot>('PATCH', `${PROJECTS}/${id}/shots/${shot.id}`, {
    ...who,
    body: { version: shot.version, ...body },
  })
const promptsOf = ({ shots }: Project) => shots.map((shot) => shot.settings.prompt ?? '')

const prompt = (page: Page): Locator => page.getByRole('textbox', { name: 'Prompt' })
const cards = (page: Page): Locator => page.getByRole('region', { name: 'Storyboard' }).getByRole('listitem')
const untilOrder = (who: As, id: string, prompts: string[]) =>
  until(async () => promptsOf(await read(who, id)).join() === prompts.join(), `the order ${prompts}`)

test('project: made, its first shot written, named notes → saved while typing, on the storyboard and after a reload', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { page } = await browser.visit({ as: ann })
  await page.goto('/projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('The lighthouse')
  await page.getByRole('dialog').getByLabel('Format').selectOption('9:16')
  await page.getByRole('button', { name: 'Make the project' }).click()
  await page.getByRole('heading', { name: 'The lighthouse' }).waitFor()
  await page.getByRole('button', { name: 'Add a shot' }).click()
  await prompt(page).fill('A boat at dawn')
  await page.getByLabel('Notes').fill('Wide')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await untilSays(prompt(page), 'A boat at dawn')
  await page.getByRole('link', { name: 'The lighthouse' }).click()
  await cards(page).getByText('A boat at dawn').waitFor()
  await cards(page).getByText('Wide').waitFor()
  // What is typed last is saved also when the page is left at once.
  await cards(page).getByRole('link').click()
  await prompt(page).fill('A boat at noon')
  await page.getByRole('link', { name: 'The lighthouse' }).click()
  await cards(page).getByText('A boat at noon').waitFor()
  const { data } = await kinora.call<{ projects: { id: string; aspectRatio: string }[] }>('GET', PROJECTS, { as: ann })
  const id = String(data.projects[0]?.id)
  await until(async () => promptsOf(await read({ as: ann }, id))[0] === 'A boat at noon', 'the saved prompt')
  assert.equal((await read({ as: ann }, id)).aspectRatio, '9:16')
})

test('storyboard: a shot moved by keys, by its button and dragged, duplicated, deleted → the order is that of the API', async () => {
  const who = { as: await kinora.person({ credits: 1000 }) }
  const { id } = await make(who, ['A', 'B', 'C'])
  const { page } = await browser.visit({ ...who, viewport: { width: 1366, height: 900 } })
  await page.goto(`/projects/${id}`)
  await cards(page).nth(2).waitFor()
  await cards(page).nth(0).getByRole('link').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await untilOrder(who, id, ['B', 'A', 'C'])
  await page.getByText('Shot 1 is now shot 2.').waitFor()
  // The focus goes with the card.
  await page.keyboard.press('Alt+ArrowRight')
  await untilOrder(who, id, ['B', 'C', 'A'])
  await cards(page).nth(2).getByRole('button', { name: 'Move earlier' }).focus()
  await page.keyboard.press('Enter')
  await untilOrder(who, id, ['B', 'A', 'C'])
  await cards(page)
    .nth(2)
    .dragTo(cards(page).nth(0), { targetPosition: { x: 10, y: 40 } })
  await untilOrder(who, id, ['C', 'B', 'A'])
  await cards(page).nth(1).getByRole('button', { name: 'Duplicate' }).click()
  await untilOrder(who, id, ['C', 'B', 'B', 'A'])
  await cards(page).nth(0).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete the shot' }).click()
  await untilOrder(who, id, ['B', 'B', 'A'])
  await until(async () => (await cards(page).count()) === 3, 'three cards')
})

test('take: chosen, cut by its edges, the next shot made from its last frame → kept, and the whole plays without a gap', async () => {
  const who = { as: await kinora.person({ credits: 1000 }) }
  const project = await make(who, ['A boat', 'A storm'])
  const [one, two, three] = [await film(kinora, who.as), await film(kinora, who.as), await film(kinora, who.as)]
  const chosen = (await changeShot(who, project, shotOf(project, 0), { takeId: one })).data
  await changeShot(who, project, chosen, { takeId: two })
  await changeShot(who, project, shotOf(project, 1), { takeId: three })
  const { page } = await browser.visit({ ...who, viewport: { width: 1366, height: 768 } })
  await page.goto(`/projects/${project.id}?shot=${shotOf(project, 0).id}`)
  await page.getByRole('list', { name: 'Takes of this shot' }).getByRole('button', { name: 'Take 1' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  const saved = async () => shotOf(await read(who, project.id), 0)
  await until(async () => (await saved()).takeId === one, 'the chosen take')
  const from = page.getByRole('slider', { name: 'In', exact: true })
  await from.focus()
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
  await page.getByRole('slider', { name: 'Out', exact: true }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  // Each key may be saved by itself.
  await until(async () => {
    const { inMs, outMs } = await saved()
    return inMs === 200 && outMs === 280
  }, 'the cut')

  await page.getByRole('button', { name: 'Next shot' }).click()
  await page.getByRole('heading', { name: 'Shot 2 of 3' }).waitFor()
  await page.getByText('The film begins with this image.').waitFor()
  await untilSays(prompt(page), 'A boat')
  const added = shotOf(await read(who, project.id), 1)
  assert.deepEqual(
    added.settings.inputs?.map(({ role }) => role),
    ['start'],
  )

  await page.getByRole('link', { name: 'The lighthouse' }).click()
  const whole = page.getByRole('region', { name: 'The whole film' })
  await whole.getByText('0:00 / 0:04').waitFor()
  await page.evaluate(recordFronts)
  await whole.getByRole('button', { name: 'Play' }).click()
  const fronts = () => page.evaluate<[string, number, boolean][]>('fronts')
  await until(async () => (await fronts()).length > 1, 'the second film')
  const [, [, readyState, isPlaying] = ['', 0, false]] = await fronts()
  // It had its first frame when it was shown, and played.
  assert.ok(readyState >= 2 && isPlaying)
  const current = whole.getByRole('list', { name: 'Shots in order' }).locator('[aria-current]')
  await current.filter({ hasText: 'Shot 3' }).waitFor()
})

/** Each element that comes to the front: whether it has a frame and plays. */
const recordFronts = `{
  globalThis.fronts = []
  let last = null
  const look = () => {
    const front = document.querySelector('video[data-front="true"]')
    if (front && front !== last) fronts.push([front.src, front.readyState, !front.paused])
    last = front ?? last
    requestAnimationFrame(look)
  }
  look()
}`

test('shot of a team: two members write its prompt at once → the other is named, and neither text is lost', async () => {
  const { id: teamId, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(kinora.app, teamId, await createUser(kinora, 'Ben'))
  const headers = { 'x-team': teamId }
  const project = await make({ as: owner, headers }, ['A boat'])
  const { page, expect } = await browser.visit({ as: owner })
  expect(/\b409\b/)
  await page.addInitScript(
    `localStorage.setItem('kinora.team', '${JSON.stringify({ id: teamId, name: 'North', role: 'owner' })}')`,
  )
  await page.goto(`/projects/${project.id}?shot=${shotOf(project, 0).id}`)
  await untilSays(prompt(page), 'A boat')
  const theirs = (text: string) => async () => {
    const shot = shotOf(await read({ as: ben, headers }, project.id), 0)
    await changeShot({ as: ben, headers }, project, shot, { settings: settings(text) })
  }
  // Another field than the user's is merged.
  const shot = shotOf(project, 0)
  await changeShot({ as: ben, headers }, project, shot, { notes: 'By Ben' })
  await prompt(page).fill('A boat in the fog')
  const settled = async (text: string) =>
    until(async () => promptsOf(await read({ as: owner, headers }, project.id))[0] === text, text)
  await settled('A boat in the fog')
  assert.equal(shotOf(await read({ as: owner, headers }, project.id), 0).notes, 'By Ben')

  await theirs('A ship')()
  await prompt(page).fill('A raft in the fog')
  const conflict = page.getByRole('alert').filter({ hasText: 'Ben changed this' })
  await conflict.getByText('A ship').waitFor()
  await untilSays(prompt(page), 'A raft in the fog')
  await page.reload()
  await untilSays(prompt(page), 'A raft in the fog')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await settled('A raft in the fog')

  await theirs('A ferry')()
  await prompt(page).fill('A raft at night')
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await untilSays(prompt(page), 'A ferry')
  await page.getByRole('button', { name: 'Undo' }).click()
  await settled('A raft at night')

  await page.getByRole('link', { name: 'The lighthouse' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  const { version } = (await kinora.call<{ version: number }>('GET', `${PROJECTS}/${project.id}`, { as: ben, headers }))
    .data
  await kinora.call('PATCH', `${PROJECTS}/${project.id}`, { as: ben, headers, body: { version, name: 'The pier' } })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('The light')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByText('It is “The pier” now.').waitFor()
  await untilSays(dialog.getByLabel('Name'), 'The light')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { name: 'The light' }).waitFor()
})

test('takes: generated by the form of the shot, then extended → each a take of the same shot, the newest on its page', async () => {
  const who = { as: await kinora.person({ credits: 100 }) }
  const project = await make(who, ['A boat'])
  await changeShot(who, project, shotOf(project, 0), { settings: { ...settings('A boat'), model: 'extending' } })
  const { page } = await browser.visit({ ...who, viewport: { width: 1366, height: 768 } })
  await page.goto(`/projects/${project.id}?shot=${shotOf(project, 0).id}`)
  const takes = async () => shotOf(await read(who, project.id), 0)
  const finish = async () => {
    const [newest] = (await takes()).takes
    await kinora.finish(who.as, newest?.uuid ?? '')
    await page.getByRole('button', { name: 'Next shot' }).waitFor()
  }
  await page.getByRole('button', { name: 'Generate · 16 credits' }).click()
  await until(async () => (await takes()).takeId !== null, 'the chosen take')
  await finish()
  assert.equal(await page.getByRole('button', { name: 'Use this take' }).count(), 0)
  await page.getByRole('button', { name: 'Extend', exact: true }).click()
  await page.getByText('Continues one of your films.').waitFor()
  await page.getByRole('button', { name: /^Generate · / }).click()
  await until(async () => (await takes()).takes.length === 2, 'the second take')
  await page.getByRole('button', { name: 'Cancel' }).waitFor()
  await finish()
  const { takeId, settings: kept, takes: all } = await takes()
  assert.deepEqual([all.map(({ mode }) => mode), takeId], [['extend', 'text-to-video'], all[1]?.uuid])
  assert.equal(kept.prompt, 'A boat')
  await page.getByRole('button', { name: 'Use this take' }).click()
  await until(async () => (await takes()).takeId === all[0]?.uuid, 'the longer take')
})

test('generate all: four shots, one of them without a model and one that fails → one sum, one request, credits back on its card', async () => {
  const who = { as: await kinora.person({ credits: 100 }) }
  const { id } = await make(who, ['A boat', 'A storm [fail: no luck]', 'A beach'])
  await kinora.call('POST', `${PROJECTS}/${id}/shots`, { ...who, body: { shots: [{ settings: { prompt: 'Night' } }] } })
  const { page } = await browser.visit({ ...who, viewport: { width: 1366, height: 900 } })
  await page.goto(`/projects/${id}`)
  const whole = page.getByRole('region', { name: 'The whole film' })
  await whole.getByText('4 shots lack a take.').waitFor()
  await whole
    .getByRole('listitem')
    .filter({ hasText: 'Choose a model.' })
    .getByRole('link', { name: 'Shot 4' })
    .waitFor()
  await whole.getByText('52 credits left after it.').waitFor()
  await cards(page).nth(0).getByText('16 credits').waitFor()
  await whole.getByRole('button', { name: 'Generate 3 shots · 48 credits' }).click()
  await cards(page).nth(2).getByText('Waiting for its turn').waitFor()
  assert.deepEqual((await kinora.balance(who.as)).frozen, 48)
  await kinora.workUntil(async () => (await kinora.balance(who.as)).frozen === 0)
  await cards(page).nth(1).getByText('no luck', { exact: true }).waitFor()
  await cards(page).nth(1).getByText('16 credits returned').waitFor()
  await whole.getByText('0:00 / 0:08').waitFor()
  await whole.getByText('2 shots lack a take.').waitFor()
  assert.equal((await kinora.balance(who.as)).used, 32)
})

test('script: pasted text, a file of CSV → shots with the model of the last one; undone, and as CSV again', async () => {
  const who = { as: await kinora.person({ credits: 100 }) }
  const { id } = await make(who, ['A boat'])
  const { page } = await browser.visit(who)
  await page.goto(`/projects/${id}`)
  const open = () => page.getByRole('button', { name: 'Shots from a script…' }).click()
  await open()
  await page.getByLabel('Script, or CSV').fill('1. A storm comes up.\n\n2. The lamp goes out.')
  await page.getByRole('button', { name: 'Make the shots' }).click()
  await untilOrder(who, id, ['A boat', 'A storm comes up.', 'The lamp goes out.'])
  await cards(page).nth(2).getByText('Delta 1.5 · 4 s · 16 credits').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await untilOrder(who, id, ['A boat'])
  await open()
  const buffer = Buffer.from('prompt,duration,notes\r\n"A shoe, red",8,Front\r\nA hat,4,\r\n')
  await page.getByLabel('File with a script').setInputFiles({ name: 'shots.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Make the shots' }).click()
  await cards(page).nth(1).getByText('Delta 1.5 · 8 s · 32 credits').waitFor()
  await cards(page).nth(1).getByText('Front').waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Shots as CSV' }).click()
  assert.match((await downloading).suggestedFilename(), /\.csv$/)
})

test('sound track: uploaded with its volume and fades → saved, heard with the film; a take that is in it deleted → said', async () => {
  const who = { as: await kinora.person({ credits: 100 }) }
  const project = await make(who, ['A boat'])
  await changeShot(who, project, shotOf(project, 0), { takeId: await film(kinora, who.as) })
  const { page } = await browser.visit({ ...who, viewport: { width: 1366, height: 768 } })
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('button', { name: 'Add sound…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sound track' })
  await dialog.getByLabel('Sound file').setInputFiles({ name: 'sea.wav', mimeType: 'audio/wav', buffer: silence(8) })
  await dialog.getByRole('button', { name: 'Remove' }).waitFor()
  await dialog.getByLabel('Fade in, seconds').fill('1.5')
  await dialog.getByLabel('Volume').press('Home')
  await dialog.getByLabel('Volume').press('ArrowRight')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Sound track…' }).waitFor()
  const { sound } = (await kinora.call<{ sound: object }>('GET', `${PROJECTS}/${project.id}`, who)).data
  assert.deepEqual({ ...sound, asset: '' }, { asset: '', volume: 0.05, fadeInS: 1.5, fadeOutS: 2 })
  const whole = page.getByRole('region', { name: 'The whole film' })
  await page.locator('audio').waitFor({ state: 'attached' })
  await whole.getByRole('button', { name: 'Play' }).click()
  await until(() => page.evaluate<boolean>("document.querySelector('audio').currentTime > 0.2"), 'the sound')
  assert.ok(await page.evaluate<boolean>("document.querySelector('audio').volume < 0.05"), 'it fades in')

  await cards(page).getByRole('link').click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('It was the take of a shot, which keeps its settings.').waitFor()
  await page.getByText('The take that was in the film was deleted.').waitFor()
  await page.getByRole('link', { name: 'The lighthouse' }).click()
  await cards(page).getByText('Its take was deleted. The settings are kept.').waitFor()
})

/** A WAV file of one channel. */
function silence(seconds: number): Buffer {
  const [rate, header] = [8000, Buffer.alloc(44)]
  header.write('RIFF')
  header.writeUInt32LE(36 + rate * seconds, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(rate * seconds, 40)
  return Buffer.concat([header, Buffer.alloc(rate * seconds, 128)])
}

test('viewer of a team: a project → its shots and takes, and nothing that changes them', async () => {
  const { id: teamId, owner } = await newTeam({ credits: 100 })
  const vera = await addMember(kinora.app, teamId, await createUser(kinora, 'Vera'), 'viewer')
  const project = await make({ as: owner, headers: { 'x-team': teamId } }, ['A boat', 'A storm'])
  const { page } = await browser.visit({ as: vera })
  const team = JSON.stringify({ id: teamId, name: 'North', role: 'viewer' })
  await page.addInitScript(`localStorage.setItem('kinora.team', '${team}')`)
  await page.goto(`/projects/${project.id}`)
  await cards(page).nth(1).waitFor()
  const changing = /^(Move|Duplicate|Delete|Rename|Add|Shots from)/
  assert.equal(await page.getByRole('button', { name: changing }).count(), 0)
  await page.getByText('You are a viewer in this team.').waitFor()
  await cards(page).nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: 'Shot 2 of 2' }).waitFor()
  await page.getByText('A storm', { exact: true }).waitFor()
  assert.equal(await prompt(page).count(), 0)
})
