// Display preferences: the values that the API accepts and the web app offers.
export const preferenceValues = {
  distanceUnit: ['km', 'mi', 'nm'],
  windSpeedUnit: ['kt', 'mph', 'kmh', 'ms'],
  temperatureUnit: ['c', 'f'],
  pressureUnit: ['hpa', 'inhg'],
  timeFormat: ['auto', '12h', '24h'],
  dateFormat: ['auto', 'iso', 'us', 'eu'],
  weekStartsOn: ['auto', 'mon', 'sun'],
  flightTimeDisplay: ['airport', 'utc', 'system'],
  language: ['auto', 'en', 'de'],
} as const

export type Preferences = { [Name in keyof typeof preferenceValues]: (typeof preferenceValues)[Name][number] }

/** The first value of each is the default. */
export const defaultPreferences = Object.fromEntries(
  Object.entries(preferenceValues).map(([name, values]) => [name, values[0]]),
) as Preferences

export const kmPerUnit: Record<Preferences['distanceUnit'], number> = { km: 1, mi: 1.609344, nm: 1.852 }
