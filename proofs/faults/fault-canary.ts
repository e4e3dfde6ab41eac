/** Exits with 0 when the service starts with the planted fault: one that breaks its module or its SQL would be found by any test. */
import { createDatabase } from '../../server/test/support/database.ts'

const database = await createDatabase()
await import('../../server/src/payment/reconcile.ts')
await database.drop()
