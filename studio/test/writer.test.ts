/** The writer in the studio: prompt help, and shots of a script. The test stands in for the language model. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { openLanguageModel } from '../../server/test/support/language-model.ts'
import { MODERATION_KEY, openModerator } from '../../server/test/support/moderator.ts'
import { openTeams } from '../../server/test/support/teams.ts'
import { openBrowser, until, untilSays } from './browser.ts'

const model = await openLanguageModel()
const moderator = await openModerator()
const env = { WRITER_URL: model.url, WRITER_MODEL: 'some-model' }
const moderated = { MODERATION_URL: moderator.own, MODERATION_API_KEY: MODERATION_KEY, RATE_LIMITS: 'on' }
const kinora = await openKinora({ env: { ...env, ...moderated } })
const without = await openKinora()
const browser = await openBrowser(kinora)
const browserWithout = await openBrowser(without)
beforeEach(() => {
  model.received.length = 0
})

type Shot = { settings: { prompt?: string; model?: string; duration?: number } }
type Project = { id: string; shots: (Shot & { id: string })[] }
type As = { as: Person; headers?: Record<string, string> }

const makeProject = async (to: typeof kinora, who: As): Promise<Project> => {
  const settings = { prompt: 'A boat', model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }
  const body = { name: 'The lighthouse', shots: [{ settings }] }
  return (await to.call<Project>('POST', '/api/v1/project', { ...who, body })).data
}

const prompt = (page: Page, name = 'Prompt'): Locator => page.getByRole('textbox', { name })
const help = (page: Page): Locator => page.getByRole('button', { name: 'Improve the prompt' })
const proposal = (page: Page): Locator => page.getByRole('region', { name: 'Proposed prompt' })
const marked = async (page: Page): Promise<string[][]> => [
  await page.locator('ins').allTextContents(),
  await page.locator('del').allTextContents(),
]

test('prompt help: asked → what changes is marked; kept mine → as it was; used → in the prompt, until Undo', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/')
  await prompt(page).fill('A boat on the water')
  model.answer = JSON.stringify({ prompt: 'A red boat on the dark sea' })
  await help(page).click()
  await proposal(page).getByText('Words added: 3, removed: 1').waitFor()
  assert.deepEqual(await marked(page), [['red', 'dark sea'], ['water']])
  assert.equal(await prompt(page).inputValue(), 'A boat on the water')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await proposal(page).waitFor({ state: 'detached' })
  assert.equal(await prompt(page).inputValue(), 'A boat on the water')

  await page.keyboard.press('Enter')
  await proposal(page).getByText('Words added: 3').waitFor()
  // What is typed meanwhile is compared too.
  await prompt(page).fill('Two boats on the water')
  await proposal(page).getByText('Words added: 5, removed: 3').waitFor()
  model.answer = JSON.stringify({ prompt: 'Two boats at sea' })
  await proposal(page).getByRole('button', { name: 'Try again' }).click()
  await proposal(page).getByText('Words added: 2, removed: 3').waitFor()
  await proposal(page).getByRole('button', { name: 'Use it' }).click()
  await untilSays(prompt(page), 'Two boats at sea')
  await page.locator('textarea[name="prompt"]:focus').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await untilSays(prompt(page), 'Two boats on the water')
  assert.equal(model.received.length, 3)
})

test('prompt help: Chinese text, which has no spaces → its words are marked', async () => {
  const { page } = await browser.visit({ as: await kinora.person(), locale: 'zh-CN' })
  await page.goto('/')
  await prompt(page, '提示词').fill('一只纸船漂流')
  model.answer = JSON.stringify({ prompt: '一只白色纸船在雨中漂流' })
  await page.getByRole('button', { name: '改进提示词' }).click()
  await page.getByText('新增 3 个词，删除 0 个词').waitFor()
  assert.deepEqual(await marked(page), [['白色', '在雨中'], []])
})

test('prompt help: no answer, refused, asked too often → said beside the prompt, which stays', async () => {
  const ann = await kinora.person()
  const { page, expect } = await browser.visit({ as: ann })
  expect(/\b(503|400|429)\b.*writer/)
  await page.goto('/')
  await prompt(page).fill('A boat [violence]')
  await help(page).click()
  await proposal(page).getByText('Moderation refused this request').waitFor()
  assert.equal(model.received.length, 0)
  model.answer = 500
  await prompt(page).fill('A boat')
  await proposal(page).getByRole('button', { name: 'Try again' }).click()
  await proposal(page).getByText('The writer gave no answer').waitFor()
  model.answer = JSON.stringify({ prompt: 'A boat' })
  await proposal(page).getByRole('button', { name: 'Try again' }).click()
  await proposal(page).getByText('The writer would change nothing.').waitFor()
  assert.equal(await proposal(page).getByRole('button', { name: 'Use it' }).count(), 0)
  const ask = () => kinora.call('POST', '/api/v1/writer/prompt', { as: ann, body: { prompt: 'A' } })
  await until(async () => (await ask()).status === 429, 'the limit of the day')
  await proposal(page).getByRole('button', { name: 'Try again' }).click()
  await proposal(page).getByText('more than 100 requests in a day; try again in 24 hours').waitFor()
  assert.equal(await prompt(page).inputValue(), 'A boat')
})

test('shot of a team’s project: prompt help → for its model, asked as the team, and used → saved with the shot', async () => {
  const { newTeam } = openTeams(kinora)
  const { id, owner } = await newTeam({ credits: 100 })
  const who = { as: owner, headers: { 'x-team': id } }
  const project = await makeProject(kinora, who)
  const { page } = await browser.visit({ as: owner })
  const team = JSON.stringify({ id, name: 'North', role: 'owner' })
  await page.addInitScript(`localStorage.setItem('kinora.team', '${team}')`)
  await page.goto(`/projects/${project.id}?shot=${project.shots[0]?.id}`)
  await untilSays(prompt(page), 'A boat')
  model.answer = JSON.stringify({ prompt: 'A boat at dawn' })
  const asked = page.waitForRequest('**/writer/prompt')
  await help(page).click()
  assert.equal((await asked).headers()['x-team'], id)
  await proposal(page).getByRole('button', { name: 'Use it' }).click()
  const saved = async () => (await kinora.call<Project>('GET', `/api/v1/project/${project.id}`, who)).data.shots[0]
  await until(async () => (await saved())?.settings.prompt === 'A boat at dawn', 'the saved prompt')
  assert.match(JSON.stringify(model.received[0]?.body), /For the model Delta 1\.5/)
})

test('script: shots proposed → read, changed, one removed; added by a press alone, in lengths of the model', async () => {
  const who = { as: await kinora.person() }
  const { id } = await makeProject(kinora, who)
  const { page, expect } = await browser.visit(who)
  expect(/\b503\b.*writer/)
  await page.goto(`/projects/${id}`)
  await page.getByRole('button', { name: 'Shots from a script…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Script, or CSV').fill('A keeper finds a whale.')
  const propose = dialog.getByRole('button', { name: 'Propose shots' })
  model.answer = 500
  await propose.click()
  await dialog.getByText('The writer gave no answer').waitFor()
  const shots = [{ prompt: 'A lighthouse', seconds: 7 }, { prompt: 'A wave' }, { prompt: 'A whale', seconds: 4 }]
  model.answer = JSON.stringify({ shots })
  await propose.click()
  await dialog.getByRole('textbox', { name: 'Shot 1' }).fill('A lighthouse at dusk')
  await dialog.getByRole('button', { name: 'Remove shot 2' }).click()
  const read = async () => (await kinora.call<Project>('GET', `/api/v1/project/${id}`, who)).data.shots
  assert.equal((await read()).length, 1)
  await dialog.getByRole('button', { name: 'Add 2 shots' }).click()
  await page.getByText('2 shots added.').waitFor()
  assert.deepEqual(
    (await read()).map(({ settings }) => [settings.prompt, settings.model]),
    [
      ['A boat', 'delta-1-5'],
      ['A lighthouse at dusk', 'delta-1-5'],
      ['A whale', 'delta-1-5'],
    ],
  )
  const [, first, second] = await read()
  assert.ok(first?.settings.duration && Math.abs(first.settings.duration - 7) <= 1)
  assert.equal(second?.settings.duration, 4)
})

test('writer: no WRITER_URL → neither button', async () => {
  const who = { as: await without.person() }
  const { id, shots } = await makeProject(without, who)
  const { page } = await browserWithout.visit(who)
  for (const at of ['/', `/projects/${id}?shot=${shots[0]?.id}`]) {
    await page.goto(at)
    await prompt(page).waitFor()
    assert.equal(await help(page).count(), 0)
  }
  await page.goto(`/projects/${id}`)
  await page.getByRole('button', { name: 'Shots from a script…' }).click()
  await page.getByRole('button', { name: 'Make the shots' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Propose shots' }).count(), 0)
})
