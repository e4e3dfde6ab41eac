/** Fixture: calls operations of `/api/auth` by id, and validates every response against openapi.json. */
import assert from 'node:assert/strict'
import { authOperations } from '../../src/http/sign-in/auth-operations.ts'
import { openKinora } from './harness.ts'
import { bodyAt, responseKey, servedDocument } from './served-document.ts'

export const PASSWORD = 'correct horse battery'
export type Headers_ = Record<string, string>
export const bearer = (token: unknown): Headers_ => ({ authorization: `Bearer ${token}` })

/** Opens the service for a test file and closes it after the file's last test. */
export async function openAuthCalls(env: Record<string, string> = {}) {
  const kinora = await openKinora({ env })
  const { ajv, assertValid } = await servedDocument(kinora)
  /** The operations that have returned 200 so far. */
  const succeeded = new Set<string>()

  const operationOf = (operationId: string) => {
    const operation = authOperations.find((each) => each.operationId === operationId)
    assert.ok(operation, operationId)
    return operation
  }

  /** Sends a request, and validates its response against the schema of that status. */
  async function call(operationId: string, body?: unknown, headers: Headers_ = {}, query = '') {
    const operation = operationOf(operationId)
    const { method, path } = operation
    const response = await kinora.call(method.toUpperCase(), path + query, { body, headers })
    const sent = `${operationId} ${query} ${JSON.stringify(body)}`
    const json = JSON.parse(response.text)
    assertValid(json, bodyAt(path, method, 'responses', responseKey(response.status)), sent)
    if (response.status === 200) {
      succeeded.add(operationId)
      if (operation.body) assert.ok(ajv.compile(operation.body)(body), `${sent}: the body matches its schema`)
    }
    return { ...response, json }
  }

  let people = 0
  async function signUp() {
    const email = `ann-${++people}@example.com`
    const { json } = await call('signUp', { name: 'Ann', email, password: PASSWORD })
    return { email, token: String(json.token), headers: bearer(json.token), userId: String(json.user.id) }
  }
  const signIn = async (email: string, password = PASSWORD) =>
    bearer((await call('signIn', { email, password })).json.token)
  const balanceStatus = async (headers: Headers_) =>
    (await kinora.call('GET', '/api/v1/credit/balance', { headers })).status
  /** An administrator, and the headers of the session. */
  const openAdministrator = async () => {
    const person = await kinora.person({ role: 'admin', credits: 0 })
    return { ...person, headers: bearer(person.token) }
  }
  return { kinora, call, signUp, signIn, balanceStatus, succeeded, openAdministrator }
}
