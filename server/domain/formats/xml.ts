// Text inside HTML and XML, such as SVG.

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For HTML, between tags and in attributes. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character]!)

/** Text escaped, without the characters that XML does not allow. */
export const escapeXml = (text: string): string =>
  escapeMarkup(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML does not allow
    text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu, ''),
  )
