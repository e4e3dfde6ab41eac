/** Keys of an input method, such as one of Chinese: they choose among its candidates, and mean nothing to the page. */

/** Safari ends a composition before the key that ends it: 229 is the code of every key of an input method. */
export const isComposing = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === 229
