/** The code as the service reads it: apps show "123 456", and users type what they see. */
export const oneTimeCode = (typed: string): string => typed.replace(/\s/g, '')
