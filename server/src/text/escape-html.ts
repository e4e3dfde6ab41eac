/** Text of users in HTML, as content or as a quoted attribute: what it contains is no markup (XSS). */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
