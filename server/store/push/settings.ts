// What people chose about notifications, and the address that they confirmed for them.
import { defaultNotificationSettings, type NotificationSettings } from '../../domain/push/settings.ts'
import { fromJson } from '../engine/codecs.ts'
import type { Executor } from '../engine/engine.ts'
import { first, query, queryByList } from '../engine/query.ts'
import type { RowOf } from '../engine/schema.ts'

export interface StoredSettings {
  settings: NotificationSettings
  /** The confirmed address. */
  mail: string | null
}

const columns = ['userId', 'settings', 'mail'] as const
type SettingsRow = Pick<RowOf<'notificationSettings'>, (typeof columns)[number]>

export const noSettings: StoredSettings = { settings: defaultNotificationSettings, mail: null }

/** What a person never chose has its default, also if it was added later. */
export function toSettings(text: string | null): NotificationSettings {
  const chosen = text === null ? {} : fromJson<Partial<NotificationSettings>>(text)
  const kinds = { ...defaultNotificationSettings.kinds, ...chosen.kinds }
  return { ...defaultNotificationSettings, ...chosen, kinds }
}
const toStored = ({ settings, mail }: SettingsRow): StoredSettings => ({
  settings: toSettings(settings),
  mail,
})

const several = queryByList((db, userIds: string[]) =>
  db.selectFrom('notificationSettings').select(columns).where('userId', 'in', userIds),
)
export async function listNotificationSettings(
  db: Executor,
  userIds: readonly string[],
): Promise<Map<string, StoredSettings>> {
  const rows = await several(db, userIds)
  return new Map(rows.map((row) => [row.userId, toStored(row)]))
}
export const findNotificationSettings = async (db: Executor, userId: string): Promise<StoredSettings> =>
  (await listNotificationSettings(db, [userId])).get(userId) ?? noSettings

/** Locks the row until the transaction ends, so that concurrent changes do not undo each other. */
const lock = query((db, p: { userId: string; settings: string }) =>
  db
    .insertInto('notificationSettings')
    .values({ userId: p.userId, settings: p.settings, mail: null, mailsDay: null, mails: 0 })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({ mails: eb.ref('notificationSettings.mails') })),
    )
    .returning(columns),
)
export const lockNotificationSettings = async (tx: Executor, userId: string): Promise<StoredSettings> =>
  toStored((await lock(tx, { userId, settings: '{}' }))[0]!)

/** The row must exist: lock it first. */
export const updateNotificationSettings = query((db, p: { userId: string; settings: string }) =>
  db
    .updateTable('notificationSettings')
    .set({ settings: p.settings })
    .where('userId', '=', p.userId)
    .returning('userId'),
)

// The address for mails

/** Counts a mail of this day; the confirmed address, or undefined if there is none or the day has no more. */
export const countMail = async (
  tx: Executor,
  given: { userId: string; day: string; most: number },
): Promise<string | undefined> => (await first(counted(tx, given)))?.mail ?? undefined
const counted = query((db, p: { userId: string; day: string; most: number }) =>
  db
    .updateTable('notificationSettings')
    .set((eb) => ({
      mailsDay: p.day,
      mails: eb
        .case()
        .when('mailsDay', '=', p.day)
        .then(eb('mails', '+', 1))
        .else(1)
        .end(),
    }))
    .where('userId', '=', p.userId)
    .where('mail', 'is not', null)
    .where((eb) => eb.or([eb('mailsDay', 'is', null), eb('mailsDay', '!=', p.day), eb('mails', '<', p.most)]))
    .returning('mail'),
)

/** The row must exist: lock it first. */
export const updateNotificationMail = query((db, p: { userId: string; mail: string | null }) =>
  db
    .updateTable('notificationSettings')
    .set({ mail: p.mail })
    .where('userId', '=', p.userId)
    .returning('userId'),
)
