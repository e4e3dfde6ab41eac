/** Users whom an administrator finds by their name, and their page. */
import type { Kinora, Person } from '../../server/test/support/harness.ts'

export async function createUser(
  kinora: Kinora,
  name: string,
  { credits = 60, email }: { credits?: number; email?: string } = {},
): Promise<Person> {
  const person = await kinora.person({ credits })
  const address = email ?? person.email
  await kinora.app.sql`update public."user" set "name" = ${name}, "email" = ${address} where id = ${person.userId}`
  return { ...person, email: address }
}

export const pathOf = ({ userId }: Pick<Person, 'userId'>): string => `/admin/users/${userId}`
