/** What stands around both forms: the name of the place on one side, a sheet of frames from its cutting room on the other. */
import type { CSSProperties, ReactNode } from 'react'
import css from './auth-layout.module.css'

export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={css.door}>
      <title>{`${title} · Kinora`}</title>
      <div className={css.side}>
        <p className={css.brand}>
          <span className={css.mark} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          Kinora
        </p>
        <div className={css.form}>{children}</div>
      </div>
      <div className={css.sheet} aria-hidden="true">
        {cards.map((card) => (
          <svg
            key={card.number}
            className={css.card}
            viewBox="0 0 96 72"
            aria-hidden="true"
            style={turnOf(card.number)}
          >
            <line className={css.floor} x1="0" y1="60.5" x2="96" y2="60.5" />
            <ellipse className={css.shadow} cx={card.x} cy="60.5" rx={card.shadow} ry="1.5" />
            <ellipse className={css.ball} cx={card.x} cy={card.y} rx={card.rx} ry={card.ry} />
            <text className={css.number} x="6" y="70">
              {card.number}
            </text>
          </svg>
        ))}
      </div>
    </main>
  )
}

/** A custom property of CSS, of which React's type knows nothing. */
const turnOf = (number: number): CSSProperties => ({ '--turn': number }) as CSSProperties

/**
 * A ball that bounces across 24 cards, as the flip-book films did that lent this place its name. One bounce is a
 * parabola; where it touches the floor the ball is squashed a little.
 */
const cards = Array.from({ length: 24 }, (_, index) => {
  const turn = ((index + 4) % 8) / 8
  const height = 4 * turn * (1 - turn)
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
