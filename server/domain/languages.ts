// The languages of the web app, pages and mails, with their names in themselves. A new one is a line here and files of texts
// (CONTRIBUTING.md).
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
} as const

export type Language = keyof typeof languageNames
export const languages = Object.keys(languageNames) as [Language, ...Language[]]

/** The supported language that the client prefers, by its `Accept-Language` header (RFC 9110 §12.5.4). */
export function preferredLanguage(header: string | undefined): Language {
  const wishes = (header ?? '').split(',').map((wish) => {
    const [name = '', ...parameters] = wish.trim().toLowerCase().split(';')
    const quality = parameters.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean)
    return { language: name.split('-')[0], quality: quality === undefined ? 1 : Number(quality) }
  })
  const best = (language: string) =>
    Math.max(0, ...wishes.filter((wish) => wish.language === language).map(({ quality }) => quality))
  return languages.reduce((a, b) => (best(b) > best(a) ? b : a))
}
