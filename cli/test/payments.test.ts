// slow
/**
 * Payments with `npm start` and no settings: pack, subscription, renewal, cancellation and refund at both processors.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../server/test/support/free-port.ts'
import { runKinora, temporaryDir, waitUntil } from './cli-process.ts'

type Buyer = {
  call: <T>(method: string, path: string, body?: unknown) => Promise<T>
  available: () => Promise<number>
  subscription: () => Promise<{ status: string; plan: string; cancelAtPeriodEnd: boolean } | null>
  /** Submits a form of one of the processor's pages; returns the HTTP status. */
  submit: (url: string, fields?: Record<string, string>) => Promise<number>
}

async function openBuyer(t: TestContext): Promise<Buyer> {
  const dataDir = path.join(temporaryDir(t), 'data')
  const port = await freePort()
  const started = runKinora(t, ['start'], { DATA_DIR: dataDir, PORT: String(port), SIMULATOR_PACE: '0' })
  await started.waitForOutput(/Kinora is ready/)
  const url = `http://127.0.0.1:${port}`
  const json = { 'content-type': 'application/json' }
  const signUp = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'Ann', email: 'ann@example.com', password: 'correct horse' }),
  })
  const { token } = (await signUp.json()) as { token: string }
  const call: Buyer['call'] = async (method, target, body) => {
    const response = await fetch(url + target, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const result = (await response.json()) as { data: never }
    assert.equal(response.status, 200, JSON.stringify(result))
    return result.data
  }
  t.after(async () => {
    started.process.kill('SIGTERM')
    await started.ended
  })
  return {
    call,
    available: async () => (await call<{ available: number }>('GET', '/api/v1/credit/balance')).available,
    subscription: async () =>
      (await call<{ subscription: Awaited<ReturnType<Buyer['subscription']>> }>('GET', '/api/v1/billing/subscription'))
        .subscription,
    submit: async (page, fields = {}) => {
      const headers = { accept: 'application/json' }
      return (await fetch(page, { method: 'POST', headers, body: new URLSearchParams(fields) })).status
    },
  }
}

const waitFor = async (condition: () => Promise<boolean>, what: string) =>
  waitUntil(async () => ((await condition()) ? true : undefined), what)

test('payments: no settings → pack, subscription, renewal, cancellation and refund work at both processors', async (t) => {
  const buyer = await openBuyer(t)
  const { available, call, submit, subscription } = buyer
  assert.equal(await available(), 60)
  let expected = 60
  for (const processor of ['payment-a', 'payment-b']) {
    const pack = await call<{ url: string }>('POST', '/api/v1/billing/checkout', {
      productId: 'pack-starter',
      processor,
    })
    assert.equal(await submit(`${pack.url}/decline`), 200)
    const secondCheckout = await call<{ url: string }>('POST', '/api/v1/billing/checkout', {
      productId: 'pack-starter',
      processor,
    })
    assert.equal(await submit(`${secondCheckout.url}/pay`), 200)
    expected += 280
    await waitFor(async () => (await available()) === expected, `the pack of ${processor}`)

    const plan = await call<{ url: string }>('POST', '/api/v1/billing/checkout', {
      productId: 'basic-monthly',
      processor,
    })
    assert.equal(await submit(`${plan.url}/pay`), 200)
    expected += 280
    await waitFor(async () => (await available()) === expected, `the first period of ${processor}`)
    await waitFor(async () => (await subscription())?.status === 'active', 'the record')
    assert.equal((await subscription())?.plan, 'basic-monthly')

    const portal = (await call<{ url: string }>('POST', '/api/v1/billing/portal')).url
    assert.equal((await fetch(portal)).status, 200)
    assert.equal(await submit(portal, { do: 'next-period', ...(await firstSubscription(portal)) }), 200)
    expected += 280
    await waitFor(async () => (await available()) === expected, `the second period of ${processor}`)
    assert.equal(await submit(portal, { do: 'cancel-at-period-end', ...(await firstSubscription(portal)) }), 200)
    await waitFor(async () => (await subscription())?.cancelAtPeriodEnd === true, 'the cancellation')
    assert.equal(await submit(portal, { do: 'period-ends', ...(await firstSubscription(portal)) }), 200)
    await waitFor(async () => ['cancelled', 'expired'].includes((await subscription())?.status ?? ''), 'the end')

    assert.equal(await submit(portal, { do: 'refund', ...(await lastPayment(portal)) }), 200)
    expected -= 280
    await waitFor(async () => (await available()) === expected, `the refund of ${processor}`)
  }
  const { transactions } = await call<{ transactions: { credits: number }[] }>(
    'GET',
    '/api/v1/credit/history?pageSize=100',
  )
  assert.equal(
    transactions.reduce((sum, row) => sum + row.credits, 0),
    expected,
  )
})

type Customer = { portalUrl: string; subscriptions: { id: string }[]; payments: { id: string }[] }

async function customerOf(portal: string): Promise<Customer> {
  const { customers } = (await (await fetch(new URL('/simulator/payments', portal))).json()) as {
    customers: Customer[]
  }
  return customers.find(({ portalUrl }) => portalUrl === portal) ?? assert.fail(`no customer has the portal ${portal}`)
}

const firstSubscription = async (portal: string) => ({
  subscription: (await customerOf(portal)).subscriptions[0]?.id ?? '',
})
const lastPayment = async (portal: string) => ({ payment: (await customerOf(portal)).payments.at(-1)?.id ?? '' })
