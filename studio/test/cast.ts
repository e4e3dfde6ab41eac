/** Members of a cast, for tests. */
import assert from 'node:assert/strict'
import type { Kinora, Person } from '../../server/test/support/harness.ts'
import { plain } from '../../server/test/support/images.ts'

const COLOURS = ['red', 'green', 'blue', 'white', 'black', 'gray', 'yellow', 'orange', 'purple']

/** @param at of the first of the pictures among those of a user: each is another one */
export async function addCast(
  { url }: Pick<Kinora, 'url'>,
  as: Person,
  {
    name,
    pictures,
    at = 0,
    headers = {},
  }: { name: string; pictures: number; at?: number; headers?: Record<string, string> },
): Promise<void> {
  for (const colour of COLOURS.slice(at, at + pictures)) {
    const response = await fetch(`${url}/api/v1/asset?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { 'content-type': 'image/png', authorization: `Bearer ${as.token}`, ...headers },
      body: new Uint8Array(await plain(100, 100, 'png', colour)),
    })
    assert.equal(response.status, 200, await response.text())
  }
}
