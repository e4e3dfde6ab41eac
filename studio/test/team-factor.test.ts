/** A team that requires a second factor of its members. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora } from '../../server/test/support/harness.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { openBrowser } from './browser.ts'
import { createUser } from './named-user.ts'
import { choose, teamLink } from './teams.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)
const { newTeam } = openTeams(kinora)

test('team page: an owner with a second factor requires one → the page says who has none, and leads that member to the set-up', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const ben = await addMember(kinora.app, id, await createUser(kinora, 'Ben'))
  const { page, expect } = await browser.visit({ as: owner })
  expect(/\b403\b/)
  await page.goto('/')
  await choose(page, 'North')
  await teamLink(page).click()
  await page.getByRole('button', { name: 'Require a second factor' }).click()
  await page.getByRole('link', { name: 'Set up a second factor' }).waitFor()
  await kinora.app.sql`update public."user" set "twoFactorEnabled" = true where id = ${owner.userId}`
  await page.reload()
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByText('No second factor').waitFor()
  await page.getByRole('button', { name: 'Require a second factor' }).click()
  await page.getByRole('button', { name: 'Require it no longer' }).waitFor()
  await page.getByText('Second factor of members changed').waitFor()
  await page.getByText('Not required → Required').waitFor()

  const { page: bens, expect: expectOfBen } = await browser.visit({ as: ben })
  expectOfBen(/\b403\b/)
  await bens.goto('/')
  await choose(bens, 'North')
  await teamLink(bens).click()
  await bens.getByText('This team requires a second factor of its members').first().waitFor()
  await bens.getByRole('link', { name: 'Set up a second factor' }).first().click()
  await bens.getByRole('button', { name: 'Set up' }).waitFor()
  assert.match(bens.url(), /\/account#second-factor$/)
})
