// The tables of all languages, for the server. The web app loads only the table of its language.

import type { Language } from '../languages.ts'
import type { CityNames } from './cities.ts'
import de from './city-names/de.json' with { type: 'json' }
import fr from './city-names/fr.json' with { type: 'json' }

export const cityNames: Readonly<Record<Language, CityNames>> = { en: {}, de, fr }
