// The words in a picture, in every language of the application.
import type { Language } from '../../domain/languages.ts'

export interface Texts {
  /** The name is undefined if the picture cannot show it. */
  title(name: string | undefined): string
  trip(name: string | undefined): string
  flight(name: string | undefined): string
  flights(count: number): string
  airports(count: number): string
  countries(count: number): string
}

export const texts: Record<Language, Texts> = {
  en: {
    title: (name) => (name === undefined ? 'Shared flights' : `${name}’s flights`),
    trip: (name) => (name === undefined ? 'A shared trip' : `A trip of ${name}`),
    flight: (name) => (name === undefined ? 'A shared flight' : `A flight of ${name}`),
    flights: (count) => (count === 1 ? 'flight' : 'flights'),
    airports: (count) => (count === 1 ? 'airport' : 'airports'),
    countries: (count) => (count === 1 ? 'country' : 'countries'),
  },
  de: {
    title: (name) => (name === undefined ? 'Geteilte Flüge' : `Flüge von ${name}`),
    trip: (name) => (name === undefined ? 'Ein geteilter Trip' : `Ein Trip von ${name}`),
    flight: (name) => (name === undefined ? 'Ein geteilter Flug' : `Ein Flug von ${name}`),
    flights: (count) => (count === 1 ? 'Flug' : 'Flüge'),
    airports: (count) => (count === 1 ? 'Flughafen' : 'Flughäfen'),
    countries: (count) => (count === 1 ? 'Land' : 'Länder'),
  },
  fr: {
    title: (name) => (name === undefined ? 'Vols partagés' : `Les vols de ${name}`),
    trip: (name) => (name === undefined ? 'Un voyage partagé' : `Un voyage de ${name}`),
    flight: (name) => (name === undefined ? 'Un vol partagé' : `Un vol de ${name}`),
    flights: (count) => (count < 2 ? 'vol' : 'vols'),
    airports: (count) => (count < 2 ? 'aéroport' : 'aéroports'),
    countries: () => 'pays',
  },
}
