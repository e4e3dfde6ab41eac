/** The operator's prompt templates: chips below the prompt, their placeholders, and back to the user's words. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { promptTemplates, replaceTemplates } from '../../server/src/catalogue/templates.ts'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { openBrowser, until, untilSays } from './browser.ts'

const kinora = await openKinora()
const { visit } = await openBrowser(kinora)
const shipped = promptTemplates()
after(() => replaceTemplates(shipped))
replaceTemplates([
  { title: { en: 'Bird', zh: '鸟' }, prompt: { en: 'A {heron} waits', zh: '一只{苍鹭}在等待' } },
  { title: { en: 'Sea' }, prompt: { en: 'Waves at night' } },
])

test('template: chosen with films on the stage → in the prompt, its placeholder selected until it is replaced', async () => {
  const ann = await kinora.person()
  await completedVideo(kinora, ann, { prompt: 'Gulls' })
  const { page } = await visit({ as: ann })
  await page.goto('/')
  const prompt = page.getByRole('textbox', { name: 'Prompt' })
  await page.getByRole('button', { name: 'Bird' }).click()
  await untilSays(prompt, 'A {heron} waits')
  await page.getByText('Write your own words for {heron}.').waitFor()
  await until(
    async () => (await page.evaluate<string>('document.getSelection().toString()')) === '{heron}',
    'the placeholder in the selection',
  )
  await page.keyboard.type('crane')
  await untilSays(prompt, 'A crane waits')
  await page.getByText('Write your own words for').waitFor({ state: 'detached' })
})

test('template: typed prompt replaced → Undo brings it back; another template in its place → no question', async () => {
  const { page } = await visit({ as: await kinora.person() })
  await page.goto('/')
  const prompt = page.getByRole('textbox', { name: 'Prompt' })
  await prompt.fill('My own boat')
  await page.getByRole('button', { name: 'Sea' }).click()
  await untilSays(prompt, 'Waves at night')
  await page.getByRole('button', { name: 'Undo' }).click()
  await untilSays(prompt, 'My own boat')
  await prompt.fill('')
  await page.getByRole('button', { name: 'Sea' }).click()
  await page.getByRole('button', { name: 'Bird' }).click()
  await untilSays(prompt, 'A {heron} waits')
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
})

test('template: Chinese studio → the Chinese texts, English where there are none', async () => {
  const { page } = await visit({ as: await kinora.person(), locale: 'zh-CN' })
  await page.goto('/')
  await page.getByRole('button', { name: '鸟' }).click()
  await untilSays(page.getByRole('textbox', { name: '提示词' }), '一只{苍鹭}在等待')
  await page.getByRole('button', { name: 'Sea' }).waitFor()
})
