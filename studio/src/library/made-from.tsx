/** What a film was made from: its pictures and sounds, and the film before it, with those before that one. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { videoQuery } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { truncate } from '../ui/format.ts'
import { Versions } from '../video/versions.tsx'
import styles from './player.module.css'

type Input = Schemas['VideoInput']

const NAME_CHARACTERS_MAX = 48

/** @param props `isCut`: it is of all the films, and a version of none */
export const MadeFrom = ({ uuid, inputs, isCut }: { uuid: string; inputs: Input[]; isCut: boolean }) => (
  <ul className={styles.madeFrom}>
    {keyed(inputs).map(({ key, role, kind, video: film, url, at }) => (
      <li key={key}>
        {film !== null && role === 'film' && !isCut ? (
          <Versions uuid={uuid} />
        ) : film !== null ? (
          <ReferenceFilm uuid={film} />
        ) : (
          <a href={url ?? undefined} target="_blank" rel="noreferrer">
            {at === null ? openText(kind) : t`${openText(kind)} at ${at} s`}
          </a>
        )}
      </li>
    ))}
  </ul>
)

/** By their places: one asset may be there twice. */
const keyed = (inputs: Input[]) => inputs.map((input, place) => ({ ...input, key: `${input.role} ${place}` }))

/** A film with a link to it. One that was deleted has its link alone. */
function ReferenceFilm({ uuid }: { uuid: string }) {
  const { data } = useQuery({ ...videoQuery(uuid), retry: false })
  const filmName = useFilmNames()
  return (
    <Link to="/library/$uuid" params={{ uuid }} dir="auto">
      {data ? truncate(filmName(data), NAME_CHARACTERS_MAX) : t`Open the film`}
    </Link>
  )
}

function openText(kind: Input['kind']): string {
  switch (kind) {
    case 'image':
      return t`Open the image`
    case 'film':
      return t`Open the film`
    case 'sound':
      return t`Open the sound`
  }
}
