// The words in the events of a calendar.
import { translated } from '../../domain/translated.ts'

export const calendarTexts = await translated(
  {
    departure: 'Departure',
    arrival: 'Arrival',
    terminal: 'terminal',
    gate: 'gate',
    seat: 'Seat',
    aircraft: 'Aircraft',
    with: 'With',
    estimated: 'The arrival time is estimated.',
    seats: {
      window: 'window',
      aisle: 'aisle',
      middle: 'middle',
      pilot: 'pilot',
      copilot: 'copilot',
      jumpseat: 'jump seat',
    },
    classes: {
      economy: 'economy',
      'economy+': 'premium economy',
      business: 'business',
      first: 'first',
      private: 'private',
    },
  },
  import.meta.url,
)

export type CalendarTexts = (typeof calendarTexts)['en']
