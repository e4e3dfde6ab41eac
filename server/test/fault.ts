/** A planted fault (planted-faults.ts), and how its lists are written. */

/** `file`: below server/. `find` is in it once. */
export type Fault = { name: string; file: string; find: string; replace: string }

/** Faults of one file, each with its name, the text that it replaces, and the faulty text. */
export function faultsIn(file: string, list: [name: string, find: string, replace: string][]): Fault[] {
  return list.map(([name, find, replace]) => ({ name, file, find, replace }))
}
