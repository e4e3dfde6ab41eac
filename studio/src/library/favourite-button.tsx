/** Marks a film as a favourite, or not any more: with its word, or the star alone on a card. */
import { t } from '@lingui/core/macro'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { arrangeVideos } from './arrange.ts'

type Props = {
  video: { uuid: string; prompt: string; favourite: boolean }
  isSmall?: boolean
  className?: string | undefined
}

export const FavouriteButton = ({ video: { uuid, prompt, favourite }, isSmall = false, className }: Props) => (
  <Button
    className={['favourite', className].filter(Boolean).join(' ')}
    aria-pressed={favourite}
    // The title tells the buttons of a list apart.
    {...(isSmall && { 'aria-label': t`Favourite`, title: prompt })}
    onClick={() => void arrangeVideos([uuid], { favourite: !favourite })}
  >
    <Icon name="favourite" size={isSmall ? 16 : 20} />
    {isSmall ? null : t`Favourite`}
  </Button>
)
