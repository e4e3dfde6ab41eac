/** A corruption of the ledger (ledger-corruptions.ts): SQL that a test runs in a transaction and rolls back. */

/** Of the fixture in ledger-fixture.ts. `found`: the rules that verify() must report, each with its subject, and no others. */
export type Corruption = { name: string; sql: string; found: Record<string, string> }

/** Of the fixture in ledger-edge-fixture.ts. `rules`: those that verify() must report, and no others. */
export type EdgeCorruption = { name: string; sql: string; rules: string[] }
