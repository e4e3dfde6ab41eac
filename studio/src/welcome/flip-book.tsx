/** The historic Kinora was a viewer of flip-book films: a bouncing ball on 24 cards, as a sheet or as the film. */
import type { CSSProperties } from 'react'
import styles from './flip-book.module.css'

/** @param props `isFilm`: the cards lie one on another, and each is seen for a 24th of the time */
export const FlipBook = ({ isFilm = false }: { isFilm?: boolean }) => (
  <div className={isFilm ? styles.film : styles.sheet} aria-hidden="true">
    {cards.map((card) => (
      <svg
        key={card.number}
        className={styles.card}
        viewBox="0 0 96 72"
        aria-hidden="true"
        style={frameStyle(card.number)}
      >
        <line className={styles.floor} x1="-48" y1="60.5" x2="144" y2="60.5" />
        <ellipse className={styles.shadow} cx={card.x} cy="60.5" rx={card.shadow} ry="1.5" />
        <ellipse className={styles.ball} cx={card.x} cy={card.y} rx={card.rx} ry={card.ry} />
        <text className={styles.number} x="6" y="70">
          {card.number}
        </text>
      </svg>
    ))}
  </div>
)

/** React's CSSProperties type has no custom properties. */
const frameStyle = (number: number): CSSProperties => ({ '--frame': number }) as CSSProperties

/** One bounce is a parabola; the ball is slightly squashed where it touches the floor. */
const cards = Array.from({ length: 24 }, (_, index) => {
  const phase = ((index + 4) % 8) / 8
  const height = 4 * phase * (1 - phase)
  const squash = height === 0 ? 1.5 : 0
  return {
    number: index + 1,
    x: 10 + (index / 23) * 76,
    y: 60 - 7 + squash - height * (34 - Math.floor((index + 4) / 8) * 5),
    rx: 7 + squash,
    ry: 7 - squash,
    shadow: 7 - height * 4,
  }
})
