/** A line of facts about one thing; what is not known, or not yet, is left out with its dot. */
export const factsLine = (...facts: (string | null | undefined | false)[]): string => facts.filter(Boolean).join(' · ')
