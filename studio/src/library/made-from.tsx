/** What a film was made from: its pictures and sounds, and the film before it, with those before that one. */
import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { videoQuery } from '../api.ts'
import { truncate } from '../ui/format.ts'
import styles from './player.module.css'

type Input = Schemas['VideoInput']

const PROMPT_CHARACTERS_MAX = 48
/** Versions are read one after the other; references have no versions, as they would fan out. */
const VERSIONS_MAX = 8

export const MadeFrom = ({ inputs, depth = 0 }: { inputs: Input[]; depth?: number }) => (
  <ul className={styles.madeFrom}>
    {inputs.map(({ role, kind, asset, video, url, at }) => (
      <li key={`${role} ${asset ?? video ?? url} ${at}`}>
        {video !== null ? (
          <FilmBefore uuid={video} depth={role === 'film' ? depth : VERSIONS_MAX} />
        ) : (
          <a href={url ?? undefined} target="_blank" rel="noreferrer">
            {at === null ? openText(kind) : t`${openText(kind)} at ${at} s`}
          </a>
        )}
      </li>
    ))}
  </ul>
)

/** A film with a link to it, and below what it was made from itself. One that was deleted has its link alone. */
function FilmBefore({ uuid, depth }: { uuid: string; depth: number }) {
  const { data } = useQuery({ ...videoQuery(uuid), retry: false })
  return (
    <>
      <Link to="/library/$uuid" params={{ uuid }} dir="auto">
        {data?.prompt ? truncate(data.prompt, PROMPT_CHARACTERS_MAX) : t`Open the film`}
      </Link>
      {data?.inputs && depth < VERSIONS_MAX ? <MadeFrom inputs={data.inputs} depth={depth + 1} /> : null}
    </>
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
