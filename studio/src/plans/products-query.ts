/** The packs and plans of the catalogue, and the processors that sell them. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { productName } from '../i18n/service-text.ts'

export const productsQuery = queryOptions({
  queryKey: ['plans', 'products'],
  queryFn: async () => {
    const { products, ...rest } = await dataOf(kinora.GET('/api/v1/config/plans'))
    return { ...rest, products: products.map((product) => ({ ...product, name: productName(product.name) })) }
  },
  staleTime: 5 * 60_000,
})
