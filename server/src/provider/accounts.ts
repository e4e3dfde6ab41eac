/** The accounts of providers.json: the AI providers that an operator can use. */
import { Type } from 'typebox'
import { type AccountEntry, ConfigError } from '../config/config.ts'
import { catalogueFolders, catalogueTexts } from '../config/package-dir.ts'
import { readJsonFile } from '../text/json-file.ts'

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
    /** What one of the unit in which the vendor tells costs is worth in USD, by the name of the unit. */
    unitUsd: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Type.Number({ minimum: 0 }))),
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

/** The accounts of the last reading. @throws ConfigError that names each problem */
export function accounts(): AccountEntry[] {
  cached ??= readAccounts()
  return cached
}

/** Takes what is read now from now on. The settings of accounts, their keys among them, are those of the start. */
export function replaceAccounts(entries: AccountEntry[]): void {
  cached = entries
}

/** The accounts of the release, and those of the operator, which replace one of the same id. @throws ConfigError */
export function readAccounts(folders = catalogueFolders()): AccountEntry[] {
  const files = catalogueTexts('providers.json', folders)
  const read = files.map(({ file, text }) => parseAccounts(text, file))
  return [...new Map(read.flat().map((entry) => [entry.id, entry])).values()]
}

/** @param text of a providers.json. @throws ConfigError */
export function parseAccounts(text: string, file = 'catalogue/providers.json'): AccountEntry[] {
  const { value, problems, locate } = readJsonFile(file, text, AccountsFile)
  if (!value) throw new ConfigError(problems)
  const ids = value.accounts.map(({ id }) => id)
  const repeated = ids.flatMap((id, i) =>
    ids.indexOf(id) < i
      ? [locate({ path: ['accounts', i, 'id'], text: `another account has the id ${id} too; choose another one` })]
      : [],
  )
  if (repeated.length > 0) throw new ConfigError(repeated)
  return value.accounts
}
