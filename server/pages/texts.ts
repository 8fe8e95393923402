// The texts that every page has.
import { translated } from '../domain/translated.ts'

export const commonTexts = await translated(
  {
    /** Precedes the title of an error page. */
    error: 'Error',
    goHome: 'Go to Contrail',
    documentation: 'Documentation',
    language: 'Language',
  },
  import.meta.url,
)
