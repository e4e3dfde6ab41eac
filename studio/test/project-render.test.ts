/** A project as one file: rendered with its progress, cancelled, played, and shared as films are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { openProjects } from '../../server/test/support/projects.ts'
import { openBrowser, until } from './browser.ts'
import { film } from './films.ts'

const kinora = await openKinora({ simulator: true })
const browser = await openBrowser(kinora)
const { make, read, changeShot } = openProjects(kinora)

test('render: a shot without a take, a cancelled cut, then one to its end → said, stopped, and played from the storyboard', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['A boat', 'A storm'])
  const [first = assert.fail(), second = assert.fail()] = project.shots
  await changeShot(ann, project.id, first, { takeId: await film(kinora, ann), outMs: 1000 })
  const { page } = await browser.visit({ as: ann, viewport: { width: 1366, height: 768 } })
  await page.goto(`/projects/${project.id}`)
  const part = page.getByRole('region', { name: 'One file' })
  await part.getByText('Once each shot has a finished take.').waitFor()
  const shot = (await read(ann, project.id)).shots.find(({ id }) => id === second.id) ?? assert.fail()
  await changeShot(ann, project.id, shot, { takeId: await film(kinora, ann), outMs: 1000 })
  await page.reload()
  const cuts = async () => {
    const { data } = await kinora.call<{ videos: { uuid: string; status: string }[] }>(
      'GET',
      '/api/v1/video/list?kind=cut',
      { as: ann },
    )
    return data.videos
  }
  await part.getByRole('button', { name: 'Render the film' }).click()
  await part.getByText('Rendering', { exact: true }).waitFor()
  await part.getByRole('button', { name: 'Cancel' }).click()
  await part.getByText('Cancelled', { exact: true }).waitFor()
  await part.getByRole('button', { name: 'Render again' }).click()
  await until(async () => (await cuts()).length === 2, 'the second cut')
  const [cut] = await cuts()
  await kinora.finish(ann, cut?.uuid ?? '')
  await part.locator('video').waitFor()
  await part.getByRole('link', { name: 'Share or publish…' }).click()
  await page.getByRole('button', { name: 'Share' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /^(Reuse settings|Show on the stage)$/ }).count(), 0)
  await page.goBack()
  await part.getByText('Rendered ').waitFor()
})
