/** The pages of webhooks: an endpoint, its secret and its deliveries, with a real receiver. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openKinora, type Person } from '../../server/test/support/harness.ts'
import { allow, dispatchAll, openReceiver } from '../../server/test/support/webhook-receiver.ts'
import { openBrowser } from './browser.ts'

const kinora = await openKinora()
const browser = await openBrowser(kinora)

test('webhooks: endpoint created → secret shown once; failed test redelivered, secret rotated, endpoint disabled and deleted', async (t) => {
  const receiver = await openReceiver(t, () => ({ status: 410, body: 'no such hook' }))
  allow(kinora, t, receiver)
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/webhooks')
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const shown = page.getByRole('dialog', { name: 'The secret of this endpoint' })
  const secret = (await shown.locator('code').textContent()) ?? ''
  await shown.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor()
  assert.equal(await page.getByText(secret).count(), 0)

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('cell', { name: 'Waiting' }).waitFor()
  await dispatchAll(kinora)
  // 410: the receiver wants nothing more, so the endpoint is off.
  await page.reload()
  await page.getByRole('cell', { name: 'Failed' }).waitFor()
  await page.getByRole('button', { name: /^webhook\.test, / }).click()
  const delivery = page.getByRole('dialog', { name: 'webhook.test' })
  await delivery.getByText('no such hook').waitFor()
  assert.equal(await delivery.getByRole('button', { name: 'Send again' }).isDisabled(), true)
  await delivery.getByRole('button', { name: 'Done' }).click()
  receiver.respond = () => ({ status: 204 })
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()

  await page.getByRole('button', { name: 'New secret' }).click()
  const rotated = page.getByRole('dialog', { name: 'The new secret' })
  const newSecret = (await rotated.locator('code').textContent()) ?? ''
  await rotated.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: /^webhook\.test, / }).click()
  await delivery.getByRole('button', { name: 'Send again' }).click()
  await delivery.waitFor({ state: 'detached' })
  await dispatchAll(kinora)
  await page.reload()
  await page.getByRole('cell', { name: 'Delivered' }).waitFor()
  const [, sent] = receiver.received
  assert.ok(sent)
  for (const each of [secret, newSecret]) new Webhook(each).verify(sent.body, sent.headers)

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete endpoint' }).click()
  await page.getByText('The endpoint is deleted.').waitFor()
  assert.equal(await page.getByRole('link', { name: receiver.url }).count(), 0)
})

test('webhooks: address that is refused → the reason at the field, nothing is added', async () => {
  const { page, expect } = await browser.visit({ as: await kinora.person() })
  expect(/\b400\b.*webhook\/endpoints$/)
  await page.goto('/webhooks')
  await page.getByLabel('Address').fill('https://127.0.0.1/hook')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText('The url cannot be used: ').waitFor()
  assert.equal(await page.getByLabel('Address').getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByRole('link', { name: 'https://127.0.0.1/hook' }).count(), 0)
})

test('endpoint: disabled elsewhere, test refused, then the secret rotated → the error of the test is gone', async () => {
  const ann = await kinora.person()
  const { page, expect } = await browser.visit({ as: ann })
  expect(/\b409\b.*test$/)
  const id = await createEndpoint(ann)
  await page.goto(`/webhooks/${id}`)
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  await kinora.call('PATCH', `/api/v1/webhook/endpoints/${id}`, { as: ann, body: { enabled: false } })
  await page.getByRole('button', { name: 'Send a test' }).click()
  const refused = page.getByText('This endpoint is disabled; enable it first, then send again.')
  await refused.waitFor()
  await page.getByRole('button', { name: 'New secret' }).click()
  await page.getByRole('dialog', { name: 'The new secret' }).waitFor()
  assert.equal(await refused.count(), 0)
})

test('endpoint: deleted elsewhere while it is shown, and opened → "no such endpoint", and nothing of it', async () => {
  const ann = await kinora.person()
  const { page, expect } = await browser.visit({ as: ann })
  expect(/\b404\b/)
  const id = await createEndpoint(ann)
  await page.goto(`/webhooks/${id}`)
  await page.getByRole('button', { name: 'Send a test' }).waitFor()
  await kinora.call('DELETE', `/api/v1/webhook/endpoints/${id}`, { as: ann })
  await page.getByRole('button', { name: 'Turn off' }).click()
  const missing = page.getByText('There is no such endpoint. It may have been deleted.')
  await missing.waitFor()
  assert.equal(await page.getByRole('button', { name: 'Turn off' }).count(), 0)
  await page.reload()
  await missing.waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
})

async function createEndpoint(as: Person): Promise<string> {
  const body = { url: 'https://hooks.example.com/kinora' }
  const { data } = await kinora.call<{ id: string }>('POST', '/api/v1/webhook/endpoints', { as, body })
  return data.id
}

test('webhooks: endpoint of some films → shows its filter; an example of a type is sent, and a period again', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const { page } = await browser.visit({ as: await kinora.person() })
  await page.goto('/webhooks')
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByText('Only of some films').click()
  await page.getByLabel('Subject').fill('visitor-1')
  await page.getByLabel('Metadata').fill('shop=north, order=7')
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: receiver.url }).click()
  const facts = page.getByRole('region', { name: 'Facts' })
  await facts.getByText('visitor-1').waitFor()
  await facts.getByText('shop=north, order=7').waitFor()

  await page.getByLabel('Test with').selectOption('A film failed')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('button', { name: /^video\.failed, / }).waitFor()
  await dispatchAll(kinora)
  await page.reload()
  await page.getByRole('cell', { name: 'Delivered' }).waitFor()
  await page.getByRole('button', { name: 'Replay a period' }).click()
  await page.getByRole('dialog', { name: 'Replay a period' }).getByRole('button', { name: 'Send again' }).click()
  await page.getByText('1 is sent again.').waitFor()
  await dispatchAll(kinora)
  const [first, again] = receiver.received
  assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id'])
})
