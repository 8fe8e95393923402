// The languages of the web app, pages and mails. A new one also needs a folder of this name with the texts of the web app.
export const languages = ['en', 'de', 'fr'] as const
export type Language = (typeof languages)[number]

/** In the languages themselves. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français' }

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
