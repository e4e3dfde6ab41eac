/**
 * Whether a question or a menu lies on top of the page: as long as it does, no key may act on the page beneath. Asked of
 * the page and not of the focus, which follows a moment after.
 */
export const isOverlayOpen = (): boolean =>
  document.querySelector('.dialog[data-open], [role="menu"][data-open]') !== null
