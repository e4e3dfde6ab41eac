/** A film as it plays on a stage. */
import type { ComponentProps } from 'react'
import stageStyles from './film-stage.module.css'

export const FilmVideo = (video: Omit<ComponentProps<'video'>, 'className' | 'children'>) => (
  <video className={stageStyles.video} controls playsInline {...video}>
    {/* Generated videos have no captions. Accessibility linting requires a track; an empty one shows no button. */}
    <track kind="captions" />
  </video>
)
