/** Teams in the studio: whom it works for, whose films it shows, and which requests name the team. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { generateBody, openKinora } from '../../server/test/support/harness.ts'
import { claimRefund, creditGrant } from '../../server/test/support/ledger/ledger-calls.ts'
import { readDocuments } from '../../server/test/support/served-document.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { openBrowser, until, untilSays } from './browser.ts'
import { createUser, pathOf } from './named-user.ts'
import { choose, teamLink } from './teams.ts'

const kinora = await openKinora({ simulator: true })
const browser = await openBrowser(kinora)
const { newTeam, call, finish, generate } = openTeams(kinora)

test('teams: Ann makes one, Ben switches and makes a film → the team pays, Ann sees it with his name, and his draft is kept apart', async () => {
  const [ann, ben] = [await createUser(kinora, 'Ann'), await createUser(kinora, 'Ben')]
  const { page } = await browser.visit({ as: ann })
  await page.goto('/')
  await choose(page, 'New team')
  await page.getByRole('dialog').getByLabel('Name').fill('North')
  await page.getByRole('button', { name: 'Make team' }).click()
  await teamLink(page).waitFor()
  await page.getByRole('link', { name: '0 credits' }).waitFor()
  const { data } = await kinora.call<{ teams: { id: string }[] }>('GET', '/api/v1/teams', { as: ann })
  const id = String(data.teams[0]?.id)
  await kinora.grant({ ...ann, userId: id }, 100)
  await addMember(kinora.app, id, ben)

  const { page: bens } = await browser.visit({ as: ben })
  await bens.goto('/')
  const prompt = bens.getByRole('textbox', { name: 'Prompt' })
  await prompt.fill('Gulls, for himself')
  await choose(bens, 'North')
  await bens.getByRole('link', { name: '100 credits' }).waitFor()
  await untilSays(prompt, '')
  await prompt.fill('A heron in the reeds')
  await bens.getByRole('button', { name: /^Generate · / }).click()
  let uuid = ''
  await until(async () => {
    const [row] = await kinora.app.sql<{ id: string }[]>`select id from kinora.video where user_id = ${id}`
    uuid = row?.id ?? ''
    return uuid !== ''
  }, 'the film')
  await finish(ann, id, uuid)
  await choose(bens, 'Personal')
  await untilSays(prompt, 'Gulls, for himself')

  await page.goto('/library')
  await page.getByRole('list', { name: 'Films' }).getByText('· Ben').waitFor()
  await page.getByLabel('Made by').selectOption('Ann')
  await page.getByText('No film matches.').waitFor()
  await page.goto('/credits')
  await page.getByRole('region', { name: 'Movements' }).getByText('Ben').waitFor()
  assert.equal((await kinora.balance(ben)).available, 60)
  await choose(page, 'Personal')
  await page.getByRole('link', { name: '60 credits' }).waitFor()
  assert.equal(await teamLink(page).count(), 0)
})

test('team page: an owner sets a budget, lifts it and removes the member → the member is back in the own studio', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'))
  const { page: bens, expect } = await browser.visit({ as: ben })
  expect(/\b404\b/)
  await bens.goto('/')
  await choose(bens, 'North')
  await teamLink(bens).click()
  await bens.getByRole('heading', { name: 'Members' }).waitFor()
  assert.equal(await bens.getByRole('button', { name: /^Change|^(Send|Make) invitation|^Delete team/ }).count(), 0)

  const { page } = await browser.visit({ as: owner })
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).click()
  await page.getByRole('button', { name: 'Change Ben' }).click()
  await page.getByLabel('Budget in credits').fill('500')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('0 of 500 credits this month').waitFor()
  await page.getByRole('button', { name: 'Change Ben' }).click()
  await page.getByLabel('Budget in credits').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('0 of 500 credits this month').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Change Ben' }).click()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Ben is not a member any more').waitFor()
  await bens.goto('/library')
  await bens.getByText('You are not a member of this team any more').waitFor()
  assert.equal(await teamLink(bens).count(), 0)
})

test('invitation: link opened without a session → after the sign-in it names team and inviter, and no address has its token', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const account = { name: 'Zoe', email: 'zoe@example.com', password: 'a-long-password' }
  await kinora.call('POST', '/api/auth/sign-up/email', { body: account })
  const invitation = { email: account.email, role: 'viewer' }
  const { data } = await kinora.call<{ link: string }>('POST', '/api/v1/team/invitations', {
    headers: { authorization: `Bearer ${owner.token}`, 'x-team': id },
    body: invitation,
  })
  const { page } = await browser.visit()
  await page.goto(data.link.slice(kinora.app.config.publicUrl.length))
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  assert.equal(new URL(page.url()).search, '?next=%2Faccount')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'You are invited to a team' })
  await dialog.getByText('Test User invites you to North.').waitFor()
  await dialog.getByText('Your role would be: Viewer.').waitFor()
  await dialog.getByRole('button', { name: 'Join the team' }).click()
  await teamLink(page).waitFor()
})

test('storage: the id of a team of others → the user’s own studio, and nothing of the team', async () => {
  const { id } = await newTeam({ credits: 100 })
  const { page, expect } = await browser.visit({ as: await createUser(kinora, 'Eve') })
  expect(/\b404\b/)
  await page.goto('/')
  await page.evaluate(`localStorage.setItem('kinora.team', '${JSON.stringify({ id, name: 'North' })}')`)
  await page.goto('/')
  await page.getByText('You are not a member of this team any more').waitFor()
  await page.getByRole('link', { name: '60 credits' }).waitFor()
  assert.equal(await page.evaluate("localStorage.getItem('kinora.team')"), null)
})

/** The requests of the page from now on that name a team. */
function teamRequests(page: Page): string[] {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.headers()['x-team'] !== undefined) urls.push(request.url())
  })
  return urls
}

test('session: ended while no page was open, then another user signs in → the own studio, and no request names the team', async () => {
  const data = { email: 'eve@example.com', password: 'a-long-password' }
  await kinora.call('POST', '/api/auth/sign-up/email', { body: { name: 'Eve', ...data } })
  const { owner } = await newTeam({ credits: 100 })
  const { page, context } = await browser.visit({ as: owner })
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).waitFor()
  await page.goto('/docs')
  await context.clearCookies()
  const requests = teamRequests(page)
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(data.email)
  await page.getByLabel('Password', { exact: true }).fill(data.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Prompt').waitFor()
  assert.equal(await teamLink(page).count(), 0)
  assert.deepEqual(requests, [])
})

test('session: administrator with a team acts as a user, and stops → each time the own studio, and no request names the team', async () => {
  const [root, eve] = [await kinora.person({ role: 'admin' }), await createUser(kinora, 'Eve')]
  const { id } = await newTeam({ credits: 100 })
  await addMember(kinora.app, id, root)
  const { page } = await browser.visit({ as: root })
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).waitFor()
  await page.goto(pathOf(eve))
  await page.getByRole('button', { name: 'Act as this user…' }).click()
  const button = page.getByRole('button', { name: 'Act as this user', exact: true })
  await button.waitFor()
  const requests = teamRequests(page)
  await button.click()
  await page.getByText(`You are an administrator acting as ${eve.email}, read only.`).waitFor()
  await page.getByLabel('Prompt').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('heading', { name: 'Eve', exact: true }).waitFor()
  assert.deepEqual(requests, [])
})

test('roles: film of another → a maker cannot delete, share or mark it, a viewer makes none and downloads the team’s films', async () => {
  const { id, owner } = await newTeam({ credits: 200 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'))
  const eve = await addMember(kinora.app, id, await createUser(kinora, 'Eve'), 'viewer')
  const made = async (person: typeof owner, prompt: string) => {
    const { data } = await generate(person, id, { prompt })
    await finish(owner, id, data.uuid)
    return data.uuid
  }
  const [owners, bens] = [await made(owner, 'A heron waits'), await made(ben, 'Gulls')]
  const { page } = await browser.visit({ as: ben })
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).waitFor()
  await page.goto(`/library/${bens}`)
  for (const name of ['Delete', 'Share', 'Favourite']) await page.getByRole('button', { name, exact: true }).waitFor()
  await page.goto(`/library/${owners}`)
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Delete|Share|Favourite)$/ }).count(), 0)

  const { page: eves } = await browser.visit({ as: eve })
  await eves.goto('/')
  await choose(eves, 'North')
  await eves.getByText('You are a viewer in this team.').waitFor()
  assert.ok(await eves.getByRole('button', { name: /^Generate/ }).isDisabled())
  await eves.goto('/library')
  await eves.getByRole('button', { name: 'Select', exact: true }).click()
  await eves.getByRole('button', { name: 'Select all' }).click()
  const download = eves.waitForEvent('download')
  await eves.getByRole('link', { name: 'Download' }).click()
  assert.match((await download).suggestedFilename(), /^films-.*\.zip$/)
  assert.equal(await eves.getByRole('button', { name: /^(Delete|Favourite)$/ }).count(), 0)
})

test('requests: every operation of the API → names the team exactly where a role in it is needed', async () => {
  const { paths } = await readDocuments<{
    paths: Record<string, Record<string, { 'x-team-role'?: string }>>
  }>(kinora)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-team-role': role }]) =>
      role === undefined ? [] : [{ method: method.toUpperCase(), path, isOfTeam: role !== 'none' }],
    ),
  )
  assert.ok(operations.length > 100)
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/sign-in')
  const differing = await page.evaluate<string[]>(`(() => {
    const { chosen } = kinoraTeam
    kinoraTeam.chosen = { id: 'team' }
    const differing = ${JSON.stringify(operations)}
      .filter(({ method, path, isOfTeam }) => isOfTeam !== ('x-team' in kinoraTeam.headersOf(method, path)))
      .map(({ method, path }) => method + ' ' + path)
    // The page goes on, and its requests are of the user.
    kinoraTeam.chosen = chosen
    return differing
  })()`)
  assert.deepEqual(differing, [])
})

test('film of a member: done while both are on another page → reported to its maker only; spend by member, and as CSV', async () => {
  const [ann, ben] = [await createUser(kinora, 'Ann'), await createUser(kinora, 'Ben')]
  const { id, owner } = await newTeam({ credits: 100 })
  for (const person of [ann, ben]) await addMember(kinora.app, id, person)
  const [{ page: anns }, { page: bens }] = [await browser.visit({ as: ann }), await browser.visit({ as: ben })]
  for (const page of [anns, bens]) {
    await page.goto('/')
    await choose(page, 'North')
    await page.getByRole('link', { name: '100 credits' }).click()
    await page.getByText('No film was made in this time.').waitFor()
  }
  const { uuid } = (await generate(ben, id, { prompt: 'A heron waits' })).data
  await finish(owner, id, uuid)
  await bens.getByRole('region', { name: 'Notifications' }).getByText('A heron waits').waitFor()
  // Its balance comes with the same event.
  await anns.getByRole('link', { name: '84 credits' }).waitFor()
  for (const place of [anns.getByRole('region', { name: 'Notifications' }), anns.getByRole('log')])
    assert.equal(await place.getByText('A heron waits').count(), 0)

  const spent = anns.getByRole('region', { name: 'Spent on films', exact: true })
  await spent.getByRole('img', { name: /^Credits by day, .*, at most 16$/ }).waitFor()
  await spent.getByLabel('Grouped').selectOption('By member and API key')
  await spent.getByRole('row', { name: 'Ben 16 1' }).waitFor()
  const download = anns.waitForEvent('download')
  await spent.getByRole('link', { name: 'CSV' }).click()
  const file = await (await download).createReadStream()
  assert.equal(Buffer.concat(await file.toArray()).toString(), `maker,credits,videos\r\n${ben.userId},16,1\r\n`)
})

test('API keys of a team: an admin makes and deletes one → the team pays, history and usage name it; a maker sees no such page', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'))
  const { page } = await browser.visit({ as: owner })
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).waitFor()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByLabel('Name').fill('render farm')
  await page.getByRole('button', { name: 'Make key' }).click()
  const key = await page.getByRole('dialog', { name: 'Your new key' }).getByRole('code').first().textContent()
  const made = await kinora.call('POST', '/api/v1/video/generate', {
    headers: { 'x-api-key': String(key) },
    body: generateBody,
  })
  assert.equal(made.status, 200, made.text)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: '84 credits' }).click()
  await page.getByRole('region', { name: 'Movements' }).getByText('API key “render farm”').waitFor()
  await page.getByRole('region', { name: 'Spent on films', exact: true }).getByLabel('Grouped').selectOption('maker')
  await page.getByRole('row', { name: 'API key “render farm” 16 1' }).waitFor()
  await page.goto('/library')
  await page.getByRole('list', { name: 'Films' }).getByText('· API key “render farm”').waitFor()
  await page.getByLabel('Made by').selectOption('API key “render farm”')
  await page.getByText('1 film', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('row', { name: /^render farm/ }).waitFor()
  await page.getByRole('button', { name: 'Delete render farm' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('The key render farm is deleted.').waitFor()
  await page.getByText('The team’s keys will be listed here.').waitFor()
  await page.getByRole('link', { name: '84 credits' }).click()
  await page.getByRole('region', { name: 'Movements' }).getByText('Deleted API key').waitFor()

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()

  const { page: bens } = await browser.visit({ as: ben })
  await bens.goto('/')
  await choose(bens, 'North')
  await teamLink(bens).waitFor()
  assert.equal(await bens.getByRole('link', { name: /API keys|Webhooks/ }).count(), 0)
})

test('administration: a team found by a member’s address → credits given, locked, and the member is led to the own studio', async () => {
  const { id } = await newTeam({ credits: 0 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'))
  const { page: bens, expect } = await browser.visit({ as: ben })
  await bens.goto('/')
  await choose(bens, 'North')
  await teamLink(bens).waitFor()

  const root = await kinora.person({ role: 'admin', credits: 0 })
  const { page, expect: expectOfAdmin } = await browser.visit({ as: root })
  await page.goto('/admin/teams')
  await page.getByRole('searchbox', { name: 'Search teams' }).fill(ben.email)
  const found = page.getByRole('region', { name: 'Teams' }).getByRole('link')
  await until(async () => (await found.count()) === 1, 'the one team of Ben')
  await found.click()
  await page.getByRole('region', { name: 'Members' }).getByRole('link', { name: ben.email }).waitFor()
  const give = page.getByRole('region', { name: 'Give credits' })
  await give.getByLabel('Credits').fill('100')
  await give.getByRole('button', { name: 'Preview' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^North has 0 credits\. After this: 100, /)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Give 100 credits' }).click()
  await give.getByText('North has 100 credits now.').waitFor()

  expect(/\b403\b/)
  expectOfAdmin(/\b404\b.*admin\/users\//)
  await page.getByRole('button', { name: 'Lock…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Chargebacks')
  await page.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
  await page.getByText(/^Since .*: Chargebacks$/).waitFor()
  await bens.getByRole('link', { name: 'Library' }).click()
  await bens.getByText('You are not a member of this team any more, or it is locked.').waitFor()
  await bens.getByRole('link', { name: '60 credits' }).waitFor()
  await bens.getByRole('button', { name: 'Your account' }).click()
  assert.ok(await bens.getByRole('button', { name: 'North Locked' }).isDisabled())

  await page.goto(pathOf({ userId: id }))
  await page.waitForURL(`**/admin/teams/${id}`)
  await page.getByRole('link', { name: 'What administrators did' }).click()
  await page.getByRole('row', { name: /Team locked.*North.*Chargebacks/ }).waitFor()
})

test('administration: deletion of a last owner → leads to the team, where a member is made an owner, or which is deleted', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  await addMember(kinora.app, id, await createUser(kinora, 'Ben'))
  const { page, expect } = await browser.visit({ as: await kinora.person({ role: 'admin', credits: 0 }) })
  expect(/\b409\b/)
  await page.goto(pathOf(owner))
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Asked for it')
  await dialog.getByLabel(/^Type /).fill(owner.email)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog
    .getByText(/last owner of a team: make another member of “North” an owner, or delete the team first/)
    .waitFor()
  await dialog.getByRole('link', { name: 'North' }).click()

  const members = page.getByRole('region', { name: 'Members' })
  assert.equal(await members.getByRole('row', { name: owner.email }).getByRole('button').count(), 0)
  await members.getByRole('button', { name: 'Make an owner…' }).click()
  await dialog.getByLabel('Reason').fill('The owner left')
  await dialog.getByRole('button', { name: 'Make an owner' }).click()
  await page.getByText('Ben is an owner of the team.').waitFor()
  assert.equal(await members.getByRole('button').count(), 0)

  await page.getByRole('button', { name: 'Delete team…' }).click()
  await dialog.getByLabel('Reason').fill('Nobody is left')
  await dialog.getByLabel('Type North to confirm').fill('north')
  await dialog.getByRole('button', { name: 'Delete team' }).click()
  await page.getByRole('heading', { name: 'Deleted team' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Lock|Delete)/ }).count(), 0)
})

test('delete team: it owes what its member’s payment returned → the first request names the amount, the second deletes, and the member owes it', async () => {
  const { sql } = kinora.app
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(kinora.app, id, await kinora.person({ credits: 0 }))
  const [now, expiresAt] = [kinora.app.now(), new Date(Date.now() + 86_400_000)]
  const order = { source: 'an order', transType: 'ORDER_PAY', credits: 20, orderNo: null, remark: null }
  await creditGrant(sql, { userId: ben.userId, packageId: id, ...order, expiresAt, now })
  assert.equal((await call(ben, id, 'POST', '/api/v1/team/credits', { credits: 20 })).status, 200)
  await finish(owner, id, (await generate(owner, id)).data.uuid)
  await claimRefund(sql, { userId: ben.userId, source: order.source, key: 're', part: 1, now: kinora.app.now() })

  const { page, expect } = await browser.visit({ as: owner })
  expect(/\b409\b/)
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).click()
  await page.getByRole('button', { name: 'Delete team…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type North to confirm').fill('North')
  await dialog.getByRole('button', { name: 'Delete team' }).click()
  await dialog.getByText(/^16 credits of payments that were returned are owed/).waitFor()
  await dialog.getByRole('button', { name: 'Delete team' }).click()
  await until(async () => (await kinora.balance(ben)).owed === 16, 'the debt of the payer')
})

test('move credits: a viewer moves own ones into the team → both histories name the other side, and the rest can be moved', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'), 'viewer')
  await kinora.grant(ben, 100)
  const { movable } = (await call<{ movable: number }>(ben, id, 'GET', '/api/v1/team/credits')).data
  const { page } = await browser.visit({ as: ben })
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).click()
  await page.getByRole('button', { name: 'Move credits…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move own credits into North' })
  await dialog.getByText(`You can move up to ${movable} credits`).waitFor()
  await dialog.getByLabel('Credits', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('40')
  await page.keyboard.press('Enter')
  await page.getByText('40 credits moved into North.').waitFor()
  await page.getByRole('link', { name: '40 credits' }).waitFor()
  await page.goto('/credits')
  await page.getByRole('button', { name: 'Move credits…' }).click()
  await dialog.getByText(`You can move up to ${movable - 40} credits`).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /Moved in by a member.*\+40.*Ben/ }).waitFor()
  await choose(page, 'Personal')
  await page.getByRole('link', { name: '120 credits' }).waitFor()
  await page.goto('/credits')
  await page.getByLabel('Kind of movement').selectOption('Adjustments and moves')
  await page.waitForURL(/type=SYSTEM_ADJUST/)
  await page.getByRole('row', { name: /Moved into a team.*−40.*North/ }).waitFor()
  const { available } = (await call<{ available: number }>(owner, id, 'GET', '/api/v1/credit/balance')).data
  assert.equal(available, 40)

  const { page: roots } = await browser.visit({ as: await kinora.person({ role: 'admin' }) })
  await roots.goto(`/admin/teams/${id}`)
  await roots.getByRole('region', { name: 'Movements' }).getByRole('link', { name: ben.userId }).click()
  await roots.getByRole('heading', { name: 'Ben' }).waitFor()
  await roots.getByRole('region', { name: 'Movements' }).getByRole('link', { name: id }).click()
  await roots.getByRole('heading', { name: 'North' }).waitFor()
})

test('user without teams: every page → the pages of the navigation as without teams, no word of one, and no request about one', async () => {
  const ann = await createUser(kinora, 'Ann')
  await kinora.finish(ann, (await kinora.generate(ann)).data.uuid)
  const { page } = await browser.visit({ as: ann })
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.headers()['x-team'] !== undefined || pathname.startsWith('/api/v1/team')) requests.push(pathname)
  })
  const pages = [
    ['Studio', '/'],
    ['Projects', '/projects'],
    ['Library', '/library'],
    ['Credits', '/credits'],
    ['Plans', '/plans'],
    ['API keys', '/keys'],
    ['Webhooks', '/webhooks'],
  ] as const
  for (const [name, path] of [...pages, ['Account', '/account']] as const) {
    await page.goto(path)
    await page.getByRole('link', { name: '44 credits' }).waitFor()
    await page.getByRole('main').getByRole('heading').first().waitFor()
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()
    assert.deepEqual(
      links.filter((link) => link !== 'Explore'),
      pages.map(([each]) => each),
    )
    await until(async () => (await page.locator('[aria-busy=true], [data-late]').count()) === 0, `${name} to be read`)
    assert.doesNotMatch((await page.getByRole('main').textContent()) ?? '', /\b(team|member|maker)s?\b/i, name)
  }
  assert.deepEqual(requests, [])
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'New team' }).waitFor()
  assert.deepEqual(requests, ['/api/v1/teams'])
})

test('team page: no team chosen → the studio, and nothing of a team is asked for', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/team')
  await page.getByRole('button', { name: /^Generate · / }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
  assert.deepEqual(
    asked.filter((path) => /^\/api\/v1\/team(\/|$)/.test(path)),
    [],
  )
})
