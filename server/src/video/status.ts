/** The status values of a video (spec: States and transitions). COMPLETED and FAILED are final. */
export const STATUSES = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED'] as const
export type Status = (typeof STATUSES)[number]

export const isFinal = (status: Status): boolean => status === 'COMPLETED' || status === 'FAILED'
