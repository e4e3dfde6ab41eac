/** What a visitor sees first: a film, what can be made, by which models, for how much, before any address. */
import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { modelsQuery } from '../api.ts'
import { LanguageSelect } from '../i18n/language-select.tsx'
import { filmCount, money, type Product, referenceFilm, validity } from '../plans/pricing.ts'
import { productsQuery } from '../plans/products-query.ts'
import { Brand } from '../shell/brand.tsx'
import { Footer } from '../shell/footer.tsx'
import { signUpRefusal, site } from '../site.ts'
import { buttonClass } from '../ui/button.tsx'
import { formatCredits, formatList, formatNumber } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { isUpscaler } from '../upscalers.ts'
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
        {models.length > 0 ? <Models models={models} /> : null}
        {products && products.processors.length > 0 ? <Packs products={products.products} models={models} /> : null}
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
  const film = referenceFilm(models)
  const played = site.film ?? models.flatMap(({ sample }) => sample)[0]
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
        {gift > 0 && !refusal ? (
          <p className={`quiet ${styles.gift}`}>
            {film && filmCount(gift, film) > 0
              ? t`A new account has ${formatCredits(gift)}, which is ${plural(filmCount(gift, film), { one: '# film', other: '# films' })} of ${film.description}.`
              : t`A new account has ${formatCredits(gift)}.`}
          </p>
        ) : null}
      </div>
      <div className={styles.film}>
        {played ? (
          <video src={played} autoPlay={!isMotionReduced()} muted loop playsInline aria-label={t`A film made here`} />
        ) : null}
        {played || isPending ? null : <FlipBook isFilm />}
      </div>
    </section>
  )
}

const Models = ({ models }: { models: Model[] }) => (
  <section className="stack" aria-labelledby="models">
    <h2 id="models">{t`Models`}</h2>
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

function Packs({ products, models }: { products: Product[]; models: Model[] }) {
  const film = referenceFilm(models)
  const packs = products.filter(({ kind }) => kind === 'pack')
  return (
    <section className="stack" aria-labelledby="prices">
      <h2 id="prices">{t`Prices`}</h2>
      <ul className={styles.packs}>
        {packs.map((product) => (
          <li key={product.id} className="panel">
            <h3>{product.name}</h3>
            <p className={styles.price}>{money(product.price.cents, product.price.currency)}</p>
            <p className="quiet">
              {formatCredits(product.credits)}
              {film ? ` · ${plural(filmCount(product.credits, film), { one: '# film', other: '# films' })}` : ''}
              {' · '}
              {t`valid for ${validity(product)}`}
            </p>
          </li>
        ))}
      </ul>
      <p className="quiet">{t`There are monthly and yearly plans too.`}</p>
    </section>
  )
}
