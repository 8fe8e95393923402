// How a person wants to see things.
import * as z from 'zod'
import { preferenceValues } from '../domain/preferences.ts'

const values = preferenceValues

export const Preferences = z
  .object({
    distanceUnit: z.enum(values.distanceUnit),
    windSpeedUnit: z.enum(values.windSpeedUnit),
    temperatureUnit: z.enum(values.temperatureUnit),
    pressureUnit: z.enum(values.pressureUnit),
    timeFormat: z.enum(values.timeFormat),
    dateFormat: z.enum(values.dateFormat),
    weekStartsOn: z.enum(values.weekStartsOn),
    flightTimeDisplay: z.enum(values.flightTimeDisplay),
  })
  .meta({ id: 'Preferences' })
