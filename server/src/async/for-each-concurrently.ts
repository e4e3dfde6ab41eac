/**
 * A loop of which up to `limit` iterations run at the same time. The items are read one by one, as they are needed.
 * @throws the first error of `run` or of the items, at once; iterations under way go on
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  // All loops take from one iterator.
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const loop = async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: limit }, loop))
}
