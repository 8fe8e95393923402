// What a person can choose about notifications.
import * as z from 'zod'
import { channels, type NotificationKind } from './notifications.ts'

const channel = (about: string) => z.enum(channels).describe(about)
const kinds = {
  reminder: channel('Before departure.'),
  status: channel('Gate, delay, cancellation and landing of flights that you follow.'),
  intake: channel(
    'A mail or a calendar was imported or could not be read, or someone added you to a flight.',
  ),
  imports: channel('An import waits for you.'),
  /** People who lose control of their account must learn of it. */
  security: z
    .enum(channels)
    .exclude(['none'])
    .describe('A new sign-in, and what could harm your account; it cannot be turned off.'),
} satisfies Record<NotificationKind, z.ZodType>

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .meta({ example: '22:00' })

const shape = {
  reminderMinutes: z
    .array(z.int().min(15).max(4320))
    .max(4)
    .describe('Minutes before departure; all reminders, not only a new one.')
    .meta({ example: [1440, 180] }),
  quietHours: z
    .object({ from: clock, to: clock })
    .nullable()
    .describe(
      'Local times between which most messages wait: at the departure airport before a flight, at the arrival airport after it. null for none.',
    ),
  timeZone: z
    .string()
    .max(100)
    .nullable()
    .describe(
      'Of the quiet hours for messages that are about no flight, as in `Europe/Berlin`; null for UTC.',
    ),
  discreet: z.boolean().describe('Messages say only that there is news.'),
  leaveMinutes: z
    .int()
    .min(15)
    .max(1440)
    .nullable()
    .describe('Minutes before departure at which you leave for the airport; null if it is not shown.'),
}

export const NotificationSettings = z
  .object({ kinds: z.object(kinds), ...shape })
  .meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.output<typeof NotificationSettings>

export const NotificationSettingsInput = z
  .strictObject({ kinds: z.strictObject(kinds).partial(), ...shape })
  .partial()
  .meta({ id: 'NotificationSettingsInput' })

export const defaultNotificationSettings: NotificationSettings = {
  kinds: {
    reminder: 'push',
    status: 'push',
    intake: 'push',
    imports: 'none',
    security: 'push',
  },
  reminderMinutes: [1440, 180],
  quietHours: null,
  timeZone: null,
  discreet: false,
  leaveMinutes: null,
}
