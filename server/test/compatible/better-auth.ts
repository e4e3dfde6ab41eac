/** `/api/auth`, by the client of its library, with a program's token as its documentation has it. */
import assert from 'node:assert/strict'
import { apiKeyClient } from '@better-auth/api-key/client'
import { createAuthClient } from 'better-auth/client'
import type { Kinora } from '../support/harness.ts'
import { check as checkApi } from './clients.ts'

const PASSWORD = 'a paper boat at dawn'

function authClient(baseURL: string) {
  let token = ''
  return createAuthClient({
    baseURL,
    plugins: [apiKeyClient()],
    fetchOptions: {
      auth: { type: 'Bearer', token: () => token },
      onSuccess: ({ response }) => {
        token = response.headers.get('set-auth-token') ?? token
      },
    },
  })
}

export function testBetterAuth(kinora: Kinora): void {
  const check = (call: string, result: string, run: () => Promise<void>) => checkApi('Accounts', call, result, run)
  const newAccount = async (name: string) => {
    const client = authClient(kinora.url)
    const email = `${name.toLowerCase()}@better-auth.example`
    const { data, error } = await client.signUp.email({ name, email, password: PASSWORD })
    assert.equal(error, null)
    assert.equal(data?.user.email, email)
    return { client, email }
  }

  check('signUp.email, getSession, signIn.email', 'an account, and a session with its user and balance', async () => {
    const { client, email } = await newAccount('Ann')
    const { data: session } = await client.getSession()
    assert.equal(session?.user.email, email)
    assert.equal((session as { credits?: { available: number } } | null)?.credits?.available, 60)
    const other = authClient(kinora.url)
    assert.equal((await other.getSession()).data, null)
    const { data: signedIn } = await other.signIn.email({ email, password: PASSWORD })
    assert.equal(signedIn?.user.email, email)
    assert.equal((await other.getSession()).data?.user.id, session?.user.id)
  })

  check('apiKey.create, list, delete', 'a key that counts until it is deleted', async () => {
    const { client } = await newAccount('Ben')
    const { data: key, error } = await client.apiKey.create({ name: 'client' })
    assert.equal(error, null)
    const owner = () => fetch(`${kinora.url}/api/v1/key`, { headers: { authorization: `Bearer ${key?.key}` } })
    assert.equal((await owner()).status, 200)
    const { data: listed } = await client.apiKey.list()
    assert.deepEqual(
      listed?.apiKeys.map(({ id }) => id),
      [key?.id],
    )
    assert.equal((await client.apiKey.delete({ keyId: key?.id ?? '' })).data?.success, true)
  })

  check('signOut', 'the session has ended', async () => {
    const { client } = await newAccount('Cleo')
    assert.equal((await client.signOut()).data?.success, true)
    assert.equal((await client.getSession()).data, null)
  })

  check('signUp.email of a known address, signIn.email with a wrong password', '422, 401 with the code', async () => {
    const { email } = await newAccount('Dan')
    const client = authClient(kinora.url)
    const again = await client.signUp.email({ name: 'Dan', email, password: PASSWORD })
    assert.deepEqual([again.error?.status, again.error?.code], [422, 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'])
    const wrong = await client.signIn.email({ email, password: 'another paper boat' })
    assert.deepEqual([wrong.error?.status, wrong.error?.code], [401, 'INVALID_EMAIL_OR_PASSWORD'])
  })
}
