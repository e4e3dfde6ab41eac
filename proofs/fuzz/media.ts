/** Mutated films, images and sounds: seeded changes of valid files, as a hostile or broken sender makes them. */
import fc from 'fast-check'
import { greyFilm, paintedFilm } from '../../server/test/support/films.ts'
import { moving, movingPng, noise, photograph, plain } from '../../server/test/support/images.ts'
import { remade, silence, sound } from '../../server/test/support/sounds.ts'

export const imageFixtures = (): Promise<Buffer[]> =>
  Promise.all([
    plain(64, 64),
    plain(64, 64, 'jpeg'),
    plain(64, 64, 'webp'),
    plain(64, 64, 'avif'),
    noise(80, 70, 'png'),
    photograph(),
    movingPng(),
    moving('webp'),
  ])
export const filmFixtures = (): Promise<Buffer[]> =>
  Promise.all([
    greyFilm(320, 180, 1),
    greyFilm(320, 180, 1, { container: 'mov' }),
    greyFilm(320, 180, 1, { container: 'fragmented' }),
    greyFilm(320, 180, 1, { rotation: 90 }),
  ])

export const uploadedFilmFixtures = async (): Promise<Buffer[]> => {
  const [mp4, webm] = [await paintedFilm('avc', 320, 180, 1), await paintedFilm('vp9', 320, 180, 1)]
  return await Promise.all([
    remade(mp4, { codec: 'aac' }),
    remade(mp4, { codec: 'pcm-s16', container: 'mov' }),
    remade(webm, { codec: 'opus', container: 'webm' }),
    greyFilm(320, 180, 1, { rotation: 90 }),
  ])
}

export const soundFixtures = async (): Promise<Buffer[]> => [
  await sound('mp3', 1),
  await sound('aac', 1),
  await sound('opus', 1),
  silence(1),
]

/** A place as a share of the file: the same mutation applies to files of any length. Headers are near the start. */
const place = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.1, noNaN: true }))
const length = fc.integer({ min: 1, max: 64 })
const number = fc.constantFrom(0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff)

type Mutation = (bytes: Buffer) => Buffer
const at = (bytes: Buffer, share: number) => Math.floor(share * Math.max(0, bytes.length - 1))
const changed = (bytes: Buffer, change: (copy: Buffer) => unknown): Buffer => {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}
const without = (bytes: Buffer, from: number, to: number) =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(
    ([share, bit]): Mutation =>
      (bytes) =>
        changed(
          bytes,
          (copy) => copy.length > 0 && copy.writeUInt8((copy[at(copy, share)] ?? 0) ^ (1 << bit), at(copy, share)),
        ),
  ),
  fc.tuple(place, number).map(
    ([share, value]): Mutation =>
      (bytes) =>
        changed(
          bytes,
          (copy) => copy.length >= 4 && copy.writeUInt32BE(value, Math.min(at(copy, share), copy.length - 4)),
        ),
  ),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 64 })).map(
    ([share, noiseBytes]): Mutation =>
      (bytes) =>
        changed(bytes, (copy) => copy.set(noiseBytes.subarray(0, copy.length - at(copy, share)), at(copy, share))),
  ),
  place.map(
    (share): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, share)),
  ),
  fc.tuple(place, length).map(
    ([share, count]): Mutation =>
      (bytes) =>
        without(bytes, at(bytes, share), at(bytes, share) + count),
  ),
  fc.tuple(place, place, length).map(
    ([from, to, count]): Mutation =>
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, at(bytes, to)),
          bytes.subarray(at(bytes, from), at(bytes, from) + count * 16),
          bytes.subarray(at(bytes, to)),
        ]),
  ),
  fc.uint8Array({ maxLength: 200 }).map(
    (tail): Mutation =>
      (bytes) =>
        Buffer.concat([bytes, tail]),
  ),
)

/** One to four mutations, one after another. */
export const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 }).map(
  (list): Mutation =>
    (bytes) =>
      list.reduce((mutated, mutate) => mutate(mutated), bytes),
)
