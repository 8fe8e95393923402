// `contrail reference …`: the airports, airlines and aircraft types that come with Contrail.
import { loadReference, updateReference } from '../services/reference/load.ts'
import { openSet } from '../services/reference/set.ts'
import { shippedManifest } from '../services/reference/shipped.ts'
import { findSetting } from '../store/instance/settings.ts'
import { countReference } from '../store/reference/records.ts'
import { command, UsageError } from './command.ts'

export const referenceCommands = [
  command({
    words: 'reference load',
    options: {},
    description:
      'load the shipped reference data; every start of the server does so if they are missing or out of date',
    logs: true,
    run: ({ store, log }) => loadReference(store, log),
  }),
  command({
    words: 'reference status',
    options: {},
    description: 'show the version, date and counts of the reference data',
    async run({ store, say }) {
      const counts = await countReference(store.read)
      const { version, snapshot } = shippedManifest()
      const loaded = [
        await findSetting(store.read, { name: 'referenceVersion' }),
        await findSetting(store.read, { name: 'referenceSnapshot' }),
      ]
      say(`loaded\t${loaded.join('\t')}`)
      say(`shipped\t${version}\t${snapshot}`)
      for (const [name, count] of Object.entries(counts)) say(`${name}\t${count}`)
    },
  }),
  command({
    words: 'reference update',
    arguments: ['FOLDER|URL'],
    options: {},
    description: 'load a newer set of reference data, as tools/reference makes it',
    async run({ store, args, say }) {
      const [place] = args
      if (place === undefined) throw new UsageError('name the folder or the address of a reference set')
      const set = await openSet(place)
      const { snapshot, counts } = set.manifest
      const { isLoaded, newest } = await updateReference(store, set)
      if (!isLoaded) {
        say(`nothing to do: this set is from ${snapshot}, and one from ${newest} is already loaded`)
        return
      }
      say(
        `loaded the set from ${snapshot}: ${counts.airports} airports, ${counts.airlines} airlines, ${counts.aircraft} aircraft types`,
      )
    },
  }),
]
