/**
 * The roles of the embedded PostgreSQL beside the superuser that initdb makes: `kinora_owner` owns the database and
 * runs migrations, `kinora_service` reads and writes rows and owns nothing.
 */
import { createHmac } from 'node:crypto'
import postgres from 'postgres'
import { DATABASE_NAME } from './initialise.ts'

export const roles = { owner: 'kinora_owner', service: 'kinora_service' } as const

/** Derived from the superuser's password, so that postgres.json keeps one; the derived ones do not disclose it. */
export function passwordOf(role: (typeof roles)[keyof typeof roles], superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(role).digest('hex').slice(0, 48)
}

/** Creates the roles, or sets them right. Repeatable; for each start, because a lost password changes theirs too. */
export async function ensureRoles(superuserUrl: string, superuserPassword: string): Promise<void> {
  const sql = postgres(superuserUrl, { max: 1, fetch_types: false, onnotice: () => undefined })
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(`set local lock_timeout = '10s'`)
      for (const role of Object.values(roles)) {
        // The password consists of hexadecimal digits, so it cannot end the literal.
        const options = `login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${passwordOf(role, superuserPassword)}'`
        const [known] = await tx`select from pg_roles where rolname = ${role}`
        await tx.unsafe(`${known ? 'alter' : 'create'} role ${role} ${options}`)
      }
      await tx.unsafe(grants).simple()
    })
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/**
 * Rows of every table of the product, now and after every later migration; nothing else. Functions and types need no
 * grant: PostgreSQL opens them to every role that may use their schema.
 */
const grants = `
  alter database ${DATABASE_NAME} owner to ${roles.owner};
  revoke all on database ${DATABASE_NAME} from public;
  grant connect on database ${DATABASE_NAME} to ${roles.service};

  create schema if not exists kinora authorization ${roles.owner};
  grant usage on schema kinora, public to ${roles.service};
  grant select, insert, update, delete on all tables in schema kinora, public to ${roles.service};
  grant usage, select on all sequences in schema kinora, public to ${roles.service};
  alter default privileges for role ${roles.owner} grant usage on schemas to ${roles.service};
  alter default privileges for role ${roles.owner} grant select, insert, update, delete on tables to ${roles.service};
  alter default privileges for role ${roles.owner} grant usage, select on sequences to ${roles.service};
`
