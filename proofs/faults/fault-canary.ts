/** Exits with 0 when the service starts with the planted fault, which any test would find else. */
import { createDatabase } from '../../server/test/support/database.ts'

const database = await createDatabase()
await import('../../server/src/payment/reconcile.ts')
await database.drop()
