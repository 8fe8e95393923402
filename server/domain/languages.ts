// The languages that the web app and what it sends speak. A new one also needs a folder of this name with the texts of the web app.
export const languages = ['en', 'de', 'fr'] as const
export type Language = (typeof languages)[number]

/** As their speakers call them. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français' }
