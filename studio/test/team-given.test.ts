/** What a member has given to a team: what ends is listed, and an owner takes it over, or disconnects it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { oauthClients } from '../../server/test/support/oauth-client.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { openBrowser } from './browser.ts'
import { createUser } from './named-user.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)
const { newTeam, call } = openTeams(kinora)
const URL = 'https://hooks.example.com/films'

/** A team to which its admin Ben has given a key, an endpoint and an invitation. */
async function openGiven() {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'), 'admin')
  for (const [path, body] of [
    ['/api/v1/team/keys', { name: 'render farm' }],
    ['/api/v1/webhook/endpoints', { url: URL }],
    ['/api/v1/team/invitations', { email: 'dan@example.com' }],
  ] as const) {
    const { status, text } = await call(ben, id, 'POST', path, body)
    assert.equal(status, 200, text)
  }
  return { id, owner, ben }
}

async function openTeam(as: Person, path: string): Promise<Page> {
  const { page } = await browser.visit({ as })
  await page.goto('/')
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'North', exact: true }).click()
  await page.getByRole('banner').getByRole('link', { name: 'North' }).waitFor()
  await page.goto(path)
  return page
}

const [key, endpoint, invitation] = ['API key render farm', `Webhook endpoint ${URL}`, 'Invitation dan@example.com']

test('roles: an owner demotes an admin and takes the endpoint over → it goes on as the owner’s, key and invitation end', async () => {
  const { owner } = await openGiven()
  const page = await openTeam(owner, '/team')
  await page.getByText('Invited by Ben').waitFor()
  await page.getByRole('button', { name: 'Change Ben' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByText(key).count(), 0)
  await dialog.getByLabel('Role').selectOption('maker')
  const ends = dialog.getByRole('group', { name: 'This ends, unless you take it over:' })
  await ends.getByText(invitation).waitFor()
  assert.equal(await ends.getByRole('checkbox').count(), 2)
  await ends.getByRole('checkbox', { name: endpoint }).check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Invited by Ben').waitFor({ state: 'detached' })
  await page.goto('/webhooks')
  await page.getByRole('row', { name: URL }).getByText('Made by Test User').waitFor()
  await page.goto('/keys')
  await page.getByText('The team’s keys will be listed here.').waitFor()
})

test('removal: an owner removes an admin and takes the key over → it goes on as the owner’s, the endpoint ends', async () => {
  const { owner } = await openGiven()
  const page = await openTeam(owner, '/team')
  await page.getByRole('button', { name: 'Change Ben' }).click()
  await page.getByRole('button', { name: 'Remove…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Ben?' })
  await dialog.getByRole('checkbox', { name: endpoint }).waitFor()
  await dialog.getByRole('checkbox', { name: key }).check()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Ben is not a member any more').waitFor()
  await page.goto('/keys')
  await page
    .getByRole('row', { name: /^render farm/ })
    .getByText('Made by Test User')
    .waitFor()
  await page.goto('/webhooks')
  await page.getByText('Your endpoints will be listed here.').waitFor()
})

test('leave: an admin who has given → the dialog lists what ends, with nothing to take over', async () => {
  const { ben } = await openGiven()
  const page = await openTeam(ben, '/team')
  await page.getByRole('button', { name: 'Leave…' }).click()
  const ends = page.getByRole('dialog', { name: 'Leave North?' }).getByRole('group', { name: 'This ends:' })
  for (const each of [key, endpoint, invitation]) await ends.getByText(each).waitFor()
  assert.equal(await ends.getByRole('checkbox').count(), 0)
})

test('suspension: the maker’s account is locked → key and endpoint say so, and an owner takes each over on its page', async () => {
  const { owner, ben } = await openGiven()
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const banned = await kinora.call('POST', '/api/auth/admin/ban-user', { as: root, body: { userId: ben.userId } })
  assert.equal(banned.status, 200, banned.text)
  const page = await openTeam(owner, '/keys')
  for (const [path, name] of [
    ['/keys', /^render farm/],
    ['/webhooks', /hooks\.example\.com/],
  ] as const) {
    await page.goto(path)
    const row = page.getByRole('row', { name })
    await row.getByText('Made by Ben').waitFor()
    await row.getByText(/^Suspended, ends /).waitFor()
    await row.getByRole('button', { name: 'Take over' }).click()
    await row.getByText('Made by Test User').waitFor()
    assert.equal(await row.getByText('Suspended').count(), 0)
  }
})

test('programs: a member connects one to the team → owners see whose it is, disconnect it, and the log names both; an admin sees none', async () => {
  const { id, owner, ben } = await openGiven()
  const cai = await addMember(kinora.app, id, await createUser(kinora, 'Cai'), 'maker')
  const { client } = await oauthClients(kinora).connected(cai, { owner: id, credits: '300', period: 'week' })
  await client.close()
  const admins = await openTeam(ben, '/team')
  await admins.getByText('Invited by Ben').waitFor()
  assert.equal(await admins.getByRole('heading', { name: 'Connected programs' }).count(), 0)

  const page = await openTeam(owner, '/team')
  const row = page.getByRole('region', { name: 'Connected programs' }).getByRole('row', { name: /^Test <b>client/ })
  await row.getByText('May see films, make films').waitFor()
  await row.getByText(/^Connected by Cai, /).waitFor()
  await row.getByText('0 of 300 credits this week').waitFor()
  await row.getByRole('button', { name: 'Disconnect Test <b>client</b> of Cai' }).click()
  const dialog = page.getByRole('dialog', { name: 'Disconnect Test <b>client</b>?' })
  await dialog.getByText('Cai may connect it again.').waitFor()
  await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  const log = page.getByRole('region', { name: 'Log of the team, newest first' })
  await log.getByRole('row', { name: /Test User Program disconnected Test <b>client<\/b>/ }).waitFor()
  await log.getByRole('row', { name: /Cai Program connected Test <b>client<\/b>, 300 credits this week/ }).waitFor()
})
