/** Configuration page: the products for sale, edited in a form, and the files of the catalogue that were changed. */
import type { DataOf } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { money } from '../plans/pricing.ts'
import { ActionDialog } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Check, Field, NumberField, useFields } from '../ui/field.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Select } from '../ui/select.tsx'
import { QueryState } from '../ui/states.tsx'
import { type CatalogueFile, OriginNote, originLabels, putFile, refreshCatalogue } from './catalogue-file.tsx'
import { AdminPage, LinkButton, tableClass } from './kit.tsx'
import { changedProduct, type FileProduct, fileOf, PROCESSORS, productsOf, valuesOf } from './product-file.ts'
import { catalogueFileQuery, findingsQuery } from './queries.ts'
import { ReasonField } from './reason-form.tsx'

export function ConfigurationPage() {
  const plans = useQuery(catalogueFileQuery('plans.json'))
  const files = useQuery(findingsQuery)
  return (
    <AdminPage title={t`Configuration`}>
      <p className="quiet">
        {t`What is written here is in force within a second, is kept in the audit, and can be taken back. A file of CATALOGUE_DIR wins over it.`}
      </p>
      {/* The files follow the products, whose number is not known before. */}
      <QueryState query={plans} loading={t`Loading the products`} skeletonHeight="640px">
        {(file) => (
          <>
            <Products file={file} />
            <Files query={files} />
          </>
        )}
      </QueryState>
    </AdminPage>
  )
}

function Products({ file }: { file: CatalogueFile }) {
  const [edited, setEdited] = useState<FileProduct | 'new' | null>(null)
  return (
    <section className="panel" aria-labelledby="products">
      <div className="page-head">
        <h2 id="products">{t`Products`}</h2>
        {file.of === 'own' ? null : <Button onClick={() => setEdited('new')}>{t`New product`}</Button>}
      </div>
      <OriginNote file={file} />
      <ProductTable file={file} onEdit={setEdited} />
      {edited ? (
        <ProductDialog file={file} product={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </section>
  )
}

const ProductTable = ({ file, onEdit }: { file: CatalogueFile; onEdit: (product: FileProduct) => void }) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Products`}
    rows={productsOf(file.text)}
    columns={[
      {
        head: t`Product`,
        isRowHead: true,
        cell: (product) =>
          file.of === 'own' ? (
            product.name
          ) : (
            <LinkButton aria-label={t`Edit ${product.name}`} onClick={() => onEdit(product)}>
              {product.name}
            </LinkButton>
          ),
        below: ({ id }) => id,
      },
      {
        head: t`State`,
        cell: ({ listed }) => (
          <Mark kind={listed === false ? 'none' : 'done'} label={listed === false ? t`Not sold` : t`For sale`} />
        ),
      },
      { head: t`Price`, isNumber: true, cell: ({ price }) => money(price.cents, price.currency) },
      { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
      {
        head: t`Valid for`,
        cell: ({ kind, validDays, period }) =>
          kind === 'pack' ? t`${formatNumber(validDays ?? 0)} days` : period === 'year' ? t`A year` : t`A month`,
      },
    ]}
  />
)

type DialogProps = { file: CatalogueFile; product: FileProduct | null; onClose: () => void }

function ProductDialog({ file, product, onClose }: DialogProps) {
  const { values, text, check } = useFields({ ...valuesOf(product), reason: '' })
  const [kind, setKind] = useState(values.kind)
  const [period, setPeriod] = useState(values.period)
  const { reason, ...form } = values
  const changed = changedProduct(product, { ...form, kind, period })
  const products = productsOf(file.text)
  const next = product ? products.map((each) => (each.id === product.id ? changed : each)) : [...products, changed]
  return (
    <ActionDialog
      title={product ? t`Edit ${product.name}` : t`New product`}
      submitLabel={t`Put in force`}
      isHeld
      isReady={reason.trim() !== ''}
      send={() => putFile(file, fileOf(next), reason.trim())}
      refresh={refreshCatalogue}
      done={t`${changed.name} is in force.`}
      onClose={onClose}
    >
      <Field label={t`Name`} required maxLength={100} {...text('name')} />
      {product ? null : (
        <>
          <Field
            label={t`Id`}
            hint={t`Small letters, digits and dashes. It stays.`}
            required
            pattern="[a-z0-9\-]+"
            autoComplete="off"
            {...text('id')}
          />
          <Select
            aria-label={t`Kind`}
            value={kind}
            options={{ pack: t`Pack, bought once`, subscription: t`Subscription` }}
            onSelect={(each) => setKind(each ?? 'pack')}
          />
        </>
      )}
      {kind === 'pack' ? (
        <NumberField label={t`Credits are valid for, in days`} max={3650} required {...text('days')} />
      ) : (
        <Select
          aria-label={t`Period`}
          value={period}
          options={{ month: t`A month`, year: t`A year` }}
          onSelect={(each) => setPeriod(each ?? 'month')}
        />
      )}
      <NumberField label={t`Credits`} max={2_000_000_000} required {...text('credits')} />
      <NumberField label={t`Price`} min={0.01} max={20_000_000} isInteger={false} required {...text('price')} />
      <Field label={t`Currency`} required pattern="[A-Za-z]{3}" autoComplete="off" {...text('currency')} />
      {PROCESSORS.map((processor) => (
        <Field
          key={processor}
          label={t`Its id at ${processor}`}
          hint={t`Another price needs a new product or price there, whose id is written here. Subscriptions go on at the price before.`}
          maxLength={250}
          autoComplete="off"
          {...text(processor)}
        />
      ))}
      <Check label={t`For sale`} {...check('isListed')} />
      <p className="quiet">
        {t`${formatCredits(changed.credits || 0)} for ${money(changed.price.cents || 0, safeCurrency(changed))}`}
      </p>
      <ReasonField {...text('reason')} />
    </ActionDialog>
  )
}

/** Of a currency that is being typed there is no format. */
const safeCurrency = ({ price: { currency } }: FileProduct): string => (/^[A-Z]{3}$/.test(currency) ? currency : 'USD')

type FilesQuery = ComponentProps<typeof QueryState<DataOf<'get', '/api/v1/admin/catalogue'>>>['query']

function Files({ query }: { query: FilesQuery }) {
  return (
    <section className="panel" aria-labelledby="files">
      <h2 id="files">{t`Files of the catalogue`}</h2>
      <p className="quiet">{t`Prompt templates, and models that are not as the release has them. Each other model has the link to its file in Models.`}</p>
      <QueryState query={query} loading={t`Loading the files`}>
        {({ files }) => (
          <DataTable
            className={tableClass()}
            label={t`Files of the catalogue`}
            rows={files.filter(({ file, of }) => of !== 'release' || !file.startsWith('models/'))}
            keyOf={({ file }) => file}
            columns={[
              {
                head: t`File`,
                isRowHead: true,
                lang: 'en',
                cell: ({ file }) => (
                  <Link to="/admin/configuration/file" search={{ file }}>
                    {file}
                  </Link>
                ),
              },
              { head: t`In force`, cell: ({ of }) => <Mark {...originLabels[of ?? 'none']} /> },
            ]}
          />
        )}
      </QueryState>
    </section>
  )
}
