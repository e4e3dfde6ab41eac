/** Planted faults: one-line changes of the product, of the kind that people make. Each must be found within 2,000 runs. */
export type PlantedFault = { name: string; file: string; find: string; replace: string }

export const faults: PlantedFault[] = []

export type Plant = { file: string; plant: (text: string) => string }

export const codeFaultOf = (name: string | undefined): Plant | null => plantOf(name, (file) => file.endsWith('.ts'))
export const sqlFaultOf = (name: string | undefined): Plant | null => plantOf(name, (file) => file.endsWith('.sql'))

function plantOf(name: string | undefined, fits: (file: string) => boolean): Plant | null {
  if (!name) return null
  const fault = faults.find((each) => each.name === name)
  if (!fault) throw new Error(`there is no fault "${name}"`)
  if (!fits(fault.file)) return null
  return {
    file: fault.file,
    plant: (text) => {
      if (text.split(fault.find).length !== 2) throw new Error(`"${fault.find}" must be in ${fault.file} once`)
      return text.replace(fault.find, () => fault.replace)
    },
  }
}
