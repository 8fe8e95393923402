// What a person wants to be notified of, by which way and when not.
import * as z from 'zod'
import { invalidField } from '../../base/errors.ts'
import {
  channelsOf,
  LEAVE_MINUTES,
  type NotificationKind,
  type NotificationSettings,
  REMINDER_MINUTES,
  REMINDERS_AT_MOST,
} from '../../domain/push/notifications.ts'
import { timeZoneNamed } from '../../domain/time/time.ts'
import { credentialWith, operation, takes } from '../../door/operation.ts'
import { incrementRevisions, NOTIFICATIONS } from '../../store/engine/revisions.ts'
import {
  findNotificationSettings,
  lockNotificationSettings,
  updateNotificationSettings as storeSettings,
} from '../../store/push/settings.ts'
import { single } from '../wire/schemas.ts'

const channel = (kind: NotificationKind, about: string) => z.enum(channelsOf(kind)).describe(about)
const kinds = {
  reminder: channel('reminder', 'Before departure.'),
  status: channel('status', 'Gate, delay, cancellation and landing of flights that you follow.'),
  intake: channel(
    'intake',
    'A mail or a calendar was imported or could not be read, or someone added you to a flight.',
  ),
  imports: channel('imports', 'An import waits for you.'),
  security: channel('security', 'A new sign-in, and what could harm your account; it cannot be turned off.'),
} satisfies Record<NotificationKind, z.ZodType>

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .meta({ example: '22:00' })

const shape = {
  reminderMinutes: z
    .array(z.int().min(REMINDER_MINUTES.least).max(REMINDER_MINUTES.most))
    .max(REMINDERS_AT_MOST)
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
    .min(LEAVE_MINUTES.least)
    .max(LEAVE_MINUTES.most)
    .nullable()
    .describe('Minutes before departure at which you leave for the airport; null if it is not shown.'),
}

const NotificationSettingsView = z
  .object({ kinds: z.object(kinds), ...shape })
  .meta({ id: 'NotificationSettings' })
const NotificationSettingsInput = z
  .strictObject({ kinds: z.strictObject(kinds).partial(), ...shape })
  .partial()
  .meta({ id: 'NotificationSettingsInput' })

const tag = 'Notifications'
const access = credentialWith(['notifications.manage'])

export const getNotificationSettings = operation({
  id: 'get-notification-settings',
  method: 'GET',
  path: '/notification-settings',
  tag,
  summary: 'Read what you are notified of',
  access,
  output: single(NotificationSettingsView),
  run: async ({ principal, db }) => ({
    data: (await findNotificationSettings(db, principal.user.id)).settings,
  }),
})

export const updateNotificationSettings = operation({
  id: 'update-notification-settings',
  method: 'PUT',
  path: '/notification-settings',
  tag,
  summary: 'Choose what you are notified of',
  example: { body: { reminderMinutes: [1440, 240] } },
  description: 'Keeps what is omitted. Messages arrive on the devices where you turned notifications on.',
  access,
  body: takes(NotificationSettingsInput),
  output: single(NotificationSettingsView),
  tool: {
    title: 'Choose your notifications',
    description: 'Reminders before departure and quiet hours. Keeps what is omitted.',
    unlisted: ['kinds', 'timeZone', 'discreet', 'leaveMinutes'],
    says: ({ data }) => inWords(data),
  },
  async run({ principal, input, db }) {
    const timeZone = input.timeZone && requireZone(input.timeZone)
    await incrementRevisions(db, [NOTIFICATIONS])
    const { settings: before } = await lockNotificationSettings(db, principal.user.id)
    const settings: NotificationSettings = {
      ...before,
      ...whatIsGiven(input),
      ...(timeZone ? { timeZone } : {}),
      kinds: { ...before.kinds, ...whatIsGiven(input.kinds ?? {}) },
    }
    settings.reminderMinutes = [...new Set(settings.reminderMinutes)].sort((a, b) => b - a)
    await storeSettings(db, principal.user.id, settings)
    return { data: settings }
  },
})

type Given<Input> = { [Name in keyof Input]?: Exclude<Input[Name], undefined> }
const whatIsGiven = <Input extends object>(input: Input) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<Input>

function requireZone(text: string): string {
  const zone = timeZoneNamed(text)
  if (!zone) throw invalidField(['timeZone'], 'unknown_time_zone')
  return zone
}

function inWords({ kinds: chosen, reminderMinutes, quietHours }: NotificationSettings): string {
  const reminders =
    reminderMinutes.length === 0
      ? 'no reminders'
      : `reminders ${reminderMinutes.join(', ')} min before departure`
  const quiet = quietHours ? `quiet from ${quietHours.from} to ${quietHours.to}` : 'no quiet hours'
  const ways = Object.entries(chosen).map(([kind, channel]) => `${kind}: ${channel}`)
  return `${[...ways, reminders, quiet].join(', ')}.`
}
