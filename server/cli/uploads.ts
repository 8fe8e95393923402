// `contrail uploads …`: the pictures that people uploaded, and the files of open imports.
import { systemClock } from '../base/clock.ts'
import { isImportPath } from '../store/import-files.ts'
import { openUploadPlace } from '../store/open-upload-place.ts'
import { type UploadPlace, uploadFolders } from '../store/upload-place.ts'
import { isUploadPath } from '../store/uploads.ts'
import { command, UsageError } from './command.ts'

const places = ['folder', 'database', 's3'] as const

export const uploadCommands = [
  command({
    words: 'uploads move',
    arguments: ['FROM'],
    options: {},
    description:
      'move uploaded pictures and files of imports from where they were (folder, database or s3) to where UPLOADS says',
    async run({ store, config, args, say }) {
      const from = places.find((place) => place === args[0])
      if (from === undefined) throw new UsageError(`name where they were: ${places.join(', ')}`)
      if (from === config.uploads) throw new UsageError(`UPLOADS is ${from} already`)
      if (from === 's3' && !config.s3)
        throw new UsageError('set S3_ENDPOINT and the other settings of the store')
      const parts = { store, clock: systemClock }
      const source = openUploadPlace({ ...parts, config: { ...config, uploads: from } })
      const paths = await finishedPaths(source)
      await copyAll(paths, source, openUploadPlace({ ...parts, config }))
      // All of them were copied first: until then the former place is whole.
      for (const path of paths) await source.remove(path)
      say(`moved ${paths.length} uploads from ${from} to ${config.uploads}`)
    },
  }),
]

async function finishedPaths(place: UploadPlace): Promise<string[]> {
  const found = await Promise.all(uploadFolders.map((folder) => place.list(folder)))
  return found
    .flat()
    .map(({ path }) => path)
    .filter((path) => isUploadPath(path) || isImportPath(path))
}

async function copyAll(paths: readonly string[], from: UploadPlace, to: UploadPlace): Promise<void> {
  for (const path of paths) {
    const bytes = await from.read(path)
    if (bytes) await to.write(path, bytes)
  }
}
