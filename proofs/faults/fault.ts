/** A planted fault (planted-faults.ts, simulation/faults.ts), how its lists are written, how it is planted. */

/** `find` is in the file once. */
export type Fault = { name: string; file: string; find: string; replace: string }

/** Faults of one file, each with its name, the text that it replaces, and the faulty text. */
export function faultsIn(file: string, list: [name: string, find: string, replace: string][]): Fault[] {
  return list.map(([name, find, replace]) => ({ name, file, find, replace }))
}

/** @throws Error when the file has changed and the fault no longer fits */
export function faultyText({ file, find, replace }: Fault, text: string): string {
  if (text.split(find).length !== 2) throw new Error(`"${find}" must be in ${file} once`)
  return text.replace(find, () => replace)
}
