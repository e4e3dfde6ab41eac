/** Colours of an accent that can be read: contrast as in WCAG 2, of sRGB colours in hexadecimal. */

/** The grounds of the studio (studio/src/ui/base.css). */
const GROUNDS = { light: '#f6f4ef', dark: '#0e0f11' }
const TEXT_CONTRAST = 7
const STEPS = 50

/** @returns the custom properties that replace those of the studio's style sheet */
export function accentColours(accent: string): Record<string, string> {
  const [black, white] = ['#0e0f11', '#ffffff']
  const onAccent = contrast(black, accent) >= contrast(white, accent) ? black : white
  const light = legible(accent, '#000000', GROUNDS.light)
  const dark = legible(accent, '#ffffff', GROUNDS.dark)
  return { '--accent': accent, '--on-accent': onAccent, '--accent-text': `light-dark(${light}, ${dark})` }
}

/** The first mix of the colour with `towards` whose contrast is enough for text. */
function legible(colour: string, towards: string, ground: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS)
    if (contrast(mixed, ground) >= TEXT_CONTRAST) return mixed
  }
  return towards
}

/** From 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour)
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(from: string, to: string, share: number): string {
  const target = channels(to)
  const mixed = channels(from).map((channel, at) => Math.round(channel + ((target[at] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
