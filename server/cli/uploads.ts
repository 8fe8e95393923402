// `contrail uploads …`: the pictures that people uploaded.
import { systemClock } from '../base/clock.ts'
import { createUploads } from '../store/uploads.ts'
import { command, say, UsageError } from './command.ts'

const places = ['folder', 'database', 's3'] as const

export const uploadCommands = [
  command({
    words: 'uploads move',
    arguments: ['FROM'],
    options: {},
    description: 'move uploaded pictures from where they were (folder, database or s3) to where UPLOADS says',
    async run({ store, config, args }) {
      const from = places.find((place) => place === args[0])
      if (from === undefined) throw new UsageError(`name where they were: ${places.join(', ')}`)
      if (from === config.uploads) throw new UsageError(`UPLOADS is ${from} already`)
      if (from === 's3' && !config.s3)
        throw new UsageError('set S3_ENDPOINT and the other settings of the store')
      const parts = { store, clock: systemClock }
      const source = createUploads({ ...parts, config: { ...config, uploads: from } })
      const target = createUploads({ ...parts, config })
      const paths = await source.list()
      // All of them first: until then the former place is whole.
      for (const path of paths) {
        const file = await source.read(path)
        if (file) await target.restore(path, file.bytes)
      }
      for (const path of paths) await source.remove(path)
      say(`moved ${paths.length} uploads from ${from} to ${config.uploads}`)
    },
  }),
]
