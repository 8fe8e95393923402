// The words in a picture.
import { translated } from '../../domain/translated.ts'

export const pictureTexts = await translated(
  {
    /** If the picture cannot show the name. */
    shared: {
      title: 'Shared flights',
      trip: 'A shared trip',
      flight: 'A shared flight',
    },
    sharedBy: {
      title: '{name}’s flights',
      trip: 'A trip of {name}',
      flight: 'A flight of {name}',
    },
    flights: {
      one: 'flight',
      other: 'flights',
    },
    airports: {
      one: 'airport',
      other: 'airports',
    },
    countries: {
      one: 'country',
      other: 'countries',
    },
  },
  import.meta.url,
)

export type PictureTexts = (typeof pictureTexts)['en']
