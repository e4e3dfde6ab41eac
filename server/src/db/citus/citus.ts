/** The door of this room: what database.ts takes from it. */
import type { Division } from '../division.ts'
import { readArguments, scopeOf } from './arguments.ts'
import { inCommonSnapshot } from './common-snapshot.ts'
import { openMigration, refusalOfRestore } from './migrate.ts'
import { open } from './open.ts'

export const citus: Division = { open, openMigration, refusalOfRestore, inCommonSnapshot, readArguments, scopeOf }
