/** plans.json, the catalogue of products: validated as a whole; every error names file, line and entry. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../../src/config/config.ts'
import { goodUntil, parsePlans, plans, processorId } from '../../src/payment/plans.ts'

const price = { cents: 1490, currency: 'USD' }
const pack = { id: 'pack-one', name: 'One', kind: 'pack', credits: 10, validDays: 365, price }
const monthly = { id: 'plan-one', name: 'One', kind: 'subscription', credits: 10, period: 'month', price }
const read = (...products: unknown[]) => parsePlans(JSON.stringify({ products }))

function problemsOf(text: string): string[] {
  try {
    parsePlans(text)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
  return assert.fail('nothing was wrong')
}
const problems = (...products: unknown[]) => problemsOf(JSON.stringify({ products }))

test('plans.json: shipped file → its products, credits and prices', () => {
  assert.deepEqual(
    plans().products.map(({ id, credits, price: { cents, currency } }) => [id, credits, cents, currency]),
    [
      ['pack-starter', 280, 1490, 'USD'],
      ['pack-standard', 960, 3990, 'USD'],
      ['pack-pro', 2850, 9990, 'USD'],
      ['basic-monthly', 280, 990, 'USD'],
      ['pro-monthly', 960, 2990, 'USD'],
      ['ultimate-monthly', 2850, 7990, 'USD'],
      ['basic-yearly', 3360, 9900, 'USD'],
      ['pro-yearly', 11520, 29900, 'USD'],
      ['ultimate-yearly', 34200, 79900, 'USD'],
    ],
  )
  const starter = plans().byId('pack-starter') ?? assert.fail()
  assert.equal(processorId(starter, 'payment-a'), 'prod_pack_starter')
  assert.equal(processorId(starter, 'payment-b'), 'price_pack_starter')
})

test('ids: configured by the operator → replace the default processor id', () => {
  const found = read({ ...pack, ids: { 'payment-a': 'prod_4711' } }, monthly)
  assert.equal(found.byProcessorId('payment-a', 'prod_4711')?.id, 'pack-one')
  assert.equal(found.byProcessorId('payment-a', 'prod_pack_one'), null)
  assert.equal(found.byProcessorId('payment-b', 'price_pack_one')?.id, 'pack-one')
  assert.equal(found.byProcessorId('payment-b', 'prod_4711'), null)
  assert.equal(found.byId('constructor'), null)
})

const entry = (id: string) => ({ id, price: monthly.price.cents, currency: 'USD', credits: monthly.credits })
test('ids: several at a processor → each is known; the first is sold', () => {
  const { products, byProcessorId } = read(
    { ...monthly, ids: { 'payment-b': [entry('price_new'), { ...entry('price_old'), price: 500, credits: 5 }] } },
    pack,
  )
  assert.equal(processorId(products[0] ?? assert.fail(), 'payment-b'), 'price_new')
  assert.equal(byProcessorId('payment-b', 'price_new')?.id, 'plan-one')
  const old = byProcessorId('payment-b', 'price_old')
  assert.deepEqual([old?.id, old?.price.cents, old?.credits], ['plan-one', 500, 5])
  assert.match(
    problems({ ...monthly, ids: { 'payment-b': [{ ...entry('x_1'), price: 1 }] } }, pack).join(),
    /products\[0\]: the first of its payment-b ids is sold, so its price and credits are the product's/,
  )
  assert.equal(byProcessorId('payment-b', 'price_plan_one'), null)
  assert.match(
    problems(
      { ...monthly, ids: { 'payment-b': [entry('x_1'), entry('x_2')] } },
      { ...pack, ids: { 'payment-b': 'x_2' } },
    ).join(),
    /:1: products\[1\]: its payment-b id x_2 is also that of plan-one/,
  )
  assert.match(problems({ ...monthly, ids: { 'payment-b': [] } }).join(), /products\[0\]\.ids\.payment-b: must/)
})

test('listed: false → the product stays known by its ids; without it a product is listed', () => {
  const { products, byId, byProcessorId } = read({ ...monthly, listed: false }, pack)
  assert.deepEqual(
    products.map(({ listed }) => listed),
    [false, true],
  )
  assert.equal(byId('plan-one')?.credits, 10)
  assert.equal(byProcessorId('payment-a', 'prod_plan_one')?.id, 'plan-one')
  assert.match(problems({ ...monthly, listed: 'no' }).join(), /products\[0\]\.listed: must be true or false/)
})

test('validation: invalid entries → every error at once, each with its entry', () => {
  const { credits: _, ...withoutCredits } = monthly
  const cases: [entry: unknown, what: RegExp][] = [
    [withoutCredits, /products\[0\].*credits/],
    [{ ...pack, credits: 0 }, /products\[0\].*credits/],
    [{ ...pack, credits: 1.5 }, /products\[0\].*credits/],
    [{ ...pack, credits: '10' }, /products\[0\].*credits/],
    [{ ...pack, colour: 'red' }, /products\[0\].*colour/],
    [{ ...monthly, validDays: 30 }, /products\[0\].*validDays/],
    [{ ...pack, period: 'month' }, /products\[0\].*period/],
    [{ ...monthly, period: 'week' }, /products\[0\].*period/],
    [{ ...pack, validDays: 0 }, /products\[0\].*validDays/],
    [{ ...pack, kind: 'gift' }, /products\[0\].*kind/],
    [{ ...pack, price: { cents: 0, currency: 'USD' } }, /products\[0\].*cents/],
    [{ ...pack, price: { cents: 1, currency: 'usd' } }, /products\[0\].*currency/],
    [{ ...pack, price: { cents: 1, currency: 'USD', off: 1 } }, /products\[0\].*off/],
    [{ ...pack, ids: { 'payment-c': 'x' } }, /products\[0\].*payment-c/],
    [{ ...pack, ids: { 'payment-a': '' } }, /products\[0\].*payment-a/],
    [{ ...pack, id: 'Pack One' }, /products\[0\]\.id: must/],
    [null, /products\[0\]: must be an object with .*kind/],
    [{}, /products\[0\]: must be an object with .*kind/],
  ]
  for (const [entry, what] of cases) assert.match(problems(entry).join('\n'), what, JSON.stringify(entry))
  assert.match(
    problems({ ...pack, credits: 0 }, { ...monthly, period: 'week' }).join(),
    /products\[0\]\.credits.*products\[1\]\.period/,
  )
})

test('validation: duplicate product id or processor id → refused', () => {
  const other = { ...pack, id: 'pack-two' }
  assert.match(
    problems(pack, { ...pack, kind: 'pack' }).join('\n'),
    /products\[1\]: its id pack-one is also that of pack-one/,
  )
  for (const processor of ['payment-a', 'payment-b']) {
    const ids = { [processor]: 'x_1' }
    assert.match(
      problems({ ...pack, ids }, { ...other, ids }).join('\n'),
      new RegExp(`products\\[1\\]: its ${processor} id x_1.*pack-one`),
    )
  }
  // A configured id may not equal another product's default id either.
  assert.match(
    problems(pack, { ...other, ids: { 'payment-a': 'prod_pack_one' } }).join('\n'),
    /products\[1\]: .*prod_pack_one/,
  )
})

test('validation: malformed file → refused with the reason', () => {
  assert.match(problemsOf('{').join(), /plans\.json:1: not valid JSON/)
  for (const text of ['[]', '{}', 'null', '{"products":[]}', '{"products":{}}', '{"products":[],"more":1}']) {
    assert.match(problemsOf(text).join(), /^catalogue\/plans\.json:1: .*(must|missing)/, text)
  }
})

test('goodUntil: month and year → calendar units, clamped to the last day; days → 24 hours each', () => {
  const { products } = read(pack, monthly, { ...monthly, id: 'plan-year', period: 'year' })
  const [days, month, year] = products
  const until = (product: (typeof products)[number] | undefined, from: string) =>
    goodUntil(product ?? assert.fail(), new Date(from))
      .toISOString()
      .replace('T00:00:00.000Z', '')
  const cases: [typeof days, string, string][] = [
    [month, '2027-01-15', '2027-02-15'],
    [month, '2027-01-31', '2027-02-28'],
    [month, '2028-01-31', '2028-02-29'],
    [month, '2027-03-31', '2027-04-30'],
    [month, '2027-12-31', '2028-01-31'],
    [month, '2027-02-28', '2027-03-28'],
    [year, '2027-02-28', '2028-02-28'],
    [year, '2028-02-29', '2029-02-28'],
    [year, '2027-12-31', '2028-12-31'],
    [days, '2027-01-01', '2028-01-01'],
    [days, '2028-01-01', '2028-12-31'],
    [month, '2027-01-31T23:59:59.999Z', '2027-02-28T23:59:59.999Z'],
  ]
  for (const [product, from, expected] of cases) assert.equal(until(product, from), expected, from)
})

test('goodUntil: the processor ends the period later → with it, by up to four days; earlier or much later → the calendar’s end', () => {
  const { products } = read(monthly, { ...monthly, id: 'plan-year', period: 'year' })
  const [month, year] = products
  const cases: [typeof month, from: string, periodEnd: string, expected: string][] = [
    // Billed on the 31st, the 30th of January and the 29th of February.
    [month, '2027-01-31', '2027-03-03', '2027-03-03'],
    [month, '2027-01-30', '2027-03-02', '2027-03-02'],
    [month, '2027-03-31', '2027-05-01', '2027-05-01'],
    [year, '2028-02-29', '2029-03-01', '2029-03-01'],
    [month, '2027-01-31', '2027-03-04', '2027-03-04'],
    [month, '2027-01-31', '2027-03-05', '2027-02-28'],
    [month, '2027-01-31', '2027-02-27', '2027-02-28'],
    [month, '2027-01-31', '2028-01-31', '2027-02-28'],
  ]
  for (const [product, from, periodEnd, expected] of cases) {
    const until = goodUntil(product ?? assert.fail(), new Date(from), new Date(periodEnd))
    assert.equal(until.toISOString().slice(0, 10), expected, `${from} to ${periodEnd}`)
  }
})
