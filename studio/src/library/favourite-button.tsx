/** Marks a film as a favourite, or not any more: with its word, or the star alone on a card. */
import { t } from '@lingui/core/macro'
import { type NamedFilm, useFilmNames } from '../film-name.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { arrangeVideos } from './arrange.ts'

type Props = {
  video: NamedFilm & { uuid: string; favourite: boolean }
  isSmall?: boolean
  className?: string | undefined
}

export function FavouriteButton({ video, isSmall = false, className }: Props) {
  const filmName = useFilmNames()
  const { uuid, favourite } = video
  return (
    <Button
      className={['favourite', className].filter(Boolean).join(' ')}
      aria-pressed={favourite}
      // The title tells the buttons of a list apart.
      {...(isSmall && { 'aria-label': t`Favourite`, title: filmName(video) })}
      onClick={() => void arrangeVideos([uuid], { favourite: !favourite })}
    >
      <Icon name="favourite" size={isSmall ? 16 : 20} />
      {isSmall ? null : t`Favourite`}
    </Button>
  )
}
