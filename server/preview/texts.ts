// The words in a picture, in every language of the application.
import type { Preferences } from '../domain/preferences.ts'

type Language = Exclude<Preferences['language'], 'auto'>

export interface Texts {
  /** The name is undefined if the picture cannot show it. */
  title(name: string | undefined): string
  flights(count: number): string
  airports(count: number): string
  countries(count: number): string
}

export const texts: Record<Language, Texts> = {
  en: {
    title: (name) => (name === undefined ? 'Shared flights' : `${name}’s flights`),
    flights: (count) => (count === 1 ? 'flight' : 'flights'),
    airports: (count) => (count === 1 ? 'airport' : 'airports'),
    countries: (count) => (count === 1 ? 'country' : 'countries'),
  },
  de: {
    title: (name) => (name === undefined ? 'Geteilte Flüge' : `Flüge von ${name}`),
    flights: (count) => (count === 1 ? 'Flug' : 'Flüge'),
    airports: (count) => (count === 1 ? 'Flughafen' : 'Flughäfen'),
    countries: (count) => (count === 1 ? 'Land' : 'Länder'),
  },
}
