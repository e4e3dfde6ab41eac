/** The quality of a film as the API writes it, "720p" or "4k": the pixels of its short side. */
export const linesOf = (quality: string): number => (quality === '4k' ? 2160 : Number.parseInt(quality, 10))
