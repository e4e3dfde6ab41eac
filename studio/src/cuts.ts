/** Cuts: films that are rendered of a project's takes. They have no model and no settings. */

/** The model and the mode of a cut. */
const CUT = 'cut'

export const isCut = ({ mode }: { mode: string }): boolean => mode === CUT
