/** @param many the plural where an s does not make it @returns "1 minute", "5 minutes" */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
