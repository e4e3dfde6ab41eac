/**
 * The user that a statement is about, found in its text and parameters: every statement about one user names the user
 * id as `user_id = $1`, `p_user_id => $1`, the first value of an insert or call, or in the JSON of a set whose users
 * are all of one shard.
 */

/** A statement with `$1`, `$2`, … and what they stand for. */
export type Flat = { text: string; parameters: unknown[] }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const IN_JSON = /"user_id":"([0-9a-f-]{36})"/g

const USER_PARAMETERS = [
  /\bp_user_id\s*=>\s*\$(\d+)/g,
  /\buser_id\s*=\s*\$(\d+)/g,
  /\bp_user_ids\s*=>\s*\$(\d+)/g,
  /\buser_id\s*=\s*any\s*\(\s*\$(\d+)/g,
  /\binsert into [\w.]+(?: as \w+)? \(\s*user_id\b[^)]*\)\s*values \(\s*\$(\d+)/g,
  /\$(\d+)::text::jsonb?\b/g,
  /\bunnest\(\s*\$(\d+)::uuid\[\]/g,
]

/**
 * @param takesUserFirst the functions whose first parameter is the user id
 * @returns null when the text names none
 */
export function usersOf({ text, parameters }: Flat, takesUserFirst: ReadonlySet<string>): string[] | null {
  const found = new Set<string>()
  const add = (position: string | undefined) => {
    for (const userId of idsIn(parameters[Number(position) - 1])) found.add(userId)
  }
  for (const pattern of USER_PARAMETERS) {
    for (const [, position] of text.matchAll(pattern)) add(position)
    if (found.size > 0) return [...found]
  }
  for (const [, name = '', position] of text.matchAll(/\bkinora\.(\w+)\(\s*\$(\d+)/g)) {
    if (takesUserFirst.has(name)) add(position)
  }
  return found.size > 0 ? [...found] : null
}

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string' && UUID.test(each))
  if (typeof value !== 'string') return []
  if (UUID.test(value)) return [value]
  if (value.startsWith('{'))
    return value
      .slice(1, -1)
      .split(',')
      .filter((each) => UUID.test(each))
  return value.startsWith('[{') ? [...value.matchAll(IN_JSON)].map(([, id = '']) => id) : []
}
