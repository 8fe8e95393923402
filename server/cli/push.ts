// `contrail push …`: the key with which this instance identifies itself to push services.
import { createInstanceSecret } from '../base/secret/instance-secret.ts'
import { operatorAt, recordBy } from '../operations/access/authority.ts'
import { resetKeys } from '../services/push/vapid.ts'
import { incrementRevisions, NOTIFICATIONS } from '../store/engine/revisions.ts'
import { findPerson } from '../store/people/people.ts'
import { deleteAllSubscriptions } from '../store/push/subscriptions.ts'
import { command } from './command.ts'

export const pushCommands = [
  command({
    words: 'push reset',
    options: {},
    description:
      'make a new key for notifications and delete all devices, which register again when the app is opened there; for a lost secret.key or SECRET_KEY',
    async run({ store, config, now, say }) {
      const secret = createInstanceSecret(config)
      const devices = await store.transaction(async (tx) => {
        await incrementRevisions(tx, [NOTIFICATIONS])
        await resetKeys(tx, secret)
        const deleted = await deleteAllSubscriptions(tx, {})
        for (const { id, userId, host } of deleted) {
          const subject = (await findPerson(tx, { id: userId })) ?? null
          await recordBy(operatorAt(now), tx, 'device.removed', { subject, details: { device: id, host } })
        }
        return deleted.length
      })
      say(`made a new key; devices deleted: ${devices}`)
    },
  }),
]
