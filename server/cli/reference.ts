// `contrail reference …`: the airports, airlines and aircraft types that come with Contrail.
import { loadReference, updateReference } from '../reference/load.ts'
import { openSet } from '../reference/set.ts'
import { shippedManifest } from '../reference/shipped.ts'
import { countReference } from '../store/reference.ts'
import { findSetting } from '../store/settings.ts'
import { command, UsageError } from './command.ts'

export const referenceCommands = [
  command({
    words: 'reference load',
    options: {},
    description: 'load the shipped reference data; every start does so if they are missing or old',
    logs: true,
    run: ({ store, log }) => loadReference(store, log),
  }),
  command({
    words: 'reference status',
    options: {},
    description: 'show the version, day and counts of the reference data',
    async run({ store, say }) {
      const counts = await countReference(store.read)
      const { version, snapshot } = shippedManifest()
      const loaded = [
        await findSetting(store.read, 'referenceVersion'),
        await findSetting(store.read, 'referenceSnapshot'),
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
        say(`nothing to do: this set is of ${snapshot}, and there is one of ${newest} already`)
        return
      }
      say(
        `loaded the set of ${snapshot}: ${counts.airports} airports, ${counts.airlines} airlines, ${counts.aircraft} aircraft types`,
      )
    },
  }),
]
