/** The Content-Security-Policy allows media of this origin only, so that a link to another site has no preview. */
export const isOfThisOrigin = (link: string | null): boolean =>
  link !== null && URL.canParse(link) && new URL(link).origin === location.origin
