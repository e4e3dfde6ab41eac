/** The log of an outage of the database: one line when it goes, one when it is back, and no stack. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutDatabase } from '../support/database-outage.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'
import { startProcess } from '../support/processes.ts'

const kinora = await openKinora()

test('log: database away while requests and claims go on → one line, no stack; back → one line', async (t) => {
  const port = await freePort()
  const { token } = await kinora.person()
  const service = await startProcess(kinora, 'all', { PORT: `${port}`, LOG_LEVEL: 'info' })
  t.after(service.stop)
  const lines = service.lines.length
  const balance = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/credit/balance`, { headers: { authorization: `Bearer ${token}` } })
  await withoutDatabase(kinora, async () => {
    await service.logged('the database does not answer')
    for (let n = 0; n < 3; n++) {
      assert.equal((await balance()).status, 503)
      assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 503)
    }
  })
  await service.logged('the database answers again')
  const logged = service.lines.slice(lines).join('\n')
  assert.equal(logged.match(/the database does not answer/g)?.length, 1, logged)
  assert.doesNotMatch(logged, /^ +at /m, 'no stack')
  assert.doesNotMatch(logged, /Not ready/i)
})
