// Display preferences: the values that the API accepts and the web app offers.
import { languages } from '../languages.ts'

export const preferenceValues = {
  distanceUnit: ['km', 'mi', 'nm'],
  windSpeedUnit: ['kt', 'mph', 'kmh', 'ms'],
  temperatureUnit: ['c', 'f'],
  pressureUnit: ['hpa', 'inhg'],
  timeFormat: ['auto', '12h', '24h'],
  dateFormat: ['auto', 'iso', 'us', 'eu'],
  weekStartsOn: ['auto', 'mon', 'sun'],
  flightTimeDisplay: ['airport', 'utc', 'system'],
  language: ['auto', ...languages],
} as const

type Choices = { [Name in keyof typeof preferenceValues]: (typeof preferenceValues)[Name][number] }
export interface Preferences extends Choices {
  /** Where journeys begin and end; null to derive it from the flights. */
  homeAirportId: number | null
}

/** Where there is a list of values, the first one is the default. */
export const defaultPreferences: Preferences = {
  ...(Object.fromEntries(
    Object.entries(preferenceValues).map(([name, values]) => [name, values[0]]),
  ) as Choices),
  homeAirportId: null,
}

export const kmPerUnit: Record<Preferences['distanceUnit'], number> = { km: 1, mi: 1.609344, nm: 1.852 }
