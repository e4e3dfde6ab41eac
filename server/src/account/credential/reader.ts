/** Who reads films and assets of an owner. */
import type { Caller } from './credential.ts'

export type Reader = Pick<Caller, 'userId' | 'key'>

/** The subject whose films and assets alone the caller reaches; null: all of the owner's. */
export const subjectOf = ({ key }: Pick<Reader, 'key'>): string | null => key?.token?.subject ?? null
