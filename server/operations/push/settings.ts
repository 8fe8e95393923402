// What a person wants to be notified of, by which way and when not.
import { invalidField } from '../../base/errors.ts'
import { NotificationSettings, NotificationSettingsInput } from '../../domain/push/settings.ts'
import { timeZoneNamed } from '../../domain/time/time.ts'
import { credentialWith, operation, takes } from '../../door/operation.ts'
import { toJson } from '../../store/engine/codecs.ts'
import { incrementRevisions, NOTIFICATIONS } from '../../store/engine/revisions.ts'
import {
  findNotificationSettings,
  lockNotificationSettings,
  updateNotificationSettings as storeSettings,
} from '../../store/push/settings.ts'
import { single } from '../wire/schemas.ts'

const tag = 'Notifications'
const access = credentialWith(['notifications.manage'])

export const getNotificationSettings = operation({
  id: 'get-notification-settings',
  method: 'GET',
  path: '/notification-settings',
  tag,
  summary: 'Read what you are notified of',
  access,
  output: single(NotificationSettings),
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
  output: single(NotificationSettings),
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
    await storeSettings(db, { userId: principal.user.id, settings: toJson(settings) })
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
