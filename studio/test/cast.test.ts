/** The cast: made from uploads and frames, named in the prompt, among the references, and what a model cannot do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '@kinora/client'
import type { Page } from 'playwright-core'
import type { RoleUse } from '../../server/src/catalogue/constraints.ts'
import { withMentions } from '../../server/src/catalogue/mentions.ts'
import { requestSchema } from '../../server/src/catalogue/request-schema.ts'
import { cutToCount } from '../../server/src/video/inputs.ts'
import { addModel, models } from '../../server/test/support/changed-models.ts'
import { openKinora } from '../../server/test/support/harness.ts'
import { plain } from '../../server/test/support/images.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { mentionedIn } from '../src/cast/mention.ts'
import { takenOf } from '../src/cast/references.ts'
import { modesOf } from '../src/studio/form-fields.ts'
import type { DraftInput } from '../src/studio/form-values.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { addCast } from './cast.ts'
import { film } from './films.ts'
import { addManyModes } from './many-modes.ts'
import { chooseModel } from './studio-form.ts'

const kinora = await openKinora({ simulator: true, worker: true })
const { visit } = await openBrowser(kinora)
addManyModes()
const ofText = { 'text-to-video': { duration: [4], quality: ['720p' as const], aspectRatio: ['16:9'] } }
addModel('of-text', { name: 'Of Text', modes: ofText })
addModel('of-start', { name: 'Of Start', modes: { ...ofText, 'image-to-video': {} } })

const MODEL = { model: 'many-modes', duration: 4, aspectRatio: '16:9', quality: '720p' }
const shelf = (page: Page) => page.getByRole('region', { name: 'Cast', exact: true })
const prompt = (page: Page) => page.getByLabel('Prompt', { exact: true })
const stage = (page: Page) => page.getByRole('region', { name: 'Stage' })
const slot = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const names = (page: Page) => page.getByRole('listbox', { name: 'Cast' })
const dialog = (page: Page) => page.getByRole('dialog')
/** The studio of a user with these members, at a model. */
async function withCast(members: Record<string, number>, model = 'Many Modes') {
  const ann = await kinora.person({ credits: 1000 })
  let at = 0
  for (const [name, pictures] of Object.entries(members)) {
    await addCast(kinora, ann, { name, pictures, at })
    at += pictures
  }
  const visited = await visit({ as: ann })
  await visited.page.goto('/')
  await prompt(visited.page).waitFor()
  await chooseModel(visited.page, model)
  await prompt(visited.page).fill('')
  return { ...visited, ann }
}

const sentInputs = async (page: Page) => {
  const sent = page.waitForRequest('**/api/v1/video/generate')
  await page.getByRole('button', { name: /^Generate · / }).click()
  return (await sent).postDataJSON()
}

test('shelf: member made of two uploads → named in the prompt and among the references by one press, and the film is made', async () => {
  const { page, ann } = await withCast({})
  const typed = Promise.withResolvers<void>()
  await page.route('**/assets/cast-form-*.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/assets/cast-form-*.js')
  await page.getByRole('button', { name: 'Add a character, place or product…' }).click()
  await dialog(page).getByLabel('Name').fill('@Mara')
  for (const colour of ['red', 'blue'])
    await dialog(page)
      .getByLabel('Add pictures')
      .last()
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await plain(100, 100, 'png', colour) })
  await dialog(page).getByRole('button', { name: 'Remove picture 2' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await asked
  await prompt(page).fill('In the rain ')
  typed.resolve()
  await shelf(page).getByRole('button', { name: '@mara', exact: true }).click()
  await untilSays(prompt(page), 'In the rain @mara ')
  await slot(page, '@mara').getByText('2 pictures').waitFor()
  await page.keyboard.type('walks')
  const body = await sentInputs(page)
  assert.deepEqual([body.prompt, body.inputs], ['In the rain @mara walks', [{ role: 'reference', asset: '@mara' }]])
  await stage(page).getByText('Done', { exact: true }).waitFor()
  const { data } = await kinora.call<{ assets: { name: string }[] }>('GET', '/api/v1/asset', { as: ann })
  assert.deepEqual(
    data.assets.map(({ name }) => name),
    ['mara', 'mara'],
  )
})

test('dialog: another name, a picture less → in the shelf, the prompt and the form; deleted → films that used it stay', async () => {
  const { page, ann, expect } = await withCast({ mara: 2 })
  // The price may be asked for, once a film is done, between the change of the name and that of the form.
  expect(/\b404\b.*\/quote$/)
  await shelf(page).getByRole('button', { name: '@mara', exact: true }).click()
  await shelf(page).getByRole('button', { name: 'Edit @mara' }).click()
  await dialog(page).getByLabel('Name').fill('harbour')
  await dialog(page).getByRole('button', { name: 'Remove picture 1' }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await slot(page, '@harbour')
    .getByText(/1 picture$/)
    .waitFor()
  await untilSays(prompt(page), '@harbour ')
  await sentInputs(page)
  await stage(page).getByText('Done', { exact: true }).waitFor()
  await shelf(page).getByRole('button', { name: 'Edit @harbour' }).click()
  await dialog(page).getByRole('button', { name: 'Delete…' }).click()
  await dialog(page).getByText('Films that used it stay.').waitFor()
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Add a character, place or product…' }).waitFor()
  assert.equal(await slot(page, '@harbour').count(), 0)
  const { data } = await kinora.call<{ videos: { videoUrl: string }[] }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal((await fetch(data.videos[0]?.videoUrl ?? '')).status, 200)
})

test('dialog: a picture that another member has, a tenth, a name that is none → each is said, and nothing is lost', async () => {
  const { page } = await withCast({ tom: 1, mara: 8 })
  await shelf(page).getByRole('button', { name: 'Edit @mara' }).click()
  const files = dialog(page).getByLabel('Add pictures').last()
  await files.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await plain(100, 100, 'png', 'red') })
  await dialog(page).getByText('This picture is one of @tom already.').waitFor()
  await files.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: await plain(100, 120, 'png', 'red') })
  await dialog(page).getByText('9 pictures are the most.').waitFor()
  await dialog(page).getByLabel('Name').fill('tom')
  await dialog(page).getByText('There is another @tom.').waitFor()
  await dialog(page).getByLabel('Name').fill('two words')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page)
    .getByText(/^A name has letters/)
    .waitFor()
  await dialog(page).getByLabel('Name').fill('mara')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  await shelf(page).getByRole('button', { name: '@mara', exact: true }).click()
  await slot(page, '@mara').getByText('Many Modes takes 4 of its 9 pictures, the first ones.').waitFor()
})

test('prompt: @ and letters → names to choose by arrows, Enter, Tab or press, or none by Escape; composing chooses none', async () => {
  const { page } = await withCast({ tom: 1, mara: 1, market: 1 })
  await prompt(page).pressSequentially('With @ma')
  await names(page).getByRole('option', { name: '@market' }).waitFor()
  assert.equal(await names(page).getByRole('option').count(), 2)
  const active = () =>
    prompt(page).evaluate(
      (field: { ariaActiveDescendantElement?: { textContent: string } }) =>
        field.ariaActiveDescendantElement?.textContent,
    )
  assert.match((await active()) ?? '', /^@market/)
  await page.keyboard.press('ArrowDown')
  assert.match((await active()) ?? '', /^@mara/)
  await page.keyboard.press('Enter')
  await untilSays(prompt(page), 'With @mara ')
  await slot(page, '@mara').waitFor()
  await page.keyboard.type('and @to')
  await page.keyboard.press('Tab')
  await untilSays(prompt(page), 'With @mara and @tom ')
  await page.keyboard.type('at @')
  await names(page).getByRole('option', { name: '@market' }).click()
  await untilSays(prompt(page), 'With @mara and @tom at @market ')
  await slot(page, '@market').waitFor()
  await page.keyboard.type('@to')
  await names(page).waitFor()
  await page.keyboard.press('Escape')
  await names(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await untilSays(prompt(page), 'With @mara and @tom at @market @to\n')
  await page.keyboard.type('@to')
  await names(page).waitFor()
  await prompt(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await untilSays(prompt(page), 'With @mara and @tom at @market @to\n@to')
  assert.deepEqual(
    (await page.getByRole('group', { name: /^@/ }).allTextContents()).map((text) => /@\d/.exec(text)?.[0]),
    ['@1', '@2', '@3'],
  )
})

test('prompt: a name typed by hand → its pictures are offered, and used by one press', async () => {
  const { page } = await withCast({ mara: 3 })
  await prompt(page).fill('让@Mara走过 a@mara.example')
  await page.getByText('The film does not show @mara yet.').waitFor()
  await page.getByRole('button', { name: 'Use its pictures' }).click()
  await slot(page, '@mara').getByText('3 pictures').waitFor()
  assert.equal(await page.getByText('The film does not show @mara yet.').count(), 0)
})

test('model without references: named member → said before it costs anything; its first picture becomes the start image', async () => {
  const { page } = await withCast({ mara: 2 }, 'Of Start')
  await shelf(page).getByRole('button', { name: '@mara', exact: true }).click()
  await page.getByText('Of Start takes no references, so it does not know @mara.').waitFor()
  await page.getByRole('button', { name: 'Use its first picture as start image' }).click()
  await page.getByText(/^The film begins with this image\./).waitFor()
  await page.getByRole('group', { name: 'Start image' }).getByRole('button', { name: 'Remove' }).click()
  await chooseModel(page, 'Of Text')
  await page.getByText('Of Text takes no references, so it does not know @mara. Choose another model for it.').waitFor()
})

test('frame: the shown one of a film in the library and on the stage → pictures of one member', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await film(kinora, ann, { ...MODEL, prompt: 'A heron at dusk' })
  await film(kinora, ann, { ...MODEL, prompt: 'A tall heron', aspectRatio: '9:16' })
  const { page } = await visit({ as: ann })
  await page.goto(`/library/${uuid}`)
  await page.getByRole('button', { name: 'Cast…' }).click()
  await dialog(page).getByRole('button', { name: 'Remove picture 1' }).waitFor()
  await dialog(page).getByLabel('Name').fill('heron')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('@heron is in your cast.').waitFor()
  await page.goto('/')
  await stage(page).getByRole('button', { name: 'Cast…' }).click()
  await dialog(page).getByLabel('Name').fill('heron')
  await dialog(page).getByText('@heron has 1 picture; these are added.').waitFor()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('@heron is in your cast.').waitFor()
  await shelf(page).getByRole('button', { name: 'Edit @heron' }).click()
  await dialog(page).getByRole('button', { name: 'Remove picture 2' }).waitFor()
})

test('team: viewer → sees the cast and changes nothing; maker → changes what is the own', async () => {
  const { id, owner } = await openTeams(kinora).newTeam({ credits: 100 })
  const [viewer, maker] = [await kinora.person(), await kinora.person()]
  await addMember(kinora.app, id, viewer, 'viewer')
  await addMember(kinora.app, id, maker, 'maker')
  await addCast(kinora, owner, { name: 'mara', pictures: 1, headers: { 'x-team': id } })
  await addCast(kinora, maker, { name: 'tom', pictures: 1, at: 1, headers: { 'x-team': id } })
  for (const [as, buttons] of [
    [viewer, ['@tom', '@mara']],
    [maker, ['@tom', 'Edit @tom', '@mara', 'New']],
    [owner, ['@tom', 'Edit @tom', '@mara', 'Edit @mara', 'New']],
  ] as const) {
    const { page } = await visit({ as })
    const team = JSON.stringify({ id, name: 'North', role: null })
    await page.addInitScript(`localStorage.setItem('kinora.team', '${team}')`)
    await page.goto('/')
    const all = shelf(page).getByRole('button')
    await until(async () => (await all.count()) === buttons.length, `${buttons.length} buttons`)
    assert.deepEqual(
      await all.evaluateAll((each: { ariaLabel: string | null; textContent: string }[]) =>
        each.map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
      ),
      buttons,
    )
  }
})

test('mentions: what a prompt names → the same in the studio and in the service', () => {
  const members = ['mara', 'mara-2', '小船', 'été'].map((name) => ({ name }))
  for (const prompt of [
    '@Mara',
    '@mara-2.',
    '让@mara走过@小船边',
    '(@été)',
    '@maraé',
    'ann@mara',
    '@@mara',
    '@mar',
    '@1',
  ])
    for (const { name } of members) {
      const sent = withMentions(prompt, [
        { role: 'reference', kind: 'film' },
        { role: 'reference', kind: 'image', name },
      ])
      const isNamed = mentionedIn(prompt, members).some((each) => each.name === name)
      assert.equal(sent.includes('image 1'), isNamed, `${prompt} ${name}`)
    }
})

test('references of members: every ready model, by kinds and in order → what the studio shows is what the service sends', () => {
  const kinds = ['image', 'film', 'sound'] as const
  const modes = [...models().values()].flatMap((model) => modesOf({ schema: requestSchema(model) as Schema }))
  const uses = modes.flatMap(({ inputs }) => inputs.filter(({ role }) => role === 'reference'))
  assert.ok(uses.some(({ most }) => most))
  for (const use of uses)
    for (const counts of [[9], [2, 9, 5], [9, 1, 9, 9, 9, 9, 9]]) {
      const cast = counts.map((count, of) => ({
        name: `m${of}`,
        assets: Array.from({ length: count }, (_, at) => ({ id: `${of}.${at}`, kind: kinds[at % 4] ?? 'image' })),
      }))
      const references = cast.flatMap(({ name }, of): DraftInput[] => [
        { kind: 'image', asset: `@${name}` },
        { kind: kinds[of % 3] ?? 'image', asset: `own ${of}` },
      ])
      const resolved = references.flatMap(({ kind, asset = '' }) => {
        const assets = cast.find(({ name }) => asset === `@${name}`)?.assets ?? [{ kind, id: asset }]
        return assets.map((each) => ({ role: 'reference' as const, ...each, isOfCast: assets.length > 1 }))
      })
      const sent = cutToCount(resolved, use as RoleUse).map(({ kind, id }) => ({ kind, id }))
      const shown = takenOf(references, cast, use).flat()
      // A member of one asset is that one by its name.
      const ids = sent.map(
        ({ id }) => cast.find(({ assets }) => assets.length === 1 && assets[0]?.id === id)?.name ?? id,
      )
      assert.deepEqual(
        shown.map((id) => id.replace('@', '')),
        ids,
      )
    }
})

test('HEIC: a browser that can read it → a JPEG is uploaded; one that cannot → a sentence with the name of the file', async () => {
  const { page } = await withCast({})
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel('Start image', { exact: true }).setInputFiles({ name, mimeType: 'image/heic', buffer })
  await choose('broken.heic', Buffer.from('....ftypheic'))
  await page.getByText('broken.heic: this browser cannot read HEIC. Choose a JPEG or PNG of the picture.').waitFor()
  const sent = page.waitForRequest('**/api/v1/asset')
  await choose('a.heic', await plain(320, 200))
  assert.equal((await sent).headers()['content-type'], 'image/jpeg')
  await page.getByText(/^The film begins with this image\./).waitFor()
})
