/**
 * The scenes of the sample films, in the simulator's colours: a picture of 640×360 at a moment of a loop. The end of
 * each leads to its beginning, so that a player that repeats it shows no cut.
 */
import { createHash } from 'node:crypto'
import { ink, paper } from './src/text.ts'

export const SCENE = { width: 640, height: 360 }

const tungsten = '#f2b03d'
const turn = 2 * Math.PI

/** @param at the moment, from 0 to 1 @returns SVG */
type Scene = (at: number) => string

/** Bytes that belong to a name: each film is the same whenever it is drawn. */
const chances = (name: string): number[] => [...createHash('sha512').update(name).digest()]

const circle = (x: number, y: number, r: number, rest: string): string =>
  `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${r.toFixed(2)}" ${rest}/>`
const sky = (above: string, below: string): string =>
  `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient>
  <rect width="640" height="360" fill="url(#sky)"/>`
const sun = (x: number, y: number, r: number, fill = tungsten): string =>
  [
    [2.6, 0.08],
    [1.7, 0.12],
    [1, 1],
  ]
    .map(([size = 1, opacity]) => circle(x, y, r * size, `fill="${fill}" opacity="${opacity}"`))
    .join('')

/** A ridge that repeats every `period`, moved to the left by one period in a loop. */
function ridge(name: string, fill: string, look: { y: number; height: number; period: number }, at: number): string {
  const { y, height, period } = look
  const [a = 0, b = 0, c = 0] = chances(name).map((byte) => byte / 40)
  const top = (x: number): number =>
    y -
    height *
      (0.5 * Math.sin((x / period) * turn + a) +
        0.3 * Math.sin((x / period) * 2 * turn + b) +
        0.2 * Math.sin((x / period) * 3 * turn + c))
  const points = Array.from({ length: 81 }, (_, n) => `${n * 8},${top(n * 8 + at * period).toFixed(2)}`)
  return `<path fill="${fill}" d="M0,360 L${points.join(' ')} V360Z"/>`
}

const dunes: Scene = (at) =>
  sky('#2b2a4a', '#b4604a') +
  sun(430, 150 + 3 * Math.sin(at * turn), 46) +
  ridge('far', '#4a3240', { y: 220, height: 26, period: 240 }, at) +
  ridge('middle', '#36262f', { y: 262, height: 30, period: 400 }, at) +
  ridge('near', '#221a20', { y: 312, height: 34, period: 720 }, at)

/** A row of waves that travels by one length in a loop. */
function waves(fill: string, y: number, height: number, length: number, at: number): string {
  const points = Array.from({ length: 81 }, (_, n) => {
    const x = n * 8
    return `${x},${(y + height * Math.sin((x / length + at) * turn)).toFixed(2)}`
  })
  return `<path fill="${fill}" d="M0,360 L${points.join(' ')} V360Z"/>`
}

const boat: Scene = (at) => {
  const [lift, tilt] = [5 * Math.sin((300 / 260 + at) * turn), 4 * Math.cos((300 / 260 + at) * turn)]
  const glints = chances('glints')
    .slice(0, 22)
    .map((byte, n) => {
      const width = 10 + (byte % 30) + 12 * Math.sin((at + byte / 255) * turn)
      return `<rect x="${(460 - width / 2 + (byte % 17) - 8).toFixed(2)}" y="${210 + n * 6}" width="${Math.max(2, width).toFixed(2)}" height="2" fill="${paper}" opacity="0.35"/>`
    })
  return (
    sky('#10151f', '#3a5a6b') +
    sun(460, 96, 34, paper) +
    waves('#223a47', 206, 3, 160, at) +
    waves('#1a2d38', 232, 5, 260, at) +
    glints.join('') +
    `<g transform="translate(300 ${(238 + lift).toFixed(2)}) rotate(${tilt.toFixed(2)})">
      <path fill="${paper}" d="M2,-110 L2,-14 L62,-14 Z"/><path fill="${tungsten}" d="M-4,-92 L-4,-14 L-44,-14 Z"/>
      <path fill="#3a2a22" d="M-62,-6 L70,-6 L50,18 L-44,18 Z"/></g>` +
    waves('#122028', 262, 7, 320, at) +
    waves('#0d171d', 304, 9, 640, at)
  )
}

const lighthouse: Scene = (at) => {
  const stars = chances('stars').map((byte, n, all) => {
    const light = 0.35 + 0.3 * Math.sin((at + byte / 255) * turn)
    return circle(
      ((all[(n + 7) % 64] ?? 0) * 2.5) % 640,
      (byte * 0.8) % 210,
      0.6 + (byte % 3) * 0.45,
      `fill="${paper}" opacity="${light.toFixed(2)}"`,
    )
  })
  // The beam turns, and is seen while it goes to a side.
  const beam = (phase: number): string => {
    const reach = Math.cos((at + phase) * turn)
    const x = 470 + 600 * reach
    return `<path fill="${tungsten}" opacity="${(0.3 * reach * reach).toFixed(3)}" d="M470,124 L${x.toFixed(2)},70 V186 L470,128 Z"/>`
  }
  return (
    sky('#0b0d16', '#27304a') +
    stars.join('') +
    beam(0) +
    beam(0.5) +
    `<path fill="#d8d3c8" d="M452,270 L458,140 H482 L488,270 Z"/><path fill="#9c4a3a" d="M456,190 L454.600,222 H485.400 L484,190 Z"/>
    <rect x="456" y="114" width="28" height="26" fill="#20242c"/><path fill="#20242c" d="M452,114 L470,98 L488,114 Z"/>` +
    circle(470, 126, 8 + 2 * Math.abs(Math.sin(at * turn)), `fill="${tungsten}"`) +
    `<path fill="#151920" d="M360,360 L400,286 L440,264 L510,262 L560,290 L640,330 V360Z"/>` +
    waves('#1b2436', 300, 4, 200, at) +
    waves('#121826', 326, 6, 320, at)
  )
}

function mill(x: number, y: number, size: number, fill: string, angle: number): string {
  const blades = [0, 120, 240]
    .map((each) => `<path transform="rotate(${each})" d="M-2,0 L-4,-18 L0,-78 L3,0 Z"/>`)
    .join('')
  return `<g transform="translate(${x} ${y}) scale(${size})" fill="${fill}"><path d="M-3,0 L-6,150 H6 L3,0 Z"/>
    <g transform="rotate(${angle.toFixed(2)})">${blades}</g><circle r="5"/></g>`
}

const mills: Scene = (at) =>
  sky('#3d4f63', '#e0a46a') +
  sun(150, 214, 40, '#f6d9a0') +
  [0.1, 0.45, 0.8]
    .map((start, n) => {
      const x = ((start + at) % 1) * 900 - 130
      return `<g fill="${paper}" opacity="0.22" transform="translate(${x.toFixed(2)} ${56 + n * 34})"><ellipse rx="70" ry="9"/><ellipse cx="30" cy="-8" rx="38" ry="10"/></g>`
    })
    .join('') +
  ridge('moor', '#6b5a52', { y: 258, height: 16, period: 640 }, 0) +
  mill(420, 190, 0.55, '#5a4c48', at * 120 + 20) +
  mill(540, 205, 0.5, '#5a4c48', at * 120 + 75) +
  ridge('heath', '#453b3a', { y: 290, height: 18, period: 640 }, 0.3) +
  mill(270, 150, 1.05, '#2c2727', at * 120) +
  ridge('field', '#211d1e', { y: 322, height: 14, period: 640 }, 0.6)

function pine(x: number, y: number, size: number, fill: string): string {
  return `<path fill="${fill}" transform="translate(${x} ${y}) scale(${size})" d="M0,-120 L22,-76 H12 L32,-40 H18 L40,0 H6 V14 H-6 V0 H-40 L-18,-40 H-32 L-12,-76 H-22 Z"/>`
}

const snow: Scene = (at) => {
  const flakes = [...chances('flakes'), ...chances('more flakes')].map((byte, n, all) => {
    const falls = 1 + (n % 3)
    const y = ((byte / 255 + at * falls) % 1) * 380 - 10
    const x = ((all[(n + 31) % 128] ?? 0) / 255) * 680 - 20 + 10 * Math.sin((at + byte / 255) * turn)
    return circle(x, y, 0.8 + falls * 0.7, `fill="${paper}" opacity="${0.35 + 0.18 * falls}"`)
  })
  const trees = chances('trees').slice(0, 30)
  return (
    sky('#26303f', '#8f9db0') +
    ridge('peaks', '#5d6c80', { y: 200, height: 40, period: 640 }, 0.1) +
    trees
      .slice(0, 14)
      .map((byte, n) => pine(n * 50 + (byte % 30), 262 + (byte % 9), 0.5 + (byte % 5) / 18, '#3d4a5a'))
      .join('') +
    `<path fill="#c9d2dc" d="M0,262 Q160,236 330,262 T640,256 V360 H0 Z"/>` +
    trees
      .slice(14, 22)
      .map((byte, n) => pine(n * 92 + (byte % 40) - 20, 314 + (byte % 14), 0.95 + (byte % 5) / 12, '#1f2833'))
      .join('') +
    `<path fill="${paper}" d="M0,318 Q200,290 380,316 T640,310 V360 H0 Z"/>
    <path fill="#3a2c28" d="M438,268 h74 v48 h-74 z"/><path fill="#e7ebef" d="M428,272 L475,236 L522,272 Z"/>` +
    `<rect x="452" y="282" width="16" height="16" fill="${tungsten}" opacity="${(0.85 + 0.12 * Math.sin(at * 3 * turn)).toFixed(2)}"/>
    <rect x="482" y="282" width="16" height="16" fill="${tungsten}"/>` +
    flakes.join('')
  )
}

const train: Scene = (at) => {
  const front = ((at + 0.4) % 1) * 1260 - 20
  const wagons = [0, 1, 2, 3].map((n) => {
    const x = front - 150 * (n + 1)
    const windows = [16, 44, 72, 100].map(
      (dx) => `<rect x="${(x + dx).toFixed(2)}" y="173" width="20" height="14" fill="${tungsten}"/>`,
    )
    const nose = n === 0 ? 'q16,2 22,34' : 'v34'
    return `<path fill="#191b22" d="M${x.toFixed(2)},164 h140 ${nose} H${x.toFixed(2)} Z"/>${windows.join('')}`
  })
  const arches = [0, 1, 2, 3, 4, 5].map((n) => `<path d="M${n * 128 - 50},360 V262 a50,50 0 0 1 100,0 V360 Z"/>`)
  return (
    sky('#31264a', '#c07a66') +
    sun(180, 130, 38, '#f6d9a0') +
    ridge('range', '#5a3d52', { y: 196, height: 36, period: 640 }, 0.2) +
    ridge('hills', '#40304a', { y: 250, height: 26, period: 640 }, 0.7) +
    wagons.join('') +
    `<mask id="arches"><rect width="640" height="360" fill="#fff"/><g fill="#000">${arches.join('')}</g></mask>
    <rect y="198" width="640" height="162" fill="#241d2c" mask="url(#arches)"/><rect y="198" width="640" height="7" fill="${ink}"/>` +
    waves('#1a1522', 338, 3, 160, at)
  )
}

const balloons: Scene = (at) => {
  const balloon = (x: number, y: number, size: number, fill: string, phase: number): string => {
    const lift = 12 * Math.sin((at + phase) * turn)
    const sway = 7 * Math.cos((at + phase) * turn)
    return `<g transform="translate(${(x + sway).toFixed(2)} ${(y + lift).toFixed(2)}) scale(${size})">
      <path fill="${fill}" d="M-50,0 A50,50 0 1 1 50,0 C50,36 18,56 12,72 H-12 C-18,56 -50,36 -50,0 Z"/>
      <path fill="${ink}" opacity="0.18" d="M-18,-46 C-34,-16 -30,36 -8,72 H8 C30,36 34,-16 18,-46 A50,50 0 0 0 -18,-46 Z"/>
      <path stroke="#2a2422" stroke-width="1.500" d="M-11,72 L-7,88 M11,72 L7,88"/><rect x="-9" y="88" width="18" height="14" rx="2" fill="#4a3328"/></g>`
  }
  return (
    sky('#5b7f99', '#f0cfa0') +
    sun(520, 236, 34, '#f8e3b8') +
    ridge('blue', '#7f8f97', { y: 252, height: 22, period: 320 }, at) +
    balloon(470, 96, 0.55, '#b8583f', 0.55) +
    balloon(118, 128, 0.8, '#3f6672', 0.2) +
    ridge('green', '#596a63', { y: 292, height: 22, period: 480 }, at) +
    balloon(300, 132, 1.35, tungsten, 0) +
    ridge('dark', '#36423f', { y: 332, height: 18, period: 640 }, at)
  )
}

const city: Scene = (at) => {
  const sizes = chances('towers')
  const row = (from: number, count: number, y: number, fill: string, lit: number): string =>
    Array.from({ length: count }, (_, n) => {
      const byte = sizes[from + n] ?? 0
      const width = 640 / count
      const [x, height] = [n * width, 60 + (byte % 100)]
      const windows = Array.from({ length: 24 }, (_, w) => {
        const chance = sizes[(from + n * 5 + w * 3) % 64] ?? 0
        if (chance % 100 > lit) return ''
        const light = chance % 7 === 0 ? 0.55 + 0.4 * Math.sin((at + chance / 255) * turn) : 0.8
        const [wx, wy] = [x + 8 + (w % 4) * ((width - 16) / 4), y - height + 12 + Math.floor(w / 4) * 16]
        return wy > y - 8
          ? ''
          : `<rect x="${wx.toFixed(1)}" y="${wy}" width="6" height="8" fill="${tungsten}" opacity="${light.toFixed(2)}"/>`
      })
      return `<rect x="${x.toFixed(1)}" y="${y - height}" width="${(width + 0.5).toFixed(1)}" height="${height + 120}" fill="${fill}"/>${windows.join('')}`
    }).join('')
  const rain = [...chances('rain'), ...chances('more rain')].slice(0, 90).map((byte, n, all) => {
    const falls = 3 + (n % 3)
    const y = ((byte / 255 + at * falls) % 1) * 420 - 40
    const x = ((all[(n + 17) % 90] ?? 0) / 255) * 700 - 30 - y * 0.12
    return `<path d="M${x.toFixed(1)},${y.toFixed(1)} l-2.400,20" opacity="${0.16 + 0.06 * (n % 3)}"/>`
  })
  const cars = [0, 0.5].map((start, n) => {
    const x = n === 0 ? ((start + at) % 1) * 760 - 60 : 700 - ((start + at) % 1) * 760
    return `<g transform="translate(${x.toFixed(1)} ${322 + n * 16})"><rect width="44" height="10" rx="4" fill="#0b0c10"/><rect x="8" y="-7" width="24" height="9" rx="4" fill="#0b0c10"/>
      <circle cx="${n === 0 ? 44 : 0}" cy="4" r="3" fill="${paper}"/><circle cx="${n === 0 ? 0 : 44}" cy="4" r="2.500" fill="#c2452f"/></g>`
  })
  return (
    sky('#141826', '#4a4560') +
    row(0, 13, 270, '#33344c', 18) +
    row(20, 9, 300, '#1b1c2a', 34) +
    `<rect y="300" width="640" height="60" fill="#101118"/><path stroke="${paper}" stroke-dasharray="26 24" opacity="0.3" d="M0,336 H640"/>` +
    cars.join('') +
    `<g stroke="${paper}" stroke-width="1.200">${rain.join('')}</g>`
  )
}

export const scenes: Record<string, Scene> = { balloons, boat, city, dunes, lighthouse, mills, snow, train }
