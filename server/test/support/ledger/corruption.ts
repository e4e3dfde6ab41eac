/** A corruption of the fixture in ledger-edge-fixture.ts, run in a transaction that is rolled back. `rules`: those that verify() must report, and no others. */
export type EdgeCorruption = { name: string; sql: string; rules: string[] }
