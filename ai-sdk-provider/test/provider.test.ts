/** The settings of the provider. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createKinora } from '../src/provider.ts'

test('createKinora: no API key → the error names the page of the studio that makes one', async () => {
  const navigation = readFileSync(new URL('../../studio/src/shell/navigation.ts', import.meta.url), 'utf8')
  const [, page = assert.fail()] = /to: '\/keys'[^}]*name: t`([^`]+)`/.exec(navigation) ?? []
  const model = createKinora({ baseURL: 'http://127.0.0.1:9', apiKey: undefined }).videoModel('delta-1-5')
  const start = async () => model.doStart?.({} as Parameters<NonNullable<typeof model.doStart>>[0])
  await assert.rejects(start, ({ name, message }: Error) => {
    assert.equal(name, 'AI_LoadAPIKeyError')
    assert.ok(message.endsWith(`The studio makes one under ${page}.`), message)
    return true
  })
})
