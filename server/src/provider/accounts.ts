/** The accounts of catalogue/providers.json: the AI providers that an operator can use. */
import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type AccountEntry, ConfigError } from '../config/config.ts'
import { catalogueFile } from '../config/package-dir.ts'

const Name = Type.String({ pattern: '^[a-z0-9-]+$' })
const Entry = Type.Object(
  {
    /** In settings, callback URLs and rows. */
    id: Name,
    /** The file of provider/adapter. */
    adapter: Name,
    /** What an account in use must have, `key` by default; `url`: the vendor has no public address. */
    needs: Type.Optional(Type.Array(Type.Enum(['url', 'key']))),
    /** Tasks at a time. */
    concurrency: Type.Optional(Type.Integer({ minimum: 1 })),
    submitsPer: Type.Optional(
      Type.Object({ count: Type.Integer({ minimum: 1 }), seconds: Type.Integer({ minimum: 1 }) }),
    ),
    /** Sent with the request for a film, by the origin of its link: a provider may name the link of any host. */
    resultHeaders: Type.Optional(
      Type.Record(Type.String({ pattern: '^https?://[^/]+$' }), Type.Record(Type.String(), Type.String()), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
)
const AccountsFile = Type.Object({ accounts: Type.Array(Entry) }, { additionalProperties: false })

let cached: AccountEntry[] | undefined

/** The accounts, read once. @throws ConfigError that names the problem */
export function accounts(): AccountEntry[] {
  cached ??= parseAccounts(readFileSync(catalogueFile('providers.json'), 'utf8'))
  return cached
}

/** @param text of providers.json. @throws ConfigError */
export function parseAccounts(text: string): AccountEntry[] {
  const fail = (problem: string) => new ConfigError([`catalogue/providers.json${problem}`])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw fail(` is not valid JSON: ${(error as Error).message}`)
  }
  if (!Value.Check(AccountsFile, value)) {
    const [first] = Value.Errors(AccountsFile, value)
    throw fail(`, ${first?.instancePath || 'the whole'} ${first?.message}`)
  }
  const ids = value.accounts.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw fail(': two accounts have the same id')
  return value.accounts
}
