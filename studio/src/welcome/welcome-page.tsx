/** What a visitor sees first: a film, what can be made, by which models, for how much, before any address. */
import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modelsQuery } from '../api.ts'
import { LanguageSelect } from '../i18n/language-select.tsx'
import {
  creditsLabel,
  filmCount,
  money,
  type Product,
  periodText,
  type ReferenceFilm,
  referenceFilm,
  validity,
} from '../plans/pricing.ts'
import { productsQuery } from '../plans/products-query.ts'
import { Brand } from '../shell/brand.tsx'
import { Footer } from '../shell/footer.tsx'
import { signUpRefusal, site } from '../site.ts'
import { buttonClass } from '../ui/button.tsx'
import { factsLine } from '../ui/facts-line.ts'
import { formatCredits, formatList, formatNumber } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { isUpscaler } from '../upscalers.ts'
import { DrawnNote } from '../video/drawn-note.tsx'
import { ModelSample, sampleOf } from '../video/model-sample.tsx'
import { usePreview } from '../video/poster.tsx'
import { isMotionReduced } from '../video/reduced-motion.ts'
import { FlipBook } from './flip-book.tsx'
import '../ui/field.css'
import styles from './welcome-page.module.css'

type Model = Schemas['Model']

export function WelcomePage() {
  const { data, isPending } = useQuery(modelsQuery)
  const models = data?.models.filter((model) => model.enabled && !isUpscaler(model)) ?? []
  const products = useQuery(productsQuery).data
  return (
    <>
      <PageTitle of={[]} />
      <header className={`top ${styles.top}`}>
        <Link to="/welcome" className="brand">
          <Brand />
        </Link>
        <nav className="row" aria-label={t`Account`}>
          {site.hasExplore ? <Link to="/explore">{t`Explore`}</Link> : null}
          <Link to="/sign-in">{t`Sign in`}</Link>
        </nav>
      </header>
      <main className={styles.page}>
        <Hero models={models} isPending={isPending} />
        {isPending ? (
          <LoadingState label={t`Loading the models`}>
            <SkeletonBlock height="320px" />
          </LoadingState>
        ) : null}
        {models.length > 0 ? <Models models={models} /> : null}
        {products && products.processors.length > 0 ? <Prices products={products.products} models={models} /> : null}
      </main>
      <div className={styles.foot}>
        <Footer>
          <LanguageSelect />
        </Footer>
      </div>
    </>
  )
}

/** @param props `isPending`: until models are known, and the sample that plays without an operator's film */
function Hero({ models, isPending }: { models: Model[]; isPending: boolean }) {
  const gift = site.newUserCredits
  const refusal = signUpRefusal()
  return (
    <section className={styles.hero}>
      <div className="stack">
        <h1 className={styles.title}>{t`Write a prompt, get a film`}</h1>
        <p className={styles.lead}>
          {t`${site.name} turns a few sentences, or a picture, into a short film. The price stands on the button before you press it, and the credits come back when a film fails.`}
        </p>
        <div className="row">
          {refusal ? (
            <Link to="/sign-in" className={buttonClass('primary')}>
              {t`Sign in`}
            </Link>
          ) : (
            <Link to="/sign-up" className={buttonClass('primary')}>
              {t`Create account`}
            </Link>
          )}
        </div>
        {refusal ? <p className={`quiet ${styles.gift}`}>{refusal}</p> : null}
        {gift > 0 && !refusal ? <p className={`quiet ${styles.gift}`}>{giftText(gift, models)}</p> : null}
      </div>
      <HeroFilm models={models} isPending={isPending} />
    </section>
  )
}

/** The operator's film, else a sample that a model has made, a drawn one, or the flip-book. */
function HeroFilm({ models, isPending }: { models: Model[]; isPending: boolean }) {
  const sampled = models.filter(({ sample }) => sample.length > 0)
  const model = site.film ? undefined : (sampled.find(({ isSampleDrawn }) => !isSampleDrawn) ?? sampled[0])
  const film = site.film ?? model?.sample[0]
  const isDrawn = model?.isSampleDrawn === true
  if (!film) return <div className={styles.film}>{isPending ? null : <FlipBook isFilm />}</div>
  return (
    <figure className={styles.film}>
      <video
        src={film}
        poster={model?.sampleThumbnailUrl ?? undefined}
        autoPlay={!isMotionReduced()}
        muted
        loop
        playsInline
        aria-label={isDrawn ? t`A film that the simulator has drawn` : t`A film made here`}
      />
      {isDrawn ? <figcaption className={styles.drawn}>{t`Drawn by the simulator`}</figcaption> : null}
    </figure>
  )
}

const filmsText = (gift: number, film: ReferenceFilm): string =>
  t`${plural(filmCount(gift, film), { one: '# film', other: '# films' })} of ${film.description}`

/** What the gift buys in films of the first model, and in those of the one that makes the most of it. */
function giftText(gift: number, models: Model[]): string {
  const bought = models.flatMap((model) => {
    // Others need a film or a voice first.
    const film = model.modes.includes('text-to-video') ? referenceFilm([model]) : null
    return film && filmCount(gift, film) > 0 ? [film] : []
  })
  const [first] = bought
  const cheapest = bought.toSorted((a, b) => a.credits - b.credits)[0]
  if (!first || !cheapest) return t`A new account has ${formatCredits(gift)}.`
  return first.credits === cheapest.credits
    ? t`A new account has ${formatCredits(gift)}, which is ${filmsText(gift, first)}.`
    : t`A new account has ${formatCredits(gift)}, which is ${filmsText(gift, first)}, or ${filmsText(gift, cheapest)}.`
}

const Models = ({ models }: { models: Model[] }) => (
  <section className={`stack ${styles.models}`} aria-labelledby="models">
    <h2 id="models">{t`Models`}</h2>
    <DrawnNote models={models} />
    <TableFrame label={t`Models and their prices`}>
      <thead>
        <tr>
          <th>{t`Model`}</th>
          <th className="number">{t`Credits for a film`}</th>
          <th>{t`Resolution`}</th>
          <th>{t`Makes a film of`}</th>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <ModelRow key={model.id} model={model} />
        ))}
      </tbody>
    </TableFrame>
  </section>
)

function ModelRow({ model }: { model: Model }) {
  const { isPreviewing, pointerHandlers } = usePreview()
  const film = referenceFilm([model])
  const sample = sampleOf(model)
  return (
    <tr {...pointerHandlers}>
      <th scope="row" className={styles.model}>
        <span className={styles.sample}>
          {sample ? <ModelSample sample={sample} isPreviewing={isPreviewing} /> : null}
          {model.name}
        </span>
      </th>
      <td className="number">
        {film ? <span title={film.description}>{t`${formatNumber(film.credits)} for ${film.seconds} s`}</span> : '–'}
      </td>
      <td>{formatList(model.resolutions)}</td>
      <td>{model.modes.includes('image-to-video') ? t`A prompt, or a picture` : t`A prompt`}</td>
    </tr>
  )
}

function Prices({ products, models }: { products: Product[]; models: Model[] }) {
  const film = referenceFilm(models)
  const groups = [
    { title: t`Packs`, offered: products.filter(({ period }) => period === null) },
    { title: t`Monthly plans`, offered: products.filter(({ period }) => period === 'month') },
    { title: t`Yearly plans`, offered: products.filter(({ period }) => period === 'year') },
  ].filter(({ offered }) => offered.length > 0)
  return (
    <section className="stack" aria-labelledby="prices">
      <h2 id="prices">{t`Prices`}</h2>
      {film ? <p className="quiet">{t`A film is ${film.description}.`}</p> : null}
      {groups.map(({ title, offered }) => (
        <section key={title} className="stack" aria-label={title}>
          <h3>{title}</h3>
          <ul className={styles.packs}>
            {offered.map((product) => (
              <li key={product.id} className="panel">
                <h4>{product.name}</h4>
                <p className={styles.price}>
                  {money(product.price.cents, product.price.currency)}{' '}
                  <span className="quiet small">{periodText(product)}</span>
                </p>
                <p className="quiet">
                  {factsLine(
                    creditsLabel(product),
                    film && plural(filmCount(product.credits, film), { one: '# film', other: '# films' }),
                    product.period === null && t`valid for ${validity(product)}`,
                  )}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}
